select
    md5(id || sku) as supply_uuid,
    id as supply_id,
    sku as product_id,
    name as supply_name,
    cast(cost / 100 as decimal(16, 2)) as supply_cost,
    cast(perishable as boolean) as is_perishable_supply
from {{ source('raw', 'supplies') }}
