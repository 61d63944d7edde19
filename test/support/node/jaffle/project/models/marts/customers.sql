select
    customers.customer_id,
    customers.customer_name,
    count(orders.order_id) as count_lifetime_orders,
    count(orders.order_id) > 1 as is_repeat_buyer,
    min(orders.ordered_at) as first_ordered_at,
    max(orders.ordered_at) as last_ordered_at,
    sum(orders.subtotal) as lifetime_spend_pretax,
    sum(orders.tax_paid) as lifetime_tax_paid,
    sum(orders.order_total) as lifetime_spend
from {{ ref('stg_customers') }} as customers
left join {{ ref('orders') }} as orders using (customer_id)
group by customers.customer_id, customers.customer_name
