select * from {{ ref('orders') }} where order_total <> subtotal + tax_paid
