// Tables of a shop, over which an analyst's statements are asked of both engines.

/** The rows of each table, as DuckDB makes them: the same on each machine. */
export const SHOP: Record<string, string> = {
  customers: `SELECT n AS id, ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Zoë'][1 + n % 6] || ' ' || n AS name,
      CASE WHEN n % 11 = 0 THEN NULL ELSE ['DE', 'FR', 'US', 'JP', 'BR'][1 + n * 7 % 5] END AS country,
      CASE WHEN n % 9 = 0 THEN NULL ELSE 'c' || n || '@' || ['mail.example', 'Shop.Example'][1 + n % 2] END AS email,
      DATE '2022-01-03' + CAST(n * 37 % 900 AS INTEGER) AS signed_up, n % 13 = 0 AS is_vip,
      CAST(n * 7919 % 100000 / 100 - 100 AS DECIMAL(12, 2)) AS credit,
      CASE WHEN n % 17 = 0 THEN NULL ELSE n * 31 % 100 / 8.0::DOUBLE END AS score
    FROM range(1, 181) AS rows(n)`,
  products: `SELECT CAST(n AS INTEGER) AS id, ['Chair', 'Table', 'Lamp', 'Shelf', 'Bed', 'Desk'][1 + n % 6] || ' ' || n AS name,
      ['furniture', 'light', 'storage', 'kids'][1 + n * 5 % 4] AS category,
      CAST(n * 1237 % 50000 / 100 AS DECIMAL(10, 2)) AS price,
      CASE WHEN n % 10 = 0 THEN NULL ELSE n * 3 % 40 / 4.0::DOUBLE END AS weight, n % 4 <> 0 AS is_active
    FROM range(1, 61) AS rows(n)`,
  orders: `SELECT n AS id, 1 + n * 53 % 200 AS customer_id,
      TIMESTAMP '2024-01-01 00:00:00' + to_microseconds(n * 25201123457) AS ordered_at,
      ['paid', 'shipped', 'returned', 'open', 'paid'][1 + n * 3 % 5] AS status,
      CASE WHEN n % 19 = 0 THEN NULL ELSE CAST(n * 104729 % 90000 / 100 AS DECIMAL(12, 2)) END AS total,
      CASE WHEN n % 3 = 0 THEN NULL ELSE n % 8 / 32.0::DOUBLE END AS discount,
      ['web', 'store', 'app', NULL][1 + n * 11 % 4] AS channel
    FROM range(1, 1201) AS rows(n)`,
  order_items: `SELECT 1 + n % 1200 AS order_id, CAST(1 + n * 17 % 64 AS INTEGER) AS product_id,
      CAST(1 + n * 5 % 7 AS INTEGER) AS quantity, CAST(n * 1237 % 40000 / 100 AS DECIMAL(10, 2)) AS unit_price
    FROM range(3000) AS rows(n)`,
  events: `SELECT n AS id, 1 + n * 29 % 180 AS customer_id,
      TIMESTAMPTZ '2024-02-26 22:00:00+00' + to_milliseconds(n * 1234567) AS at,
      ['view', 'click', 'buy', 'leave'][1 + n * 3 % 4] AS kind,
      CASE WHEN n % 97 = 0 THEN 'nan'::DOUBLE WHEN n % 5 = 0 THEN NULL ELSE n * 13 % 50 / 4.0::DOUBLE END AS value,
      CAST(n * 977 % 5000 AS INTEGER) AS duration_ms, n % 2 = 0 AS is_mobile
    FROM range(1, 1501) AS rows(n)`,
};
