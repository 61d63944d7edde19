// The rows of the published answers are made of keys: they are enough where an answer lists rows of a table.

import type { ProofRow } from "../proof-servers.ts";
import { findNamed } from "../proof-model.ts";
import type { ProofTable } from "../proof-tables.ts";
import { customerName, PUBLISHED_TABLES } from "./data.ts";

export type PublishedQuery = {
  measures?: string[];
  dimensions?: string[];
  timeDimensions?: { dimension: string; granularity?: string; dateRange?: [string, string] }[];
  filters?: { member: string; operator: string; values: string[] }[];
  order?: [string, "asc" | "desc"][];
  limit?: number;
  offset?: number;
};
/** `ordered`: the query says how. `total`: of the rows without limit and offset, where it is asked for. */
export type PublishedCase = { name: string; query: PublishedQuery; rows: ProofRow[]; ordered: boolean; total?: number };

const rowsOf = (name: string): ProofTable["rows"] => findNamed(PUBLISHED_TABLES, name).rows;

export const CUSTOMER = ["Customers.customerId", "Customers.customerName"];
/** By their numbers. */
export const customers = (numbers: readonly number[]): ProofRow[] =>
  numbers.map((number) => {
    const { customer_id, customer_name } = rowsOf("customers")[number - 1]!;
    return { "Customers.customerId": customer_id!, "Customers.customerName": customer_name! };
  });
export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

export const PRODUCT = ["Products.category", "Products.subCategory", "Products.productName"];
/** By their places in the data. */
export const products = (places: readonly number[]): ProofRow[] =>
  places.map((place) => {
    const { category, sub_category, product_name } = rowsOf("products")[place]!;
    return {
      "Products.category": category!,
      "Products.subCategory": sub_category!,
      "Products.productName": product_name!,
    };
  });

const ORDER_COLUMNS: Record<string, string> = {
  rowId: "row_id",
  orderId: "order_id",
  customerId: "customer_id",
  city: "city",
  category: "category",
  subCategory: "sub_category",
  productName: "product_name",
  sales: "sales",
  quantity: "quantity",
  discount: "discount",
  profit: "profit",
};
export const ORDER = [...Object.keys(ORDER_COLUMNS), "orderDate", "customerName"].map((name) => `ECommerce.${name}`);
/** By their numbers. */
export const orders = (ids: readonly number[]): ProofRow[] =>
  ids.map((id) => {
    const row = rowsOf("ecommerce").find(({ row_id }) => row_id === id)!;
    const cells = Object.entries(ORDER_COLUMNS).map(([name, column]) => {
      const isDecimal = ["sales", "discount", "profit"].includes(column);
      return [`ECommerce.${name}`, isDecimal ? Number(row[column]) : row[column]!];
    });
    return {
      ...Object.fromEntries(cells),
      "ECommerce.orderDate": instant(String(row["order_date"]).slice(0, 10)),
      "ECommerce.customerName": customerName(String(row["customer_id"])),
    };
  });

export const instant = (text: string): string => (text.length === 10 ? `${text}T00:00:00.000` : `${text}:00:00.000`);

/** A row for each granule of a time dimension, under both its names. */
export function granules(
  time: string,
  granularity: string,
  rows: readonly (readonly [string, ProofRow])[],
): ProofRow[] {
  return rows.map(([at, cells]) => ({ [time]: instant(at), [`${time}.${granularity}`]: instant(at), ...cells }));
}

/** One measure by the months of 2020, January first. */
export const byMonth = (measure: string, values: readonly (number | null)[], time = "BigECommerce.orderDate") =>
  granules(
    time,
    "month",
    values.map((value, at) => [`2020-${String(at + 1).padStart(2, "0")}-01`, { [measure]: value }]),
  );

/** A case whose query says an order. */
export const ordered = (name: string, query: PublishedQuery, rows: ProofRow[], total?: number): PublishedCase => ({
  name,
  query,
  rows,
  ordered: true,
  ...(total !== undefined && { total }),
});
export const unordered = (name: string, query: PublishedQuery, rows: ProofRow[]): PublishedCase => ({
  name,
  query,
  rows,
  ordered: false,
});
