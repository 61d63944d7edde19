with supply_costs as (
    select product_id, sum(supply_cost) as supply_cost from {{ ref('stg_supplies') }} group by product_id
)
select
    items.order_item_id,
    items.order_id,
    items.product_id,
    orders.ordered_at,
    products.product_name,
    products.product_price,
    products.is_food_item,
    products.is_drink_item,
    supply_costs.supply_cost
from {{ ref('stg_order_items') }} as items
left join {{ ref('stg_orders') }} as orders using (order_id)
left join {{ ref('stg_products') }} as products using (product_id)
left join supply_costs using (product_id)
