// Arrow from DuckDB's vectors: the same schema and the same cells as from their canonical texts, whatever the type.

import "../../../support/node/seed.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { DataType, tableFromIPC, type Table } from "apache-arrow";
import fc from "fast-check";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { createRowPacker } from "../../../../containers/engine/formats/row-packer.ts";
import { createWriter } from "../../../../containers/engine/formats/writers.ts";
import { streamBatches } from "../../../../containers/engine/lake/process/results/arrow/stream-batches.ts";
import { streamTexts } from "../../../../containers/engine/lake/process/results/texts.ts";
import { ARROW_RESULT, arrowOf, describeSql, gather } from "../../../support/node/lake/batch-results.ts";
import { tableSql, TYPES } from "../../../support/node/formats/drawn-columns.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
});
beforeEach(async () => {
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'; SET streaming_buffer_size = '64KB'; BEGIN TRANSACTION READ ONLY");
});
afterEach(() => connection.closeSync());
afterAll(() => instance.closeSync());

const fromVectors = (sql: string): Promise<Uint8Array> => arrowOf(connection, sql);

/** The yardstick: what the sources' path makes of the rows' canonical texts. */
async function fromTexts(sql: string): Promise<Uint8Array> {
  const statement = await describeSql(connection, sql);
  const { columns } = statement.shape;
  const writer = createWriter({ columns, result: ARROW_RESULT, requestId: "r" });
  const pack = createRowPacker(columns.length);
  await gather((take) =>
    streamTexts(statement, take, { row: (cells) => void writer.write(pack(cells)), flush: () => Promise.resolve() }),
  );
  return writer.end({ durationMs: 0 });
}

/** Every cell: its very bytes where their number is the same for all, for the library knows no year beyond 287,396. */
const cellsOf = (table: Table): unknown[] =>
  table.schema.fields.map((field, i) => {
    const column = table.getChildAt(i)!;
    const isNull = Array.from({ length: table.numRows }, (_, row) => !column.isValid(row));
    if (DataType.isUtf8(field.type) || DataType.isBinary(field.type) || DataType.isBool(field.type))
      return { isNull, cells: Array.from(column, (cell: unknown) => (cell instanceof Uint8Array ? hex(cell) : cell)) };
    const parts = column.data.map(({ values, stride, length }) => hex(values.subarray(0, stride * length)));
    return { isNull, cells: parts.join("") };
  });

const hex = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("hex");

const schemaText = ({ schema }: Table): string[] =>
  schema.fields.map(
    (field) => `${field.name} ${String(field.type)} ${field.nullable} ${JSON.stringify([...field.metadata])}`,
  );

async function expectSame(sql: string): Promise<Table> {
  const [ours, theirs] = [tableFromIPC(await fromVectors(sql)), tableFromIPC(await fromTexts(sql))];
  expect(schemaText(ours)).toEqual(schemaText(theirs));
  expect(ours.numRows).toBe(theirs.numRows);
  expect(cellsOf(ours)).toEqual(cellsOf(theirs));
  return ours;
}

/** Checks that whoever closes the statement's session finds the connection usable. */
async function expectUsable(): Promise<void> {
  const reader = await connection.runAndReadAll("ROLLBACK; BEGIN TRANSACTION READ ONLY; SELECT 42 AS n");
  expect(reader.getRows()).toEqual([[42]]);
}

describe("Arrow of vectors", () => {
  it.each(TYPES.map(([type], i) => [type, i] as const))("has the cells of %s", async (_, i) => {
    await expectSame(tableSql([i], { rows: 5_000, nulls: 3, seed: 1 }));
    await expectSame(tableSql([i], { rows: 100, nulls: 0, seed: 2 }));
    await expectSame(tableSql([i], { rows: 100, nulls: 10, seed: 3 }));
  });

  it("has the cells of any table", async () => {
    const table = fc.record({
      picked: fc.array(fc.nat(TYPES.length - 1), { minLength: 1, maxLength: 12 }),
      rows: fc.oneof(fc.nat(40), fc.nat(18_000)),
      nulls: fc.nat(9),
      seed: fc.nat(1_000_000),
      kept: fc.integer({ min: 1, max: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(table, async ({ picked, kept, ...drawn }) => {
        // Rows left out make chunks of uneven lengths, so that bits of one batch come from between two bytes.
        await expectSame(`SELECT * FROM (${tableSql(picked, drawn)}) WHERE hash(v0::VARCHAR) % 7 < ${kept}`);
      }),
      { numRuns: 16 },
    );
  });
});

/** What Arrow's types don't hold, each beside what they just hold. */
const UNFIT: Array<[fits: string, unfit: string]> = [
  [`${"9".repeat(38)}::HUGEINT`, `1${"0".repeat(38)}::HUGEINT`],
  [`-${"9".repeat(38)}::HUGEINT`, `-1${"0".repeat(38)}::HUGEINT`],
  ["0::HUGEINT", "170141183460469231731687303715884105727::HUGEINT"],
  ["0::HUGEINT", "(-170141183460469231731687303715884105728)::HUGEINT"],
  [`${"9".repeat(38)}::UHUGEINT`, `1${"0".repeat(38)}::UHUGEINT`],
  ["0::UHUGEINT", "340282366920938463463374607431768211455::UHUGEINT"],
  ["DATE '0001-01-01'", "DATE '0001-12-31 (BC)'"],
  ["DATE '999999-12-31'", "DATE '1000000-01-01'"],
  ["DATE '0001-01-01'", "'infinity'::DATE"],
  ["DATE '0001-01-01'", "'-infinity'::DATE"],
  ["TIME '23:59:59.999999'", "TIME '24:00:00'"],
  ["TIME_NS '10:00:00.000001'", "TIME_NS '10:00:00.000000001'"],
  ["TIMESTAMP '0001-01-01 00:00:00'", "TIMESTAMP '0001-12-31 (BC) 23:59:59.999999'"],
  ["TIMESTAMP '294247-01-09 23:59:59.999999'", "TIMESTAMP '294247-01-10 00:00:00'"],
  ["TIMESTAMP '2026-01-01 00:00:00'", "'infinity'::TIMESTAMP"],
  ["TIMESTAMP '2026-01-01 00:00:00'", "'-infinity'::TIMESTAMP"],
  ["TIMESTAMP_S '0001-01-01 00:00:00'", "TIMESTAMP_S '0001-12-31 (BC) 23:59:59'"],
  ["TIMESTAMP_S '2026-01-01 00:00:00'", "'infinity'::TIMESTAMP_S"],
  ["TIMESTAMP_MS '0001-01-01 00:00:00'", "TIMESTAMP_MS '0001-12-31 (BC) 23:59:59.999'"],
  ["TIMESTAMP_MS '2026-01-01 00:00:00'", "'-infinity'::TIMESTAMP_MS"],
  ["TIMESTAMP_NS '2026-01-01 00:00:00.000001'", "TIMESTAMP_NS '2026-01-01 00:00:00.000000001'"],
  ["TIMESTAMP_NS '2026-01-01 00:00:00.000001'", "TIMESTAMP_NS '1969-12-31 23:59:59.999999999'"],
  ["TIMESTAMP_NS '2026-01-01 00:00:00'", "'infinity'::TIMESTAMP_NS"],
  ["TIMESTAMPTZ '0001-01-01 00:00:00Z'", "TIMESTAMPTZ '0001-12-31 (BC) 00:00:00Z'"],
  ["TIMESTAMPTZ '2026-01-01 00:00:00Z'", "'infinity'::TIMESTAMPTZ"],
];

describe("what Arrow can't hold", () => {
  it.each(UNFIT)("%s fits, %s is refused in the same words as of a text", async (fits, unfit) => {
    const between = (cell: string): string =>
      `SELECT CASE WHEN range = 3000 THEN ${cell} WHEN range % 2 = 0 THEN ${fits} END AS v FROM range(5000)`;
    await expectSame(between(fits));
    const failures: unknown[] = [];
    for (const path of [fromVectors, fromTexts]) {
      failures.push(await path(between(unfit)).catch((error: unknown) => error));
      await expectUsable();
    }
    const [ours, theirs] = failures;
    expect(ours).toBeInstanceOf(Failure);
    expect(ours).toMatchObject({
      code: "sql_error",
      message: expect.stringMatching(/^Column "v" has a value/) as string,
    });
    expect((ours as Failure).message).toBe((theirs as Failure).message);
  });
});

describe("memory", () => {
  /** DuckDB computes both branches and leaves the other's values under the NULLs. */
  it("says nothing of what lay under a NULL", async () => {
    const sql =
      "SELECT CASE WHEN range % 3 = 0 THEN range END AS n, CASE WHEN range % 3 = 0 THEN 'public' END AS s, " +
      "CASE WHEN range % 3 = 0 THEN range::HUGEINT END AS h, CASE WHEN range % 3 = 0 THEN true END AS b, " +
      "CASE WHEN range % 3 = 0 THEN range::DECIMAL(4,0) END AS d FROM range(3000)";
    const table = tableFromIPC(await fromVectors(sql));
    table.schema.fields.forEach((field, i) => {
      for (const { values, stride, length, offset } of table.getChildAt(i)!.data) {
        const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
        if (DataType.isUtf8(field.type)) expect(bytes.toString()).toBe("public".repeat(1000));
        else if (DataType.isBool(field.type))
          for (let row = 0; row < length; row++) expect((bytes[row >> 3]! >> (row & 7)) & 1).toBe(row % 3 ? 0 : 1);
        else
          for (let row = 0; row < length; row++)
            if ((offset + row) % 3)
              expect([...values.subarray(row * stride, (row + 1) * stride)].map(Number)).toEqual(Array(stride).fill(0));
      }
    });
  });

  it("is bounded by the batch, however long the strings are", async () => {
    const sql =
      "SELECT range AS i, CASE WHEN range % 500 = 7 THEN repeat('long', 1_000_000) ELSE repeat('b', 2000) END AS s, " +
      "repeat('c', (range % 3000)::INTEGER) AS t FROM range(6000)";
    const table = await expectSame(sql);
    const sizes = table.batches.map(({ data }) =>
      data.children.reduce((sum, { values }) => sum + values.byteLength, 0),
    );
    expect(Math.max(...sizes)).toBeLessThan(9 * 1024 * 1024);
    expect(table.batches.length).toBeGreaterThan(8);
    expect(table.batches.length).toBeLessThan(40);
  });

  it("is bounded for many columns too", async () => {
    const cells = Array.from({ length: 800 }, (_, i) => `range + ${i} AS v${i}`);
    const table = await expectSame(`SELECT ${cells.join(", ")} FROM range(4000)`);
    expect(Math.max(...table.batches.map(({ numRows }) => numRows))).toBe(1250);
  });
});

describe("a result that breaks off", () => {
  it("is no shorter result", async () => {
    const sql =
      "SELECT CASE WHEN range = 400000 THEN error('broken ' || range) ELSE range::VARCHAR END AS v FROM range(500000)";
    await expect(fromVectors(sql)).rejects.toThrow("broken 400000");
  });

  it("ends its query, whose next chunk is on its way, before it says so", async () => {
    const sql = "SELECT CASE WHEN range = 5000 THEN 'infinity'::DATE END AS v FROM range(100_000_000_000)";
    await expect(fromVectors(sql)).rejects.toThrow("can't hold");
    await expectUsable();
  });

  it("is the reader's failure where it takes no more", async () => {
    const statement = await describeSql(connection, "SELECT range AS v FROM range(100_000_000_000)");
    const gone = new Failure("cancelled", "gone");
    const take = { check: () => undefined, columns: () => undefined, data: () => Promise.reject(gone) };
    await expect(streamBatches("arrow", statement, take)).rejects.toBe(gone);
    await expectUsable();
  });

  it("is told from one whose rows end with a chunk", async () => {
    for (const rows of [0, 1, 2048, 4096, 122_880])
      expect(tableFromIPC(await fromVectors(`SELECT range AS v FROM range(${rows})`)).numRows).toBe(rows);
  });
});

describe("batches that are made while others are sent", () => {
  const sql = "SELECT range AS id, md5(range::VARCHAR) AS text FROM range(1_000_000)";

  it("leave those alone, however slowly they are taken", async () => {
    const slow: Uint8Array[] = [];
    await streamBatches("arrow", await describeSql(connection, sql), {
      check: () => undefined,
      columns: () => undefined,
      data: async (bytes) => {
        await setTimeout(5);
        slow.push(Uint8Array.from(bytes));
      },
    });
    expect(Buffer.concat(slow).equals(await fromVectors(sql))).toBe(true);
  });

  it("are given up for the failure of a reader who took some", async () => {
    const gone = new Failure("cancelled", "gone");
    let pieces = 0;
    const data = async (): Promise<void> => {
      await setTimeout(1);
      if (++pieces > 40) throw gone;
    };
    const take = { check: () => undefined, columns: () => undefined, data };
    await expect(streamBatches("arrow", await describeSql(connection, sql.replace("1_", "1_000_")), take)).rejects.toBe(
      gone,
    );
    expect(pieces).toBe(41);
    await expectUsable();
  });
});

describe("a column that does not come as it was described", () => {
  it.each([
    ["1::TINYINT", "1::BIGINT", "came as TINYINT"],
    ["[1::TINYINT]", "[1::BIGINT]", "came as TINYINT[]"],
    ["{'a': 1.5::DECIMAL(4,1)}", "{'a': 1.5::DECIMAL(18,1)}", "DECIMAL(4,1)"],
    ["[1, 2]::TINYINT[2]", "[1, 2, 3]::TINYINT[3]", "TINYINT[2]"],
    ["'a'::ENUM('a')", "'a'::ENUM('b', 'a')", "came as ENUM"],
  ])("is refused, not read: %s for %s", async (given, described, words) => {
    const statement = await describeSql(connection, `SELECT ${described} AS v`);
    const take = { check: () => undefined, columns: () => undefined, data: () => undefined };
    await expect(streamBatches("arrow", { ...statement, sql: `SELECT ${given} AS v` }, take)).rejects.toThrow(words);
    await expectUsable();
  });
});
