select count(*) as n from {{ ref('stg_locations') }} having count(*) < 6
