// A first model of tables is one that the reader takes, whatever tables and columns are called.

import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { draftModel, type DraftTable } from "../../../../../src/features/semantic/model/draft-model.ts";
import { readModel } from "../../../../../src/features/semantic/model/read-model.ts";

const table = (name: string, columns: Record<string, string>, more: Partial<DraftTable> = {}): DraftTable => ({
  schema: "shop",
  name,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
  primaryKey: "id" in columns ? ["id"] : [],
  ...more,
});
const cubesOf = (...tables: DraftTable[]) =>
  draftModel(tables, "postgres").map(({ content }) => parse(content).cubes[0] as Record<string, never>);

describe("draftModel", () => {
  it("makes sums of numbers, dimensions of the rest, and joins of foreign keys", () => {
    const [orders] = cubesOf(
      table(
        "orders",
        {
          id: "bigint",
          buyer: "int",
          at: "timestamp with time zone",
          paid: "boolean",
          net: "numeric(10,2)",
          note: "text",
          scan: "bytea",
        },
        { foreignKeys: [{ columns: ["buyer"], table: { schema: "shop", name: "users" }, references: ["id"] }] },
      ),
      table("users", { id: "integer" }),
    );
    expect(orders).toEqual({
      name: "orders",
      sql_table: "shop.orders",
      joins: [{ name: "users", relationship: "many_to_one", sql: "{CUBE}.buyer = {users}.id" }],
      dimensions: [
        { name: "id", sql: "{CUBE}.id", type: "number", primary_key: true, public: true },
        { name: "buyer", sql: "{CUBE}.buyer", type: "number" },
        { name: "at", sql: "{CUBE}.at", type: "time" },
        { name: "paid", sql: "{CUBE}.paid", type: "boolean" },
        { name: "note", sql: "{CUBE}.note", type: "string" },
      ],
      measures: [
        { name: "count", type: "count" },
        { name: "total_net", sql: "{CUBE}.net", type: "sum" },
      ],
    });
  });

  it("guesses a join by a column's name where nothing says what the foreign keys are, and by one table only", () => {
    const columns = { id: "int", user_id: "int", city_id: "text", category_id: "int" };
    const [orders] = cubesOf(
      table("orders", columns),
      table("users", { id: "int" }),
      table("cities", { id: "int" }),
      table("category", { id: "int" }),
      table("categories", { id: "int" }),
    );
    expect(orders!["joins"]).toEqual([
      { name: "users", relationship: "many_to_one", sql: "{CUBE}.user_id = {users}.id" },
    ]);
    expect(cubesOf(table("orders", columns, { foreignKeys: [] }), table("users", { id: "int" }))[0]).not.toHaveProperty(
      "joins",
    );
  });

  it("joins nothing to a table without a primary key, nor from one", () => {
    const [orders, lines] = cubesOf(
      table("orders", { id: "int", user_id: "int" }),
      table("lines", { order_id: "int" }),
      table("users", { name: "text" }),
    );
    expect([orders, lines]).toEqual([
      expect.not.objectContaining({ joins: [] }),
      expect.not.objectContaining({ joins: [] }),
    ]);
    expect(JSON.stringify([orders, lines])).not.toContain("many_to_one");
  });

  it.each(["duckdb", "postgres", "mysql"] as const)("can be read, whatever things are called (%s)", (dialect) => {
    const names = [
      "order",
      "Order",
      "ORDER",
      "class",
      "constructor",
      "__proto__",
      "a b",
      'a"b',
      "a`b",
      "a\\b",
      'a\\"b',
      "{a}",
      "$1$",
      "日本",
      "1st",
      "sql",
      "process",
      "x".repeat(300),
      "count",
      "total_net",
      "a.b",
      "",
      "'",
      "--",
      "a;b",
      "user_attributes",
    ];
    const columns = names.map((name, i) => ({ name, type: i % 2 ? "int" : "text" }));
    const files = draftModel(
      names.map((name) => ({ schema: name, name, columns, primaryKey: [names[0]!] })),
      dialect,
    );
    const { flaws, definitions } = readModel(files);
    expect(flaws).toBeUndefined();
    expect(definitions!.cubes.length).toBeGreaterThan(15);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  });

  it("is no more than a model can be", () => {
    const tables = Array.from({ length: 1_000 }, (_, i) => table(`t${i}`, { id: "int" }));
    const { flaws } = readModel(draftModel(tables, "mysql"));
    expect(flaws).toBeUndefined();
  });
});
