// Statements as analysts write them, and as tools for dashboards make them: what Trino's protocol is for.

import { MORE } from "./analyst-more.ts";
import { REPORTS } from "./analyst-reports.ts";
import { TIMES } from "./analyst-times.ts";

const MEASURES = ["count(*)", "sum(o.total)", "avg(o.total)", "count(DISTINCT o.customer_id)", "max(o.discount)"];
const DIMENSIONS = ["o.status", "o.channel", "c.country", "c.is_vip", "year(o.ordered_at)"];
const FILTERS = [
  "o.status IN ('paid', 'shipped')",
  "o.ordered_at >= TIMESTAMP '2024-03-01 00:00:00' AND o.ordered_at < TIMESTAMP '2024-06-01 00:00:00'",
];

/** As Superset and Metabase write a chart. */
const CHARTS: readonly string[] = [
  ...MEASURES.flatMap((measure) =>
    DIMENSIONS.map(
      (dimension, i) =>
        `SELECT ${dimension} AS "dimension", ${measure} AS "measure" FROM "lake"."shop"."orders" o ` +
        `JOIN "lake"."shop"."customers" c ON o.customer_id = c.id WHERE ${FILTERS[i % 2]} ` +
        `GROUP BY ${dimension} ORDER BY 2 DESC, 1 LIMIT 1000`,
    ),
  ),
  ...["day", "week", "month", "quarter", "year"].flatMap((unit) =>
    ["count(*)", "sum(total)", "min(total)"].map(
      (measure) =>
        `SELECT date_trunc('${unit}', CAST(ordered_at AS TIMESTAMP)) AS "__timestamp", ${measure} AS "measure" ` +
        `FROM shop.orders GROUP BY date_trunc('${unit}', CAST(ordered_at AS TIMESTAMP)) ORDER BY 1 LIMIT 50`,
    ),
  ),
  ...["customers", "products", "orders", "order_items", "events"].flatMap((table) => [
    `SELECT * FROM shop.${table} ORDER BY 1, 2, 3, 4 LIMIT 100`,
    `SELECT count(*) AS "count" FROM "shop"."${table}"`,
    `SELECT * FROM (SELECT * FROM ${table}) AS "source" ORDER BY 1, 2, 3, 4 LIMIT 5`,
  ]),
  ...["country", "email", "name"].map(
    (column) =>
      `SELECT "source"."${column}" AS "${column}" FROM "shop"."customers" "source" ` +
      `WHERE lower("source"."${column}") LIKE '%e%' GROUP BY "source"."${column}" ORDER BY "source"."${column}" ASC`,
  ),
  ...["price", "weight"].flatMap((column) =>
    ["min", "max", "avg", "sum"].map(
      (name) =>
        `SELECT category, ${name}(${column}) AS "${name}" FROM shop.products GROUP BY category ORDER BY category`,
    ),
  ),
  ...["quantity", "unit_price", "quantity * unit_price"].flatMap((value) =>
    ["sum", "avg", "max"].map(
      (name) =>
        `SELECT product_id, ${name}(${value}) AS "value" FROM shop.order_items WHERE order_id % 10 = 3 ` +
        "GROUP BY product_id ORDER BY 2 DESC, 1 LIMIT 10",
    ),
  ),
  ...["view", "click", "buy", "leave"].map(
    (kind) =>
      `SELECT date_trunc('day', at) AS day, count(*) AS n, avg(duration_ms) AS ms FROM events WHERE kind = '${kind}' ` +
      "AND is_mobile GROUP BY 1 ORDER BY 1",
  ),
];

export const ANALYST: readonly string[] = [...REPORTS, ...TIMES, ...MORE, ...CHARTS];
