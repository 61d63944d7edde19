// A model with one of everything that a semantic model may hold, and queries that reach all of it.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";

export const EVERYTHING: SemanticModel = {
  cubes: [
    {
      name: "base",
      sql_table: "shop.base",
      public: false,
      dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true, public: true }],
      measures: [{ name: "count", type: "count" }],
    },
    {
      name: "orders",
      extends: "base",
      sql: "SELECT * FROM shop.orders WHERE note <> '\\{x\\}' AND path ~ 'a\\\\.b'",
      title: "All orders",
      description: 'With "quotes", `ticks` and\na second line',
      meta: { owner: "sales", level: 3, tags: ["a", null] },
      joins: [
        { name: "customers", relationship: "belongs_to", sql: "{CUBE}.customer_id = {customers.id}" },
        { name: "line_items", relationship: "one_to_many", sql: "{CUBE.id} = {line_items}.order_id" },
        { name: "receipts", relationship: "one_to_one", sql: "{orders}.id = {receipts}.order_id" },
      ],
      dimensions: [
        { name: "status", sql: "{CUBE}.status", type: "string", title: "State", format: "id" },
        { name: "shout", sql: "UPPER({status}) || '!'", type: "string" },
        { name: "customer_city", sql: "{customers.city}", type: "string", sub_query: false },
        { name: "items", sql: "{line_items.quantity}", type: "number", sub_query: true },
        {
          name: "items_of_status",
          sql: "{line_items.count}",
          type: "number",
          sub_query: true,
          propagate_filters_to_sub_query: true,
        },
        {
          name: "created_at",
          sql: "created_at",
          type: "time",
          granularities: [
            { name: "fiscal_year", interval: "1 year", offset: "3 months", title: "Fiscal" },
            { name: "fortnight", interval: "2 weeks", origin: "2024-01-01" },
          ],
        },
        { name: "created_month", sql: "{created_at.month}", type: "time" },
        {
          name: "size",
          type: "string",
          case: {
            when: [
              { sql: "{CUBE}.amount > 100", label: "big" },
              { sql: "{total_of} > 5", label: { sql: "{CUBE}.kind" } },
            ],
            else: { label: "small" },
          },
        },
        { name: "total_of", sql: "amount", type: "number", format: "currency", currency: "eur" },
        { name: "place", type: "geo", latitude: { sql: "{CUBE}.lat" }, longitude: { sql: "{CUBE}.lon" } },
        { name: "is_done", sql: "{CUBE}.status = 'done'", type: "boolean", public: false },
      ],
      measures: [
        {
          name: "total",
          sql: "{total_of}",
          type: "sum",
          format: "currency",
          drill_members: ["id", "status", "customers.city"],
        },
        { name: "average", sql: "amount", type: "avg" },
        { name: "least", sql: "amount", type: "min" },
        { name: "most", sql: "{CUBE}.amount", type: "max", meta: { x: 1 } },
        { name: "buyers", sql: "customer_id", type: "count_distinct" },
        { name: "buyers_about", sql: "customer_id", type: "count_distinct_approx" },
        {
          name: "done_total",
          sql: "amount",
          type: "sum",
          filters: [{ sql: "{is_done}" }, { sql: "{CUBE}.amount > 0" }],
        },
        { name: "done_share", sql: "1.0 * {done_total} / NULLIF({CUBE.total}, 0)", type: "number", format: "percent" },
        { name: "running", sql: "amount", type: "sum", rolling_window: { trailing: "unbounded" } },
        { name: "week_total", sql: "amount", type: "sum", rolling_window: { trailing: "7 day", offset: "start" } },
        { name: "latest", sql: "MAX({created_at})", type: "time" },
      ],
      segments: [
        { name: "large", sql: "{CUBE}.amount > 100" },
        { name: "northern", sql: "{customers.city} = 'north' OR {status} = 'n'" },
      ],
      hierarchies: [{ name: "where", title: "Where", levels: ["customers.city", "status"] }],
    },
    {
      name: "customers",
      sql_table: "shop.customers",
      sql_alias: "cust",
      joins: [{ name: "regions", relationship: "many_to_one", sql: "{CUBE}.region_id = {regions}.id" }],
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "city", sql: '{CUBE}."home town"', type: "string" },
        { name: "lifetime", sql: "{orders.total}", type: "number", sub_query: true },
      ],
      measures: [{ name: "count", type: "count" }],
    },
    {
      name: "regions",
      sql_table: "shop.regions",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "part", sql: "part", type: "number", primary_key: true },
        { name: "title", sql: "title", type: "string" },
      ],
      measures: [{ name: "area", sql: "area", type: "sum" }],
    },
    {
      name: "line_items",
      sql_table: "shop.line_items",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "sku", sql: "sku", type: "string" },
        { name: "order_status", sql: "{orders.status}", type: "string" },
      ],
      measures: [
        { name: "count", type: "count" },
        { name: "quantity", sql: "quantity", type: "sum" },
      ],
    },
    {
      name: "receipts",
      sql_table: "shop.receipts",
      dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
      measures: [{ name: "paid", sql: "paid", type: "sum" }],
    },
  ],
  views: [
    {
      name: "sales",
      description: "For everyone",
      meta: { for: "all" },
      cubes: [
        { join_path: "orders", includes: "*", excludes: ["shout", "place", "items", "items_of_status"] },
        {
          join_path: "orders.customers",
          prefix: true,
          includes: ["city", { name: "count", alias: "number", title: "How many" }],
        },
        { join_path: "orders.customers.regions", alias: "area", prefix: true, includes: ["title"] },
      ],
      folders: [
        { name: "Basics", includes: ["status", "total"] },
        { name: "People", includes: ["customers_city", { name: "Places", includes: ["area_title"] }] },
      ],
    },
    { name: "more_sales", extends: "sales", cubes: [{ join_path: "orders.line_items", includes: ["quantity"] }] },
  ],
};

const time = (granularity?: string, dateRange?: [string, string]): Partial<SemanticQuery> => ({
  timeDimensions: [
    { dimension: "orders.created_at", ...(granularity ? { granularity } : {}), ...(dateRange ? { dateRange } : {}) },
  ],
});
const JANUARY: [string, string] = ["2024-01-01T00:00:00.000", "2024-01-31T23:59:59.999"];

export const QUERIES: Partial<SemanticQuery>[] = [
  { measures: ["orders.total"] },
  { measures: ["orders.count", "orders.done_share"], dimensions: ["orders.shout", "orders.customer_city"] },
  { measures: ["orders.total", "line_items.quantity"], dimensions: ["customers.city"] },
  { measures: ["orders.total", "line_items.quantity", "receipts.paid"], dimensions: ["regions.title"] },
  { measures: ["regions.area"], dimensions: ["line_items.sku"] },
  { measures: ["orders.total"], dimensions: ["orders.items", "orders.size"] },
  { measures: ["orders.total"], dimensions: ["orders.items_of_status"], segments: ["orders.large", "orders.northern"] },
  { measures: ["orders.average", "orders.least", "orders.most", "orders.buyers"], ...time("month", JANUARY) },
  { measures: ["orders.total"], ...time("fiscal_year", JANUARY), timezone: "America/New_York" },
  { measures: ["orders.total"], ...time("fortnight"), timezone: "Europe/Berlin" },
  { measures: ["orders.running", "orders.total"], ...time("day", JANUARY) },
  { measures: ["orders.week_total"], dimensions: ["orders.status"], ...time("day", JANUARY) },
  { measures: ["orders.latest"], dimensions: ["orders.created_month"] },
  { dimensions: ["orders.place", "orders.is_done"] },
  { dimensions: ["customers.lifetime", "line_items.order_status"] },
  { dimensions: ["orders.id", "orders.created_at"], ungrouped: true, limit: 5, offset: 3 },
  { measures: ["sales.total", "sales.customers_number"], dimensions: ["sales.area_title", "sales.customers_city"] },
  { measures: ["more_sales.quantity", "more_sales.done_share"], dimensions: ["more_sales.size"] },
  {
    measures: ["orders.total"],
    dimensions: ["orders.status"],
    filters: [
      { member: "orders.total", operator: "gt", values: ["5"] },
      {
        or: [
          { member: "orders.status", operator: "contains", values: ["50%", "a_b"] },
          { and: [{ member: "customers.city", operator: "equals", values: ["O'Hara", null] }] },
          { member: "customers.city", operator: "notSet", values: [] },
        ],
      },
    ],
    order: [
      { id: "orders.total", desc: true },
      { id: "orders.status", desc: false },
    ],
  },
];
