{{ config(materialized='incremental', unique_key='order_id') }}
with totals as (
    select
        order_id,
        sum(supply_cost) as order_cost,
        count(*) as count_order_items,
        count(*) filter (where is_food_item) as count_food_items,
        count(*) filter (where is_drink_item) as count_drink_items
    from {{ ref('order_items') }}
    group by order_id
)
select
    orders.*,
    locations.location_name,
    totals.order_cost,
    totals.count_order_items,
    totals.count_food_items,
    totals.count_drink_items
from {{ ref('stg_orders') }} as orders
left join {{ ref('stg_locations') }} as locations using (location_id)
left join totals using (order_id)
{% if is_incremental() %}
where orders.ordered_at > (select max(ordered_at) from {{ this }})
{% endif %}
