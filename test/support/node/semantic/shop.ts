// A small shop as a semantic model: orders with customers on one side and line items on the other.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";

export const SHOP: SemanticModel = {
  cubes: [
    {
      name: "orders",
      sql_table: "shop.orders",
      joins: [
        { name: "customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {customers.id}" },
        { name: "line_items", relationship: "one_to_many", sql: "{CUBE}.id = {line_items}.order_id" },
      ],
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "status", sql: "{CUBE}.status", type: "string" },
        { name: "created_at", sql: "created_at", type: "time" },
      ],
      measures: [
        { name: "count", type: "count", drill_members: ["id", "status"] },
        { name: "total", sql: "amount", type: "sum" },
        { name: "done_total", sql: "amount", type: "sum", filters: [{ sql: "{CUBE}.status = 'done'" }] },
        { name: "done_share", sql: "1.0 * {done_total} / NULLIF({total}, 0)", type: "number" },
      ],
      segments: [{ name: "large", sql: "{CUBE}.amount > 100" }],
    },
    {
      name: "customers",
      sql: "SELECT * FROM shop.customers",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "country", sql: "country", type: "string" },
      ],
      measures: [{ name: "count", type: "count" }],
    },
    {
      name: "line_items",
      sql_table: "shop.line_items",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "sku", sql: "sku", type: "string" },
      ],
      measures: [{ name: "quantity", sql: "quantity", type: "sum" }],
    },
  ],
  views: [
    {
      name: "orders_view",
      cubes: [
        { join_path: "orders", includes: ["status", "total", "count", "created_at"] },
        { join_path: "orders.customers", prefix: true, includes: ["country"] },
      ],
    },
  ],
};

/** A query in UTC; give what matters. */
export const aSemanticQuery = (more: Partial<SemanticQuery>): SemanticQuery => ({
  measures: [],
  dimensions: [],
  timeDimensions: [],
  segments: [],
  filters: [],
  order: [],
  limit: 10_000,
  offset: 0,
  timezone: "UTC",
  ungrouped: false,
  ...more,
});

/** Who asks the compiler. */
export const CALLER = { sender: "ada", reader: "everything" };
