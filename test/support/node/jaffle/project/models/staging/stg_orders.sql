select
    cast(id as varchar) as order_id,
    cast(customer as varchar) as customer_id,
    cast(store_id as varchar) as location_id,
    cast(subtotal / 100 as decimal(16, 2)) as subtotal,
    cast(tax_paid / 100 as decimal(16, 2)) as tax_paid,
    cast(order_total / 100 as decimal(16, 2)) as order_total,
    cast(ordered_at as timestamp) as ordered_at
from {{ source('raw', 'orders') }}
