select cast(id as varchar) as customer_id, name as customer_name
from {{ source('raw', 'customers') }}
