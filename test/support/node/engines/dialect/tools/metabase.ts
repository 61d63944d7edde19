// Statements as Metabase sends them by its driver for Trino: questions, their filters, bins, and its looks at a table.

const head = "-- Metabase:: userID: 1 queryType: MBQL queryHash: 0123456789abcdef\n";
const ORDERS = '"shop"."orders"';
const of = (table: string, column: string): string => `"shop"."${table}"."${column}"`;
const AT = of("orders", "ordered_at");
const EVENT_AT = of("events", "at");
const SIGNED_UP = of("customers", "signed_up");

const grouped = (expression: string, table: string): string =>
  `${head}SELECT ${expression} AS "x", COUNT(*) AS "count" FROM "shop"."${table}" GROUP BY ${expression} ORDER BY ${expression} ASC`;

/** Parts of a moment by the clocks of a zone, or as they are kept. */
const bucketsOf = (column: string, table: string): string[] =>
  [
    ...["minute", "hour", "month", "quarter", "year"].map((unit) => `date_trunc('${unit}', ${column})`),
    `date(${column})`,
    `date_add('day', -1, date_trunc('week', date_add('day', 1, ${column})))`,
    ...["second", "minute", "hour", "day", "day_of_year", "week", "month", "quarter", "year"].map(
      (part) => `${part}(${column})`,
    ),
    `CASE WHEN mod((day_of_week(${column}) + 1), 7) = 0 THEN 7 ELSE mod((day_of_week(${column}) + 1), 7) END`,
  ].map((expression) => grouped(expression, table));

const DATES = [
  `date(${SIGNED_UP})`,
  `date_trunc('month', ${SIGNED_UP})`,
  `date_add('day', -1, date_trunc('week', date_add('day', 1, ${SIGNED_UP})))`,
].map((expression) => grouped(expression, "customers"));

const BUCKETS = [
  ...bucketsOf(AT, "orders"),
  ...bucketsOf(`${AT} AT TIME ZONE 'UTC'`, "orders"),
  ...bucketsOf(`${EVENT_AT} AT TIME ZONE 'Europe/Berlin'`, "events"),
  ...DATES,
];

const MEASURES = [
  `SUM("shop"."orders"."total") AS "sum"`,
  `AVG("shop"."orders"."total") AS "avg"`,
  `MIN("shop"."orders"."total") AS "min", MAX("shop"."orders"."total") AS "max"`,
  `COUNT(DISTINCT "shop"."orders"."customer_id") AS "count"`,
  `STDDEV_POP("shop"."orders"."discount") AS "stddev", VAR_POP("shop"."orders"."discount") AS "var"`,
  `approx_percentile("shop"."orders"."total", 0.5) AS "median"`,
  `approx_percentile("shop"."orders"."total", 0.9) AS "percentile"`,
  `SUM(CASE WHEN "shop"."orders"."total" > 100 THEN 1.00 ELSE 0.0 END) AS "count-where"`,
  `SUM(CASE WHEN "shop"."orders"."status" = 'paid' THEN "shop"."orders"."total" ELSE 0.0 END) AS "sum-where"`,
  `CAST(SUM(CASE WHEN "shop"."orders"."status" = 'paid' THEN 1 ELSE 0.0 END) AS double) / COUNT(*) AS "share"`,
  `CAST(SUM("shop"."orders"."total") AS double) / NULLIF(COUNT(*), 0) AS "each"`,
  `CAST(SUM("shop"."orders"."total") AS double) / NULLIF(CAST(MAX("shop"."orders"."total") AS double), 0.0) AS "ratio"`,
  `CAST(FLOOR(AVG("shop"."orders"."total")) AS bigint) AS "floor", ROUND(AVG("shop"."orders"."total")) AS "round"`,
].flatMap((measure) => [
  `${head}SELECT ${measure} FROM ${ORDERS}`,
  `${head}SELECT "shop"."orders"."status" AS "status", ${measure} FROM ${ORDERS} GROUP BY "shop"."orders"."status" ` +
    `ORDER BY "shop"."orders"."status" ASC`,
]);

/** A histogram: how far a value is from the least, in whole bins. */
const BINS = [
  `(FLOOR((("shop"."orders"."total" - 0.0) / 100.0)) * 100.0) + 0.0`,
  `FLOOR(("shop"."orders"."total" / 100)) * 100`,
  `FLOOR((("shop"."orders"."discount" + 0.5) / 0.125)) * 0.125 + -0.5`,
  `(FLOOR((("shop"."orders"."id" - 0) / 250.0)) * 250.0) + 0`,
].map((bin) => grouped(bin, "orders"));

const FILTERS = [
  `${AT} >= timestamp '2024-02-01 00:00:00.000' AND ${AT} < timestamp '2024-03-01 00:00:00.000'`,
  `${AT} >= timestamp '2024-02-01 00:00:00.000 UTC' AND ${AT} < timestamp '2024-03-01 00:00 Z'`,
  `${AT} AT TIME ZONE 'Europe/Berlin' >= timestamp '2024-02-01 00:00 Europe/Berlin'`,
  `${AT} >= CAST('2024-02-01 00:00:00Z' AS timestamp with time zone)`,
  `${AT} >= CAST('2024-02-01 00:00:00+02:00' AS timestamp with time zone)`,
  `${AT} >= from_iso8601_timestamp('2024-02-01T00:00:00Z') AND ${AT} < from_iso8601_timestamp('2024-03-01T00:00:00+02:00')`,
  `${AT} BETWEEN from_iso8601_timestamp('2024-02-01T00:00:00') AND from_iso8601_timestamp('2024-02-29T23:59:59.999')`,
  `date(${AT}) = date '2024-02-05'`,
  `date(${AT}) BETWEEN date '2024-02-05' AND date '2024-02-09'`,
  `${AT} < date_trunc('day', date_add('day', -30, now()))`,
  `${AT} >= date_trunc('month', date_add('month', -120, now())) AND ${AT} < date_trunc('month', now())`,
  `${AT} < CAST(now() AS date)`,
  `"shop"."orders"."status" = 'paid'`,
  `"shop"."orders"."status" <> 'paid' OR "shop"."orders"."status" IS NULL`,
  `LOWER("shop"."orders"."status") LIKE '%ai%'`,
  `"shop"."orders"."status" LIKE 'p%'`,
  `("shop"."orders"."channel" IS NULL) OR ("shop"."orders"."channel" = '')`,
  `NOT (LOWER("shop"."orders"."status") LIKE '%ai%')`,
  `"shop"."orders"."status" = from_utf8(from_hex('70616964'))`,
  `"shop"."orders"."total" BETWEEN 100 AND 250.5`,
  `CAST(${AT} AS time) > TIME '12:00:00.000'`,
].map((filter) => `${head}SELECT COUNT(*) AS "count" FROM ${ORDERS} WHERE ${filter}`);

const QUESTIONS = [
  `SELECT "source"."country" AS "country", "source"."sum" AS "sum" FROM (SELECT "Customers - Customer"."country" AS "country", ` +
    `SUM("shop"."orders"."total") AS "sum" FROM ${ORDERS} LEFT JOIN "shop"."customers" "Customers - Customer" ON ` +
    `"shop"."orders"."customer_id" = "Customers - Customer"."id" GROUP BY "Customers - Customer"."country") "source" ` +
    `WHERE "source"."sum" > 1000 ORDER BY "source"."sum" DESC, "source"."country" ASC LIMIT 2000`,
  `SELECT "id", "status" FROM (SELECT "shop"."orders"."id" AS "id", "shop"."orders"."status" AS "status", row_number() OVER ` +
    `(ORDER BY "shop"."orders"."id" ASC) AS "__rownum__" FROM ${ORDERS}) WHERE "__rownum__" > 50 LIMIT 25`,
  `SELECT SUBSTRING("shop"."customers"."email", 1, 1234) AS "substring1", "shop"."customers"."credit" AS "credit" ` +
    `FROM "shop"."customers" ORDER BY "shop"."customers"."id" LIMIT 100`,
  `SELECT * FROM (SELECT id, name FROM shop.products) AS "source" ORDER BY 1 LIMIT 1048575`,
  `SELECT "shop"."customers"."id" AS "id", CONCAT("shop"."customers"."name", ' / ', "shop"."customers"."country") AS "who", ` +
    `COALESCE("shop"."customers"."country", 'none') AS "where", CASE WHEN "shop"."customers"."is_vip" = TRUE THEN 'yes' ` +
    `ELSE 'no' END AS "vip" FROM "shop"."customers" ORDER BY "shop"."customers"."id" LIMIT 50`,
  `SELECT regexp_extract("shop"."customers"."email", '[0-9]+') AS "digits", LENGTH("shop"."customers"."name") AS "length", ` +
    `TRIM("shop"."customers"."name") AS "name", REPLACE("shop"."customers"."email", '@', ' at ') AS "mail" ` +
    `FROM "shop"."customers" ORDER BY "shop"."customers"."id" LIMIT 50`,
  `SELECT POWER("shop"."products"."weight", 2) AS "square", SQRT("shop"."products"."weight") AS "root", ` +
    `ABS("shop"."products"."weight") AS "abs", CEIL("shop"."products"."price") AS "ceil", LOG10("shop"."products"."weight" + 1) ` +
    `AS "log", EXP("shop"."products"."weight") AS "exp" FROM "shop"."products" ORDER BY "shop"."products"."id"`,
  `SELECT "shop"."products"."price" * 1.19 AS "gross", "shop"."products"."price" - 5 AS "less", ` +
    `CAST("shop"."products"."price" AS double) / 3.0 AS "third" FROM "shop"."products" ORDER BY "shop"."products"."id"`,
  ...["year", "quarter", "month", "week", "day"].map(
    (unit) =>
      `SELECT date_diff('${unit}', date(CAST("shop"."customers"."signed_up" AS timestamp) AT TIME ZONE 'UTC'), ` +
      `date(timestamp '2024-07-01 10:00:00.000' AT TIME ZONE 'UTC')) AS "age" FROM "shop"."customers" ` +
      `ORDER BY "shop"."customers"."id"`,
  ),
  ...["hour", "minute", "second"].map(
    (unit) =>
      `SELECT date_diff('${unit}', c."signed_up", o."ordered_at") AS "after" FROM ${ORDERS} o ` +
      `JOIN "shop"."customers" c ON c."id" = o."customer_id" ORDER BY o."id" LIMIT 100`,
  ),
  `SELECT date_diff('hour', ${AT}, timestamp '2024-07-01 10:00:00.000 UTC') AS "hours" FROM ${ORDERS} ORDER BY "id" LIMIT 50`,
  `SELECT from_unixtime("shop"."products"."id" * 100000, 'UTC') AS "a", from_unixtime(("shop"."products"."id" / 1000), 'UTC') ` +
    `AS "b", from_unixtime(1700000000.5e0 + "shop"."products"."id", 'Europe/Berlin') AS "c" FROM "shop"."products" ORDER BY "id"`,
  `SELECT CAST(at_timezone(with_timezone(${AT}, 'UTC'), 'Asia/Tokyo') AS timestamp) AS "there" FROM ${ORDERS} ORDER BY "id" LIMIT 50`,
  `SELECT at_timezone(${EVENT_AT}, 'America/New_York') AS "there" FROM "shop"."events" ORDER BY "id" LIMIT 50`,
  `SELECT date_parse(CAST(20240100000000 + "shop"."products"."id" % 28 * 1000000 + 1000000 AS varchar), '%Y%m%d%H%i%s') AS "day" ` +
    `FROM "shop"."products" ORDER BY "id"`,
  `SELECT date_add('month', 1, ${AT}) AS "m", date_add('week', -2, ${AT}) AS "w", date_add('minute', 90, ${AT}) AS "n" ` +
    `FROM ${ORDERS} ORDER BY "id" LIMIT 50`,
  `SELECT current_timezone() AS "time-zone"`,
  `SELECT date_trunc('month', now()) < now() AS "a", date(now()) = current_date AS "b"`,
  // Grafana's groups of time.
  `SELECT FROM_UNIXTIME(FLOOR(TO_UNIXTIME(${EVENT_AT})/300)*300) AS time, avg("duration_ms") AS value FROM "shop"."events" ` +
    `WHERE ${EVENT_AT} BETWEEN TIMESTAMP '2024-02-27 00:00:00 UTC' AND TIMESTAMP '2024-02-28 00:00:00 UTC' GROUP BY 1 ORDER BY 1`,
];

export const METABASE: readonly string[] = [...BUCKETS, ...MEASURES, ...BINS, ...FILTERS, ...QUESTIONS];
