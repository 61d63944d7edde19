// Statements as Superset sends them for charts, tables, filters and its SQL editor: after its specification of Trino.

/** Its grains of time, from a second to a year, and the weeks that begin or end at a day of their own. */
const cast = (column: string): string => `CAST(${column} AS TIMESTAMP)`;
const truncated = (unit: string, column: string): string => `date_trunc('${unit}', ${cast(column)})`;
const stepped = (unit: string, count: number) => (column: string) =>
  `${truncated(unit, column)} - interval '1' ${unit} * (${unit}(${cast(column)}) % ${count})`;
const GRAINS: readonly ((column: string) => string)[] = [
  ...["second", "minute", "hour", "day", "week", "month", "quarter", "year"].map(
    (unit) => (column: string) => truncated(unit, column),
  ),
  ...[stepped("second", 5), stepped("second", 30)],
  ...[5, 10, 15, 30].map((count) => stepped("minute", count)),
  stepped("hour", 6),
  (column) => `date_trunc('week', ${cast(column)} + interval '1' day) - interval '1' day`,
  (column) => `date_trunc('week', ${cast(column)} + interval '1' day) + interval '5' day`,
  (column) => `${truncated("week", column)} + interval '6' day`,
];
const COLUMNS = [
  ["orders", "ordered_at"],
  ["events", "at"],
  ["customers", "signed_up"],
] as const;

const SERIES = GRAINS.flatMap((grain) =>
  COLUMNS.map(
    ([table, column]) =>
      `SELECT ${grain(column)} AS "__timestamp", COUNT(*) AS "count"\nFROM "lake"."shop"."${table}"\n` +
      `WHERE ${column} >= ${column === "signed_up" ? "DATE '2022-02-01'" : "TIMESTAMP '2024-02-01 00:00:00.000000'"} ` +
      `GROUP BY ${grain(column)} ORDER BY "count" DESC, 1\nLIMIT 1000`,
  ),
);

const METRICS = [
  ["SUM(total)", "SUM(total)"],
  ["AVG(total)", "AVG(total)"],
  ["COUNT(DISTINCT customer_id)", "COUNT_DISTINCT(customer_id)"],
  ["MIN(ordered_at)", "MIN(ordered_at)"],
  ["SUM(total) / COUNT(*)", "each"],
  ["SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) * 1.0 / COUNT(*)", "share"],
];

const TABLES = METRICS.flatMap(([metric, label]) => [
  `SELECT status AS status, channel AS channel, ${metric} AS "${label}"\nFROM shop.orders GROUP BY status, channel ` +
    `ORDER BY "${label}" DESC, 1, 2\nLIMIT 1000`,
  `SELECT virtual_table.status AS status, ${metric} AS "${label}"\nFROM (SELECT * FROM shop.orders WHERE total > 10) AS ` +
    `virtual_table GROUP BY virtual_table.status ORDER BY "${label}" DESC, 1\nLIMIT 100`,
]);

const FILTERS = [
  "status IN ('paid', 'open')",
  "status NOT IN ('paid')",
  "status = 'paid' AND channel IS NOT NULL",
  "channel IS NULL",
  "lower(status) LIKE lower('%AI%')",
  "total >= 100 AND total < 200.5",
  "ordered_at >= TIMESTAMP '2024-03-01 00:00:00.000000' AND ordered_at < TIMESTAMP '2024-03-02 00:00:00.000000'",
  "CAST(ordered_at AS DATE) >= DATE '2024-12-01'",
  "(status = 'paid' OR channel = 'web') AND (total > 500)",
].map(
  (filter) => `SELECT COUNT(*) AS "count", SUM(total) AS "SUM(total)" FROM shop.orders WHERE ${filter} LIMIT 50000`,
);

const OTHERS = [
  // A chart of the largest groups, over time.
  `SELECT ${truncated("month", "ordered_at")} AS "__timestamp", status AS status, COUNT(*) AS "count" FROM shop.orders ` +
    'JOIN (SELECT status AS "status__", COUNT(*) AS "mme_inner__" FROM shop.orders WHERE total IS NOT NULL GROUP BY ' +
    'status ORDER BY "mme_inner__" DESC, 1 LIMIT 3) AS "anon_1" ON status = "status__" ' +
    `GROUP BY ${truncated("month", "ordered_at")}, status ORDER BY 3 DESC, 1, 2 LIMIT 10000`,
  "SELECT status AS status FROM shop.orders GROUP BY status ORDER BY COUNT(*) ASC, status LIMIT 1000",
  "SELECT DISTINCT category AS category FROM shop.products ORDER BY category ASC LIMIT 1000",
  "SELECT MIN(ordered_at) AS min, MAX(ordered_at) AS max FROM (SELECT * FROM shop.orders) AS virtual_table",
  'SELECT COUNT(*) AS "rowcount" FROM (SELECT id AS id FROM shop.customers LIMIT 50) AS rowcount_qry',
  "SELECT * FROM (SELECT id, name FROM shop.products ORDER BY id) AS inner_qry ORDER BY 1 LIMIT 11",
  "SELECT id AS id, name AS name, price AS price FROM shop.products ORDER BY price DESC, id OFFSET 10 LIMIT 5",
  'SELECT is_vip AS is_vip, approx_distinct(country) AS "countries" FROM shop.customers GROUP BY is_vip LIMIT 100',
  "SELECT from_unixtime(1700000000 + id * 86400) AS day, id FROM shop.products WHERE id < 5 ORDER BY id LIMIT 100",
  `SELECT date_trunc('day', CAST(from_unixtime(1700000000 + id * 7200) AS TIMESTAMP)) AS "__timestamp", COUNT(*) AS n ` +
    "FROM shop.products GROUP BY date_trunc('day', CAST(from_unixtime(1700000000 + id * 7200) AS TIMESTAMP)) ORDER BY 1",
  "SELECT version()",
  "SELECT 1",
];

export const SUPERSET: readonly string[] = [...SERIES, ...TABLES, ...FILTERS, ...OTHERS];
