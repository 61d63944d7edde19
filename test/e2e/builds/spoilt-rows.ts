// For each test of the jaffle shop, a row of its input that makes the test fail, and how the row is put right.

import { expect } from "vitest";
import type { RawRow, RawTables } from "../../support/node/jaffle/jaffle-shop.ts";
import { rowsOf } from "../client.ts";

type SpoiltRow = {
  /** The dataset whose test fails, and what is shown of the rows that fail it. */
  dataset: string;
  sample: object;
  spoil: () => Promise<unknown>;
  mend: () => Promise<unknown>;
};

const totalOf = (cents: number): string => (cents / 100).toFixed(2);

const literal = (value: string | number): string =>
  typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;

/** Inserts rows of the shop's input into the lake; makes the table where it is new. */
export async function insertRows(name: string, rows: readonly RawRow[], isNew = false): Promise<void> {
  if (rows.length === 0) return;
  const table = `LAKE.jaffle_raw.${name}`;
  const columns = Object.entries(rows[0]!).map(
    ([column, value]) => [column, typeof value === "number" ? "BIGINT" : "VARCHAR"] as const,
  );
  if (isNew) await rowsOf(`CREATE TABLE ${table} (${columns.map((column) => column.join(" ")).join(", ")})`);
  const values = rows.map((row) => `(${columns.map(([column]) => literal(row[column]!)).join(", ")})`);
  await rowsOf(`INSERT INTO ${table} VALUES ${values.join(", ")}`);
}

/** Sets a column of the row that has this value in another. */
const set = (table: string, [column, value]: [string, string | number | null], [key, id]: [string, RawRow[string]]) =>
  rowsOf(
    `UPDATE LAKE.jaffle_raw.${table} SET ${column} = ${value === null ? "NULL" : literal(value)} ` +
      `WHERE ${key} = ${literal(id)}`,
  );

/** By the names of the tests, as a run tells them. */
export const SPOILT = {
  "not_null customer_name": ([{ customers }]) => {
    const { id, name } = customers[0]!;
    return {
      dataset: "stg_customers",
      sample: { columns: ["customer_id", "customer_name"], rows: [[String(id), null]] },
      spoil: () => set("customers", ["name", null], ["id", id!]),
      mend: () => set("customers", ["name", name!], ["id", id!]),
    };
  },
  "unique order_id": ([{ orders }]) => {
    const [first, second] = orders;
    return {
      dataset: "stg_orders",
      sample: { columns: ["order_id", "rows"], rows: [[String(first!.id), "2"]] },
      spoil: () => set("orders", ["id", first!.id!], ["id", second!.id!]),
      mend: () => set("orders", ["id", second!.id!], ["ordered_at", second!.ordered_at!]),
    };
  },
  "row_count from 6": ([{ stores }]) => ({
    dataset: "stg_locations",
    sample: { columns: ["rows"], rows: [["5"]] },
    spoil: () => rowsOf(`DELETE FROM LAKE.jaffle_raw.stores WHERE id = ${literal(stores[0]!.id!)}`),
    mend: () => insertRows("stores", stores.slice(0, 1)),
  }),
  "accepted_values of product_type": ([{ products }]) => {
    const { sku, type } = products[0]!;
    return {
      dataset: "stg_products",
      sample: { columns: ["product_type", "rows"], rows: [["cake", "1"]] },
      spoil: () => set("products", ["type", "cake"], ["sku", sku!]),
      mend: () => set("products", ["type", type!], ["sku", sku!]),
    };
  },
  // A dataset before the one whose test fails has read the row.
  "relationships of product_id to jaffle.stg_products.product_id": ([{ items }]) => {
    const { id, sku } = items[0]!;
    return {
      dataset: "order_items",
      sample: { columns: ["product_id", "rows"], rows: [["CAKE-1", "1"]] },
      spoil: () => set("items", ["sku", "CAKE-1"], ["id", id!]),
      mend: () => set("items", ["sku", sku!], ["id", id!]),
    };
  },
  // What is merged by its time is read once: a row that is wrong comes with the next day's.
  sql: ([, { orders, items }]) => {
    const [first, ...others] = orders;
    const { id, order_total: total } = first!;
    return {
      dataset: "orders",
      sample: { rows: [expect.arrayContaining([String(id), totalOf(Number(total) + 1)])] },
      spoil: async () => {
        await insertRows("items", items);
        await insertRows("orders", [{ ...first!, order_total: Number(total) + 1 }, ...others]);
      },
      mend: () => set("orders", ["order_total", total!], ["id", id!]),
    };
  },
} satisfies Record<string, (loads: [RawTables, RawTables, ...RawTables[]]) => SpoiltRow>;
export type Spoilt = keyof typeof SPOILT;
