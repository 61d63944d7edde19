// Nested types, enums and floats in Arrow: the values that DuckDB itself reads from the same statement.

import "../../../support/node/seed.ts";
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampValue,
  DuckDBUUIDValue,
  type DuckDBConnection,
  type DuckDBValue,
} from "@duckdb/node-api";
import { DataType, tableFromIPC, type Data, type Table } from "apache-arrow";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arrowOf } from "../../../support/node/lake/batch-results.ts";
import { anyNestedTable } from "../../../support/node/formats/drawn-nested.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'; SET streaming_buffer_size = '64KB'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const arrow = async (sql: string): Promise<Table> => tableFromIPC(await arrowOf(connection, sql));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A value as DuckDB's module for Node has it. */
function valueOf(value: DuckDBValue): unknown {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(valueOf);
  if (value instanceof DuckDBStructValue) return Object.values(value.entries).map(valueOf);
  if (value instanceof DuckDBMapValue) return value.entries.map((entry) => [valueOf(entry.key), valueOf(entry.value)]);
  if (value instanceof DuckDBDecimalValue) return value.value;
  if (value instanceof DuckDBDateValue) return value.days;
  if (value instanceof DuckDBTimestampValue) return value.micros;
  if (value instanceof DuckDBBlobValue) return hex(value.bytes);
  return value instanceof DuckDBUUIDValue ? value.toString() : value;
}

const isThere = ({ nullBitmap, nullCount }: Data, row: number): boolean =>
  nullCount === 0 || ((nullBitmap![row >> 3]! >> (row & 7)) & 1) === 1;

/** Reads a cell from Arrow's buffers, because the library's own reading of them rounds instants. */
function cellOf(data: Data, row: number): unknown {
  const type = data.type as DataType;
  if (!isThere(data, row)) return null;
  const child = data.children[0]!;
  const cells = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => cellOf(child, from + i));
  if (DataType.isList(type) || DataType.isMap(type)) return cells(data.valueOffsets[row]!, data.valueOffsets[row + 1]!);
  if (DataType.isFixedSizeList(type)) return cells(row * type.listSize, (row + 1) * type.listSize);
  if (DataType.isStruct(type)) return data.children.map((each) => cellOf(each, row));
  if (DataType.isDictionary(type)) return cellOf(data.dictionary!.data[0]!, (data.values as Uint8Array)[row]!);
  if (DataType.isBool(type)) return ((data.values[row >> 3]! >> (row & 7)) & 1) === 1;
  if (DataType.isDecimal(type)) {
    const words = (data.values as Uint32Array).subarray(row * 4, row * 4 + 4);
    return BigInt.asIntN(
      128,
      words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
    );
  }
  if (!DataType.isUtf8(type) && !DataType.isBinary(type)) return data.values[row] as unknown;
  const bytes = data.values.subarray(data.valueOffsets[row]!, data.valueOffsets[row + 1]!);
  return DataType.isUtf8(type) ? Buffer.from(bytes).toString() : hex(bytes);
}

const rowsOf = (table: Table): unknown[][] =>
  table.batches.flatMap(({ data, numRows }) =>
    Array.from({ length: numRows }, (_, row) => data.children.map((column) => cellOf(column, row))),
  );

async function expectSame(sql: string): Promise<Table> {
  const [table, reader] = [await arrow(sql), await connection.runAndReadAll(sql)];
  const [ours, theirs] = [rowsOf(table), reader.getRows().map((row) => row.map(valueOf))];
  expect(ours.length).toBe(theirs.length);
  // The whole of two large results would take minutes to print.
  const different = ours.findIndex((row, i) => !isDeepStrictEqual(row, theirs[i]));
  expect(different < 0 ? [] : { row: different, cells: ours[different] }).toEqual(
    different < 0 ? [] : { row: different, cells: theirs[different] },
  );
  return table;
}

describe("nested values in Arrow", () => {
  it("are DuckDB's, whatever their type", async () => {
    await fc.assert(
      fc.asyncProperty(anyNestedTable, async (sql) => void (await expectSame(sql))),
      { numRuns: 25 },
    );
  });

  it("have their own types", async () => {
    const { schema } = await expectSame(
      "SELECT [1::TINYINT] AS list, {'a': 'x', 'b': [NULL::DATE]} AS struct, " +
        "MAP {'k': 1.5::DECIMAL(3,1)} AS map, [1, 2]::FLOAT[2] AS pair, 'b'::ENUM('a', 'b') AS word",
    );
    expect(schema.fields.map(({ name, type }) => `${name} ${String(type)}`)).toEqual([
      "list List<Int32>",
      "struct Struct<{a:Utf8, b:List<Date32<DAY>>}>",
      "map Map<{key:Utf8, value:Decimal[3e+1]}>",
      "pair FixedSizeList[2]<Float32>",
      "word Dictionary<Uint8, Utf8>",
    ]);
    const member = schema.fields[1]!.type.children[1] as { metadata: Map<string, string> };
    expect([...member.metadata]).toEqual([
      ["type", "DATE[]"],
      ["kind", "json"],
    ]);
  });

  it("tell the members of a tuple apart by their positions", async () => {
    const table = await arrow("SELECT row(1, 'x') AS v");
    expect(String(table.schema.fields[0]!.type)).toBe("Struct<{1:Int32, 2:Utf8}>");
    expect(rowsOf(table)).toEqual([[[1, "x"]]]);
  });

  it.each([
    ["union_value(k := 1)", '{"k":1}'],
    ["[union_value(k := 1.5::DOUBLE)]", '[{"k":1.5}]'],
    ["{'a': 1::VARIANT}", '{"a":1}'],
    ["['10:00:00+01:30'::TIMETZ]", '["10:00:00+01:30"]'],
    [`${"[".repeat(32)}1${"]".repeat(32)}`, `${"[".repeat(32)}1${"]".repeat(32)}`],
  ])("are one JSON text where no reader would have them: %s", async (sql, text) => {
    const table = await arrow(`SELECT ${sql} AS v`);
    expect(String(table.schema.fields[0]!.type)).toBe("Utf8");
    expect(rowsOf(table)).toEqual([[text]]);
  });

  it("are there to the deepest level that readers have", async () => {
    const table = await expectSame(`SELECT ${"[".repeat(31)}range${"]".repeat(31)} AS v FROM range(2100)`);
    expect(String(table.schema.fields[0]!.type)).toBe(`${"List<".repeat(31)}Int64${">".repeat(31)}`);
  });

  it("are NULL as a whole, and hold NULL", async () => {
    await expectSame(
      "SELECT * FROM (VALUES ([1, NULL]::INTEGER[2], {'a': [1]}, MAP {1: NULL::INTEGER}), (NULL, NULL, NULL), " +
        "([NULL, NULL], {'a': NULL}, MAP {}), ([NULL, 3], {'a': [NULL]}, MAP {3: 4})) AS t(pair, struct, map)",
    );
  });

  it("of a wide struct are there", async () => {
    const members = Array.from({ length: 1_500 }, (_, i) => `'m${i}': range + ${i}`);
    const table = await expectSame(`SELECT {${members.join(", ")}} AS v FROM range(700)`);
    expect(table.batches.map(({ numRows }) => numRows)).toEqual([666, 34]);
  });

  it("that Arrow's type can't hold are refused by their column's name", async () => {
    await expect(arrow("SELECT [{'d': DATE 'infinity'}] AS v")).rejects.toThrow(/^Column "v" has a value that Arrow's/);
  });
});

describe("enums in Arrow", () => {
  it.each([1, 255, 256, 65_535, 65_536])("of %i words are dictionaries, sent once", async (count) => {
    const words = Array.from({ length: count }, (_, i) => `'word ${i}'`);
    const sql =
      `SELECT 'word ${count - 1}'::E AS last, CASE WHEN range % 3 > 0 THEN ('word ' || range % ${count})::E END AS v, ` +
      `['word 0'::E] AS l FROM range(17000)`;
    await connection.run(`CREATE OR REPLACE TYPE E AS ENUM (${words.join(", ")})`);
    const table = await expectSame(sql);
    const width = count < 256 ? 8 : count < 65_536 ? 16 : 32;
    expect(String(table.schema.fields[1]!.type)).toBe(`Dictionary<Uint${width}, Utf8>`);
    expect(table.batches.length).toBeGreaterThan(1);
    const dictionaries = table.batches.map(({ data }) => data.children[1]!.dictionary);
    expect(new Set(dictionaries).size).toBe(1);
  });

  it("are dictionaries where there are no rows", async () => {
    const { schema, numRows } = await arrow("SELECT 'a'::ENUM('a') AS v WHERE false");
    expect([String(schema.fields[0]!.type), numRows]).toEqual(["Dictionary<Uint8, Utf8>", 0]);
  });
});

describe("floats in Arrow", () => {
  it("are what they are", async () => {
    const cells = ["0.1", "'nan'", "'inf'", "'-inf'", "'-0.0'", "3.4028235e38", "1e-45", "NULL"];
    const table = await expectSame(`SELECT unnest([${cells.join(", ")}]::FLOAT[]) AS v`);
    expect(String(table.schema.fields[0]!.type)).toBe("Float32");
  });
});

describe("memory", () => {
  /** DuckDB computes both branches, and leaves elements that no list names. */
  it("says nothing of what lay under a NULL", async () => {
    const sql =
      "SELECT CASE WHEN range % 3 = 0 THEN {'s': 'public', 'n': range} END AS v, " +
      "CASE WHEN range % 3 = 0 THEN ['public'] ELSE NULL END AS l FROM range(3000)";
    const table = await expectSame(sql);
    for (const { data, numRows } of table.batches) {
      const [v, l] = data.children;
      const [s, n] = v!.children;
      const there = Array.from({ length: numRows }, (_, row) => row).filter((row) => isThere(v!, row)).length;
      for (const texts of [s!, l!.children[0]!])
        expect(Buffer.from(texts.values as Uint8Array).toString()).toBe("public".repeat(there));
      expect(s!.nullCount).toBe(numRows - there);
      expect([...(n!.values as BigInt64Array)].filter((each) => each !== 0n).length).toBeLessThanOrEqual(there);
      expect(l!.children[0]!.length).toBe(there);
    }
  });

  it("is bounded by the batch, however many elements there are", async () => {
    const table = await expectSame(
      "SELECT range AS i, CASE WHEN range % 20 = 7 THEN range(400_000) ELSE range(300) END AS l FROM range(100)",
    );
    const sizes = table.batches.map(({ data }) => data.children[1]!.children[0]!.values.byteLength as number);
    expect(Math.max(...sizes)).toBeLessThan(9 * 1024 * 1024);
    expect(table.batches.length).toBeGreaterThan(1);
    expect(table.batches.length).toBeLessThan(10);
  });
});
