select
    cast(id as varchar) as location_id,
    name as location_name,
    cast(tax_rate as double) as tax_rate,
    date_trunc('day', cast(opened_at as timestamp)) as opened_date
from {{ source('raw', 'stores') }}
