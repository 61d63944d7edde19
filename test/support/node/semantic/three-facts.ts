// A shop with three facts: orders, their line items and their payments. Some orders have none of either, some have
// several of both; keys of line items are two columns, and groups have no name at times.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { Cell, ProofTable } from "./proof-tables.ts";

type Row = Record<string, Cell>;

const CUSTOMERS: Row[] = [
  { id: 1, city: "Oslo" },
  { id: 2, city: "Bergen" },
  { id: 3, city: null },
  { id: 4, city: "Oslo" },
];

const ORDERS: Row[] = [
  { id: 1, customer_id: 1, status: "paid", total: "100.10000", placed: "2024-01-31 23:30:00" },
  { id: 2, customer_id: 1, status: "open", total: "50.00000", placed: "2024-02-01 10:00:00" },
  { id: 3, customer_id: 2, status: "paid", total: "0.30000", placed: "2024-02-29 10:00:00" },
  { id: 4, customer_id: 3, status: null, total: "7.00000", placed: "2024-03-01 00:00:00" },
  { id: 5, customer_id: null, status: "open", total: null, placed: "2024-03-31 00:30:00" },
  { id: 6, customer_id: 4, status: "paid", total: "100.10000", placed: null },
  { id: 11, customer_id: 2, status: "void", total: "-20.00000", placed: "2024-03-31 22:30:00" },
];

/** `(1, 11)` and `(11, 1)` are two keys, though their digits in a row are the same. */
const LINE_ITEMS: Row[] = [
  { order_id: 1, line: 1, sku: "pen", price: 10, quantity: 2 },
  { order_id: 1, line: 11, sku: "ink", price: 10, quantity: 1 },
  { order_id: 1, line: 2, sku: "pen", price: null, quantity: 5 },
  { order_id: 2, line: 1, sku: "pad", price: 3, quantity: 4 },
  { order_id: 3, line: 1, sku: "pen_50%", price: 8, quantity: 1 },
  { order_id: 3, line: 2, sku: "penX50", price: 8, quantity: 1 },
  { order_id: 5, line: 1, sku: "ink", price: 4, quantity: 9 },
  { order_id: 11, line: 1, sku: "pen", price: 1, quantity: 1 },
];

const PAYMENTS: Row[] = [
  { id: 1, order_id: 1, method: "card", amount: "60.10000" },
  { id: 2, order_id: 1, method: "card", amount: "40.00000" },
  { id: 3, order_id: 2, method: "cash", amount: "50.00000" },
  { id: 4, order_id: 4, method: "cash", amount: "7.00000" },
  { id: 5, order_id: 11, method: null, amount: "-20.00000" },
];

export const FACT_TABLES: readonly ProofTable[] = [
  { name: "customers", columns: { id: "integer", city: "text" }, rows: CUSTOMERS },
  {
    name: "orders",
    columns: { id: "integer", customer_id: "integer", status: "text", total: "decimal", placed: "time" },
    rows: ORDERS,
  },
  {
    name: "line_items",
    columns: { order_id: "integer", line: "integer", sku: "text", price: "integer", quantity: "integer" },
    rows: LINE_ITEMS,
  },
  {
    name: "payments",
    columns: { id: "integer", order_id: "integer", method: "text", amount: "decimal" },
    rows: PAYMENTS,
  },
];

const key = (...columns: string[]) =>
  columns.map((name) => ({ name, sql: `{CUBE}.${name}`, type: "number", primary_key: true }));
const text = (...columns: string[]) => columns.map((name) => ({ name, sql: `{CUBE}.${name}`, type: "string" }));

export const factModel = (schema: string): SemanticModel => ({
  cubes: [
    {
      name: "customers",
      sql_table: `${schema}.customers`,
      dimensions: [...key("id"), ...text("city")],
      measures: [{ name: "count", type: "count" }],
    },
    {
      name: "orders",
      sql_table: `${schema}.orders`,
      joins: [
        { name: "customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {customers}.id" },
        { name: "line_items", relationship: "one_to_many", sql: "{CUBE}.id = {line_items}.order_id" },
        { name: "payments", relationship: "one_to_many", sql: "{CUBE}.id = {payments}.order_id" },
      ],
      dimensions: [
        ...key("id"),
        ...text("status"),
        { name: "placed", sql: "{CUBE}.placed", type: "time" },
        { name: "items", sql: "{line_items.count}", type: "number", sub_query: true },
      ],
      measures: [
        { name: "count", type: "count" },
        { name: "total", type: "sum", sql: "{CUBE}.total" },
        { name: "mean", type: "avg", sql: "{CUBE}.total" },
        { name: "paid", type: "sum", sql: "{CUBE}.total", filters: [{ sql: "{CUBE}.status = 'paid'" }] },
        { name: "statuses", type: "count_distinct", sql: "{CUBE}.status" },
        { name: "items_each", type: "number", sql: "1e0 * {line_items.count} / NULLIF({count}, 0)" },
      ],
      segments: [{ name: "settled", sql: "{CUBE}.status IN ('paid', 'void')" }],
    },
    {
      name: "line_items",
      sql_table: `${schema}.line_items`,
      joins: [{ name: "orders", relationship: "many_to_one", sql: "{CUBE}.order_id = {orders}.id" }],
      dimensions: [...key("order_id", "line"), ...text("sku")],
      measures: [
        { name: "count", type: "count" },
        { name: "value", type: "sum", sql: "{CUBE}.price * {CUBE}.quantity" },
        { name: "dearest", type: "max", sql: "{CUBE}.price" },
      ],
      segments: [{ name: "pens", sql: "{CUBE}.sku LIKE 'pen%'" }],
    },
    {
      name: "payments",
      sql_table: `${schema}.payments`,
      joins: [{ name: "orders", relationship: "many_to_one", sql: "{CUBE}.order_id = {orders}.id" }],
      dimensions: [...key("id"), ...text("method")],
      measures: [
        { name: "count", type: "count" },
        { name: "amount", type: "sum", sql: "{CUBE}.amount" },
      ],
    },
  ],
  views: [
    {
      name: "sales",
      cubes: [
        { join_path: "orders", includes: ["count", "total", "mean", "status", "placed"] },
        { join_path: "orders.line_items", includes: ["count", "value", "sku"], prefix: true },
        { join_path: "orders.payments", includes: ["amount", "method"], prefix: true },
        { join_path: "orders.customers", includes: ["city"] },
      ],
    },
  ],
});
