import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import { foldName, sameName } from "../../../containers/engine/duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../../containers/engine/duckdb/quoting.ts";

let duckdb: DuckDBConnection;

beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
});

/** Whether DuckDB lets two tables, and two columns of one, stand side by side. */
async function areTwoToDuckdb(one: string, other: string): Promise<boolean> {
  const [first, second] = [quoteIdentifier(one), quoteIdentifier(other)];
  const runs = (sql: string) =>
    duckdb.run(sql).then(
      () => true,
      () => false,
    );
  for (const sql of ["USE main", "DROP SCHEMA IF EXISTS names CASCADE", "CREATE SCHEMA names", "USE names"])
    await duckdb.run(sql);
  await duckdb.run(`CREATE TABLE ${first} (n INTEGER)`);
  const tables = await runs(`CREATE TABLE ${second} (n INTEGER)`);
  const columns = await runs(`CREATE TABLE columns_of_both (${first} INTEGER, ${second} INTEGER)`);
  expect(columns).toBe(tables);
  return tables;
}

describe("names are one exactly where they are one to DuckDB", () => {
  it.each([
    ["orders", "ORDERS"],
    ["Straße", "STRAßE"],
    ["É", "é"],
    ["Ö", "ö"],
    ["Aé", "aé"],
    ["Aé", "aÉ"],
    // Letters that JavaScript's small letters take for ASCII: the sign for kelvin, and a dotted capital I.
    ["\u212a", "k"],
    ["\u0130", "i"],
    ["Σ", "ς"],
  ])("%s and %s", async (one, other) => {
    expect(sameName(one, other)).toBe(!(await areTwoToDuckdb(one, other)));
  });

  it("folds nothing but ASCII letters", () => {
    expect(foldName("ÀÉÎ Straße ABC_xyz 12")).toBe("ÀÉÎ straße abc_xyz 12");
  });
});

describe("what is quoted reads back as it was", () => {
  const texts = ["plain", 'a "quoted" one', "it's", "'';--", "two\nlines", "É", "\\"];

  it.each(texts)("as a name: %s", async (name) => {
    const reader = await duckdb.runAndReadAll(`SELECT 1 AS ${quoteIdentifier(name)}`);
    expect(reader.columnNames()).toEqual([name]);
  });

  it.each(texts)("as a text: %s", async (text) => {
    const reader = await duckdb.runAndReadAll(`SELECT ${quoteLiteral(text)}`);
    expect(reader.getRows()).toEqual([[text]]);
  });
});
