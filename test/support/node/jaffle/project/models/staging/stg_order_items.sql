select cast(id as varchar) as order_item_id, cast(order_id as varchar) as order_id, sku as product_id
from {{ source('raw', 'items') }}
