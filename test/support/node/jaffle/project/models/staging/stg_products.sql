select
    sku as product_id,
    name as product_name,
    type as product_type,
    description as product_description,
    cast(price / 100 as decimal(16, 2)) as product_price,
    coalesce(type = 'jaffle', false) as is_food_item,
    coalesce(type = 'beverage', false) as is_drink_item
from {{ source('raw', 'products') }}
