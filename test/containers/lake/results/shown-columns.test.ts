// A result under other names: to the byte what the rows' texts give, presented one by one, whatever the types.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ShownColumn } from "../../../../containers/engine/core/statement.ts";
import type { Column, RowWriter } from "../../../../containers/engine/formats/result.ts";
import { createRowPacker } from "../../../../containers/engine/formats/row-packer.ts";
import { createTextWriter } from "../../../../containers/engine/formats/text-writers.ts";
import { createWriter } from "../../../../containers/engine/formats/writers.ts";
import type { RunResult } from "../../../../containers/engine/lake/process/messages.ts";
import { streamResult } from "../../../../containers/engine/lake/process/results/stream-result.ts";
import { streamTexts } from "../../../../containers/engine/lake/process/results/texts.ts";
import { present, shownColumns } from "../../../../containers/engine/semantic/run/presentation.ts";
import { ARROW_RESULT, describeSql } from "../../../support/node/lake/batch-results.ts";

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
});
afterAll(() => instance.closeSync());

/** With a connection of its own: what a run breaks off ends a transaction. */
async function connected<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'; BEGIN TRANSACTION READ ONLY");
    return await work(connection);
  } finally {
    connection.closeSync();
  }
}

type Format = "csv" | "ndjson" | "arrow";
type Result = RunResult & { format: Format };
type Members = Parameters<typeof shownColumns>[0];

const RESULTS: Result[] = [
  { ...ARROW_RESULT, format: "csv" },
  { ...ARROW_RESULT, format: "ndjson" },
  { ...ARROW_RESULT, format: "ndjson", numbers: "string" },
  ARROW_RESULT,
];

/** The yardstick: what a source's rows go through. */
async function fromTexts(
  connection: DuckDBConnection,
  sql: string,
  { members, result }: { members: Members; result: Result },
): Promise<Buffer> {
  const statement = await describeSql(connection, sql);
  const { columns } = statement.shape;
  const presentation = present(members, columns);
  const options = { columns: presentation.columns, result, requestId: "r" };
  const writer: RowWriter =
    result.format === "arrow" ? createWriter({ ...options, result: ARROW_RESULT }) : createWriter(options as never);
  const pack = createRowPacker(columns.length);
  const take = { check: () => undefined, columns: () => undefined, data: () => undefined };
  await streamTexts(statement, take, {
    row: (cells) => void writer.write(presentation.rowOf(pack(cells))),
    flush: () => Promise.resolve(),
  });
  return Buffer.from(writer.end({ durationMs: 0 }));
}

async function fromVectors(
  connection: DuckDBConnection,
  sql: string,
  { shown, result }: { shown: readonly ShownColumn[]; result: Result },
): Promise<Buffer> {
  const { order } = await describeSql(connection, sql);
  const pieces: Uint8Array[] = [];
  await streamResult(
    connection,
    { ...order, result: { ...result, shown } },
    {
      check: () => undefined,
      columns(columns: Column[]) {
        if (result.format !== "arrow")
          pieces.push(createTextWriter(result.format, { columns, result: ARROW_RESULT, requestId: "r" }).take());
      },
      data: (bytes) => void pieces.push(Uint8Array.from(bytes)),
    },
  );
  return Buffer.concat(pieces);
}

const failure = (error: { code: string; message: string }): string => `${error.code}: ${error.message}`;

async function expectSame(sql: string, members: Members): Promise<void> {
  const shown = shownColumns(members);
  for (const result of RESULTS) {
    const expected = await connected((each) => fromTexts(each, sql, { members, result })).catch(failure);
    const given = await connected((each) => fromVectors(each, sql, { shown, result })).catch(failure);
    const what = `${result.format} ${result.numbers}`;
    if (typeof given === "string" || typeof expected === "string" || result.format !== "arrow")
      expect([what, String(given)]).toEqual([what, String(expected)]);
    else expect([what, given.toString("hex")]).toEqual([what, expected.toString("hex")]);
  }
}

/** Types, and values of each besides NULL. */
const VALUES: Array<[type: string, ...values: string[]]> = [
  ["BOOLEAN", "true", "false"],
  ["TINYINT", "-128"],
  ["SMALLINT", "-32768"],
  ["INTEGER", "2147483647", "-1"],
  ["BIGINT", "-9223372036854775808", "9007199254740993"],
  ["HUGEINT", "9".repeat(38), "-18446744073709551617"],
  ["UTINYINT", "255"],
  ["USMALLINT", "65535"],
  ["UINTEGER", "4294967295"],
  ["UBIGINT", "18446744073709551615"],
  ["FLOAT", "0.1", "'nan'", "'inf'", "-16777217", "3.4e38"],
  ["DOUBLE", "0.1", "'nan'", "'-inf'", "1e300", "5e-324", "'-0.0'"],
  ["DECIMAL(4,2)", "-0.01"],
  ["DECIMAL(3,3)", "-0.999"],
  ["DECIMAL(18,6)", "0.000001"],
  ["DECIMAL(38,9)", "-12345678901234567890123456789.123456789"],
  ["VARCHAR", "''", "'a,\"b'", "chr(10) || 'é😀' || chr(9)", "repeat('long ', 40)"],
  ["BLOB", "''", "'\\xFF\\x00'"],
  ["UUID", "'ffffffff-ffff-ffff-ffff-fffffffffffe'"],
  ["INTERVAL", "'1 month -3 days 2.5 seconds'"],
  ["DATE", "'2026-01-31'", "'0001-01-01'", "'9999-12-31'"],
  ["TIME", "'23:59:59.999999'"],
  ["TIMETZ", "'10:00:00+01:30'"],
  [
    "TIMESTAMP",
    "'2026-01-31 10:00:00.123456'",
    "'1969-12-31 23:59:59.999999'",
    "'0001-01-01'",
    "'9999-12-31 23:59:59.9'",
  ],
  ["TIMESTAMP_S", "'1969-12-31 23:59:59'"],
  ["TIMESTAMP_MS", "'1969-12-31 23:59:59.999'"],
  ["TIMESTAMP_NS", "'1969-12-31 23:59:59.999999'"],
  ["TIMESTAMPTZ", "'2026-01-31 10:00:00.123456Z'", "'0001-01-01 00:00:00Z'"],
  ["JSON", "'{\"a\":1.10}'", "'[null]'"],
  ["ENUM('small', 'la\"rge')", "'small'", "'la\"rge'"],
  ["BIT", "'101'"],
  ["INTEGER[]", "[1, NULL]"],
  ["DOUBLE[2]", "[1.5, 'nan']"],
  ["STRUCT(k VARCHAR, l DATE)", "{'k': 'a\"b', 'l': '2026-01-31'}"],
  ["MAP(VARCHAR, INTEGER)", "MAP {'a': 1}"],
  ["UNION(k DOUBLE, l VARCHAR)", "union_value(k := 0.5)"],
];

const rowsOf = (type: string, values: readonly string[]): string =>
  `FROM (VALUES ${[...values, "NULL", ...values].map((value) => `(CAST(${value} AS ${type}))`).join(", ")}) AS v(x)`;

describe.each(VALUES)("values of %s", (type, ...values) => {
  it("are as they are, under their member's name", () =>
    expectSame(rowsOf(type, values), [{ member: "cube.member", kind: "value" }]));

  it("that are called a time are shown as far as they are one, or refused alike", () =>
    expectSame(rowsOf(type, values), [{ member: "cube.time.day", kind: "time" }]));
});

/** What has no common spelling, each by itself: Arrow can hold some of it, and refuses the rest. */
const TIMES: Array<[type: string, value: string]> = [
  ...["DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_S", "TIMESTAMP_MS"].flatMap((type): [string, string][] =>
    ["'infinity'", "'-infinity'", "'0044-03-15 (BC)'", "'12026-01-31'"].map((value) => [type, value]),
  ),
  ["TIMESTAMP", "'12026-01-31 10:00:00.123456'"],
  ["TIMESTAMP", "'294247-01-09 23:59:59.999999'"],
  ["TIMESTAMP_NS", "'2026-01-31 10:00:00.123456789'"],
  ...[
    "",
    "2026-01-31",
    "2026-01-31 10:00:00.5+00:00",
    "2026-01-31T10:00:00.123456789Z",
    "2026-01-31T10:00:00+02",
    "2026-01-31T24:00:00",
    "2026-01-31T10:60:00",
    "2026-02-30",
    "0000-00-00 00:00:00",
    "12026-01-31T10:00:00.1234560",
    "12026-01-31T10:00:00.1234567",
    "12026-01-31",
    " 2026-01-31",
    "2026-01-31\n",
    "2026-01-31\u0000",
    "soon",
  ].map((text): [string, string] => ["VARCHAR", `'${text}'`]),
];

it.each(TIMES)("a time of %s is shown as the rows' way shows it: %s", (type, value) =>
  expectSame(rowsOf(type, [value.replace("\u0000", "' || chr(0) || '")]), [{ member: "cube.time", kind: "time" }]),
);

it("has as many rows as there are, of all columns, a time of a granularity twice", async () => {
  const sql =
    "FROM range(40_000) AS r(i) SELECT TIMESTAMP '2026-01-01' + to_microseconds(i * 1_234_567) AS at, " +
    "CASE WHEN i % 7 > 0 THEN i END AS n, 'text ' || i AS t, i % 3 = 0 AS b, i / 8 AS f ORDER BY i";
  const values = ["a.n", "a.t", "a.b", "b.f"].map((member) => ({ member, kind: "value" as const }));
  await expectSame(sql, [{ member: "a.at.second", kind: "time" }, ...values]);
});

it("is refused where its columns are others than the query's", async () => {
  const shown = shownColumns([{ member: "a.x", kind: "value" }]);
  for (const result of RESULTS)
    await expect(
      connected((each) => fromVectors(each, "SELECT 1 AS x, 2 AS y", { shown, result })),
    ).rejects.toMatchObject({ code: "internal" });
});
