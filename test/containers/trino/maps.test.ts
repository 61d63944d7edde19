// Maps, rows and elements of arrays in Trino's dialect, on DuckDB: the values are Trino 476's.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "../../../src/features/trino-sql/refusal.ts";
import { nameOf, signatureOf } from "../../../src/features/trino-sql/trino-types.ts";
import { rowsOn, translated } from "../../support/node/trino/on-duckdb.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => connection.closeSync());

const rowsOf = (sql: string): Promise<unknown[][]> => rowsOn(connection, translated(sql));

const M = "MAP(ARRAY['a', 'b'], ARRAY[1, NULL])";
const VALUES: [string, string, unknown][] = [
  [M, "map(varchar(1), integer)", { a: 1, b: null }],
  ["MAP()", "map(unknown, unknown)", {}],
  ["CAST(NULL AS MAP(VARCHAR, BIGINT))", "map(varchar, bigint)", null],
  ["MAP(ARRAY[DATE '2024-01-05'], ARRAY[1e0])", "map(date, double)", { "2024-01-05": 1 }],
  ["MAP(ARRAY[1.5], ARRAY[ARRAY['x']])", "map(decimal(2, 1), array(varchar(1)))", { "1.5": ["x"] }],
  [`cardinality(${M})`, "bigint", 2],
  [`map_keys(${M})`, "array(varchar(1))", ["a", "b"]],
  [`map_values(${M})`, "array(integer)", [1, null]],
  [`element_at(${M}, 'a')`, "integer", 1],
  [`element_at(${M}, 'zz')`, "integer", null],
  [`${M}['a'] + 1`, "integer", 2],
  [`${M}[NULL]`, "integer", null],
  [
    `map_entries(${M})`,
    "array(row(varchar(1), integer))",
    [
      ["a", 1],
      ["b", null],
    ],
  ],
  ["map_from_entries(ARRAY[ROW('a', 1)])", "map(varchar(1), integer)", { a: 1 }],
  [
    "map_concat(MAP(ARRAY[1, 2], ARRAY['x', 'y']), MAP(ARRAY[2], ARRAY['z']))",
    "map(integer, varchar(1))",
    { 1: "x", 2: "z" },
  ],
  ["map_agg(k, v) FROM (VALUES ('a', 1), (NULL, 2)) t(k, v)", "map(varchar(1), integer)", { a: 1 }],
  ["map_agg(k, 1) FROM (VALUES CAST(NULL AS varchar)) t(k)", "map(varchar, integer)", null],
  ["ROW(1, 'a')", "row(integer, varchar(1))", [1, "a"]],
  ["CAST(ROW(1, 2e0) AS ROW(x bigint, y double))", "row(x bigint, y double)", [1, 2]],
  ["ARRAY[10, 20][2]", "integer", 20],
  ["element_at(ARRAY[10, 20], -1)", "integer", 20],
  ["element_at(ARRAY[10, 20], 3)", "integer", null],
  // The digits that a sign stands before are the least number; those in parentheses are one more than the greatest.
  ["typeof(-2147483648)", "varchar", "integer"],
  ["typeof(-(2147483648))", "varchar", "bigint"],
];

describe("a value", () => {
  it.each(VALUES)("%s is %s", async (sql, type, value) => {
    expect(translated(`SELECT ${sql}`).columns.map((column) => nameOf(column.type))).toEqual([type]);
    expect(await rowsOf(`SELECT ${sql}`)).toEqual([[value]]);
  });

  it.each([
    [`${M}['zz']`, "Key not present in map: zz"],
    ["ARRAY[1][2]", "no element of this number"],
    ["ARRAY[1][0]", "no element of this number"],
    ["element_at(ARRAY[1], 0)", "counted from 1"],
    ["MAP(ARRAY['a', 'a'], ARRAY[1, 2])", "unique"],
    ["map_from_entries(ARRAY[NULL, ROW('a', 1)])", "entry cannot be null"],
    ["map_agg(k, 1) FROM (VALUES 'a', 'a') t(k)", "unique"],
  ])("%s fails: %s", async (sql, message) => await expect(rowsOf(`SELECT ${sql}`)).rejects.toThrow(message));

  it("is described to clients by its type's parts", () => {
    const [column] = translated("SELECT MAP(ARRAY['a'], ARRAY[ROW(1)]) AS m").columns;
    expect(signatureOf(column!.type)).toEqual({
      rawType: "map",
      arguments: [
        { kind: "TYPE", value: { rawType: "varchar", arguments: [{ kind: "LONG", value: 1 }] } },
        {
          kind: "TYPE",
          value: {
            rawType: "row",
            arguments: [{ kind: "NAMED_TYPE", value: { typeSignature: { rawType: "integer", arguments: [] } } }],
          },
        },
      ],
    });
  });

  it("of a map is unnested to its keys and values", async () =>
    expect(await rowsOf(`SELECT * FROM UNNEST(${M}) WITH ORDINALITY AS t(k, v, n) ORDER BY n`)).toEqual([
      ["a", 1, 1],
      ["b", null, 2],
    ]));
});

const T = `FROM (VALUES ${M}) t(m)`;
const REFUSALS: [string, number][] = [
  [`SELECT DISTINCT m ${T}`, 16],
  [`SELECT m ${T} GROUP BY m`, `SELECT m ${T} GROUP BY `.length],
  [`SELECT count(DISTINCT m) ${T}`, 7],
  [`SELECT m ${T} UNION SELECT m ${T}`, `SELECT m ${T} `.length],
  [`SELECT row_number() OVER (PARTITION BY m) ${T}`, 39],
  ["SELECT MAP(ARRAY[1e0], ARRAY[1])", 7],
  ["SELECT MAP(ARRAY[X'00'], ARRAY[1])", 7],
  ["SELECT 'a\0b'", 7],
  ["SELECT from_utf8(X'00')", 17],
];

describe("a statement that tells maps apart, or has keys without a text of their own,", () => {
  it.each(REFUSALS)("is refused: %s at %i", (sql, at) => {
    const refusal = (() => {
      try {
        return translated(sql);
      } catch (caught) {
        return caught;
      }
    })();
    expect(refusal).toBeInstanceOf(Refusal);
    expect([(refusal as Refusal).error, (refusal as Refusal).at]).toEqual(["NOT_SUPPORTED", at]);
  });

  it("is refused where maps are compared or ordered", () => {
    expect(() => translated(`SELECT m = m ${T}`)).toThrow("are not compared here");
    expect(() => translated(`SELECT m IS DISTINCT FROM m ${T}`)).toThrow("apart");
    expect(() => translated(`SELECT 1 ${T} ORDER BY m`)).toThrow("An order of map");
    expect(() => translated(`SELECT m IN (SELECT m ${T}) ${T}`)).toThrow("IN of a query of map");
    for (const operation of ["EXCEPT ALL", "INTERSECT ALL"])
      expect(() => translated(`SELECT m ${T} ${operation} SELECT m ${T}`)).toThrow("apart");
    expect(translated(`SELECT m ${T} UNION ALL SELECT m ${T}`).columns).toHaveLength(1);
  });

  it("is refused where NULL within a row or an array would equal itself", () => {
    for (const value of ["ROW(1, NULL)", "ARRAY[NULL, 1]"])
      expect(() => translated(`SELECT ${value} IN (SELECT ${value})`)).toThrow("IN of a query of");
    expect(() => translated("SELECT TRY_CAST(ROW(1000) AS ROW(a TINYINT))")).toThrow("A cast of row");
  });
});
