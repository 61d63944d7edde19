// CSV, NDJSON and JSON from DuckDB's vectors: to the byte what DuckDB's SQL makes of the same values, of any type.

import "../../../support/node/seed.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { cellOf, columnOf, type LineFormat } from "../../../../containers/engine/lake/process/canonical-text.ts";
import type { RunOrder } from "../../../../containers/engine/lake/process/messages.ts";
import type { Shape } from "../../../../containers/engine/lake/process/results/described-statement.ts";
import { streamLines } from "../../../../containers/engine/lake/process/results/lines/stream-lines.ts";
import { streamResult } from "../../../../containers/engine/lake/process/results/stream-result.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const FORMATS: LineFormat[] = [
  { format: "csv", numbers: "exact" },
  { format: "ndjson", numbers: "exact" },
  { format: "ndjson", numbers: "string" },
  { format: "json", numbers: "string" },
];

const orderOf = (body: string, format: LineFormat, bounds = { rowsMax: 1_000_000, bytesMax: 1e9 }): RunOrder => ({
  body,
  explain: undefined,
  setup: [],
  paths: [],
  result: { ...format, ...bounds },
  requestId: "r",
  values: [],
  isSteady: true,
  filters: [],
});

type Answer = { text: string; frames: { length: number; whole: boolean }[]; truncated: boolean };

async function answerOf(
  sql: string,
  format: LineFormat,
  bounds?: { rowsMax: number; bytesMax: number },
): Promise<Answer> {
  const pieces: Buffer[] = [];
  const frames: Answer["frames"] = [];
  const { truncated } = await streamResult(connection, orderOf(sql, format, bounds), {
    check: () => undefined,
    columns: () => undefined,
    data: (bytes, whole) => {
      pieces.push(Buffer.from(bytes));
      frames.push({ length: bytes.length, whole });
    },
  });
  return { text: Buffer.concat(pieces).toString(), frames, truncated };
}

async function shapeOf(sql: string): Promise<Shape> {
  const prepared = await connection.prepare(sql);
  const types = Array.from({ length: prepared.columnCount }, (_, i) => prepared.columnType(i));
  const columns = types.map((type, i) => columnOf(prepared.columnName(i), type));
  prepared.destroySync();
  return { columns, types };
}

/** The yardstick: each cell as an SQL expression. */
async function fromSql(sql: string, format: LineFormat): Promise<string> {
  const { columns, types } = await shapeOf(sql);
  const cells = types.map((type, i) => `CAST(${cellOf(type, `c${i + 1}`, format)} AS VARCHAR)`);
  const reader = await connection.runAndReadAll(
    `FROM (${sql}) AS q(${types.map((_, i) => `c${i + 1}`).join(", ")}) SELECT ${cells.join(", ")}`,
  );
  const lines = reader.getRows().map((row) => {
    if (format.format === "csv") return `${row.map((cell) => cell ?? "").join(",")}\n`;
    const members = row.map((cell, i) => `${JSON.stringify(columns[i]!.name)}:${String(cell ?? "null")}`);
    return format.format === "json" ? `,\n{${members.join(",")}}` : `{${members.join(",")}}\n`;
  });
  return format.format === "json" ? lines.join("").slice(1) : lines.join("");
}

const INT64 = ["-9223372036854775808", "9223372036854775807", "-1", "0", "2147483648", "-2147483649", "4294967295"];
const AROUND_DOUBLES = ["9007199254740991", "9007199254740992", "-9007199254740993", "1000000000000000000"];
const TENS = Array.from({ length: 19 }, (_, i) => `1${"0".repeat(i)}`).flatMap((ten) => [ten, `-${ten}`, `${ten} - 1`]);

/** Values of all types by name, each cast from SQL. */
const VALUES: Record<string, string[]> = {
  BOOLEAN: ["true", "false"],
  TINYINT: ["-128", "127", "0"],
  UTINYINT: ["255", "0"],
  SMALLINT: ["-32768", "32767"],
  USMALLINT: ["65535"],
  INTEGER: ["-2147483648", "2147483647", ...TENS.slice(0, 30)],
  UINTEGER: ["4294967295", "2147483648", "0"],
  BIGINT: [...INT64, ...AROUND_DOUBLES, ...TENS],
  UBIGINT: ["18446744073709551615", "0"],
  HUGEINT: ["170141183460469231731687303715884105727"],
  "DECIMAL(4,0)": ["9999", "-1", "0"],
  "DECIMAL(4,4)": ["0.9999", "-0.0001", "0"],
  "DECIMAL(9,2)": ["-9999999.99", "0.05", "-0.05", "10", "0"],
  "DECIMAL(9,9)": ["0.999999999", "-0.000000001"],
  "DECIMAL(18,0)": ["999999999999999999", "-999999999999999999"],
  "DECIMAL(18,3)": ["999999999999999.999", "-9007199254740.993", "0.001", "-0.001", "9007199254740.992"],
  "DECIMAL(18,17)": ["9.99999999999999999", "-0.09007199254740993", "0.09007199254740992"],
  "DECIMAL(18,18)": ["0.999999999999999999", "-0.009007199254740993", "0"],
  "DECIMAL(38,5)": ["123456789012345678901234567890.12345"],
  DOUBLE: ["0.1", "1e300", "'NaN'", "'-inf'"],
  DATE: [
    "'infinity'",
    "'-infinity'",
    "'5881580-07-10'",
    "'5877642-06-25 (BC)'",
    "'0001-01-01'",
    "'0001-12-31 (BC)'",
    "'0005-02-28 (BC)'",
    "'9999-12-31'",
    "'10000-01-01'",
    "'2000-02-29'",
    "'1900-03-01'",
    "'1969-12-31'",
  ],
  TIMESTAMP: [
    "'infinity'",
    "'-infinity'",
    "'294247-01-10 04:00:54.775806'",
    "'290309-12-22 (BC) 00:00:00'",
    "'0044-03-15 (BC) 10:00:00.000001'",
    "'2255-06-05 23:47:34.740991'",
    "'2255-06-05 23:47:34.740993'",
    "'1969-12-31 23:59:59.999999'",
    "'1970-01-01 00:00:00'",
    "'2026-01-31 10:00:00.100'",
  ],
  TIMESTAMPTZ: ["'infinity'", "'-infinity'", "'2026-01-31 10:00:00.123456+02'", "'0044-03-15 (BC) 10:00:00+00'"],
  VARCHAR: ["''", "','", "'\"'", "chr(10)", "chr(13)", "chr(0)", "'#'", "'é😀'", "repeat('long ', 40)", "'a\"b,c\"'"],
  BLOB: ["'\\xAA'::BLOB"],
  JSON: [`'{"a": [1, "b\\""]}'`],
  "INTEGER[]": ["[1, NULL, 2]"],
  UUID: ["'6e2a3f10-0000-4000-8000-00000000002a'"],
};

describe("lines are what DuckDB's SQL makes of the values", () => {
  it.each(Object.entries(VALUES))("%s, its extremes and NULL", async (type, values) => {
    const rows = [...values, "NULL"].map((value) => `(CAST(${value} AS ${type}))`);
    const sql = `SELECT v AS "a ""key"", é", v AS c FROM (VALUES ${rows.join(", ")}) AS t(v)`;
    for (const format of FORMATS) expect((await answerOf(sql, format)).text).toBe(await fromSql(sql, format));
  });

  it("for every byte of ASCII in a text, short and long, at each place in a word", async () => {
    const sql = `SELECT repeat('x', p.range::INTEGER) || chr(b.range::INTEGER) || repeat('y', q.range::INTEGER * 4) AS t
      FROM range(128) AS b, range(5) AS p, range(5) AS q`;
    for (const format of FORMATS) expect((await answerOf(sql, format)).text).toBe(await fromSql(sql, format));
  });

  it("for every day of a leap cycle", async () => {
    const sql = "SELECT DATE '1890-01-01' + range::INTEGER AS d FROM range(150000)";
    const csv = FORMATS[0]!;
    expect((await answerOf(sql, csv)).text).toBe(await fromSql(sql, csv));
  });

  it("for numbers and times drawn from all that there are", async () => {
    const drawn = fc.array(
      fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 2n).map((value) => value >> BigInt(value & 63n)),
      { minLength: 300, maxLength: 300 },
    );
    await fc.assert(
      fc.asyncProperty(drawn, async (numbers) => {
        const sql = `SELECT v, (v % 1000000000000000000)::DECIMAL(18,0) AS d,
            (v % 1000000000)::INTEGER AS i, DATE '1970-01-01' + (v % 700000)::INTEGER AS day,
            make_timestamp(greatest(v, -9223372022400000000)) AS at, make_timestamp_ns(v)::TIMESTAMPTZ AS zoned
          FROM (VALUES ${numbers.map((value) => `(${value}::BIGINT)`).join(", ")}) AS t(v)`;
        for (const format of FORMATS) expect((await answerOf(sql, format)).text).toBe(await fromSql(sql, format));
      }),
      { numRuns: 10 },
    );
  });

  it("for texts drawn with NULLs between them, over many chunks", async () => {
    const sql = `SELECT CASE WHEN h % 7 = 0 THEN NULL ELSE left(w, (h % 60)::INTEGER) END AS a,
        CASE WHEN h % 11 < 9 THEN NULL ELSE w || w END AS b, CASE WHEN h % 5 > 0 THEN range END AS n
      FROM (SELECT range, hash(range) AS h, substr('ab,é"c\\d' || chr(10) || '#😀' || md5(range::VARCHAR) || 'tail', (hash(range) % 9)::INTEGER)
        || md5(range::VARCHAR) AS w FROM range(20000))`;
    for (const format of FORMATS) expect((await answerOf(sql, format)).text).toBe(await fromSql(sql, format));
  });
});

describe("frames", () => {
  it("end where a row ends, but within one that is larger", async () => {
    const sql = "SELECT range AS i, repeat('x\"', CASE range % 50 WHEN 7 THEN 400000 ELSE 10 END) AS t FROM range(200)";
    for (const format of FORMATS) {
      const { text, frames } = await answerOf(sql, format);
      expect(text).toBe(await fromSql(sql, format));
      let at = 0;
      for (const { length, whole } of frames) {
        at += length;
        expect(length).toBeLessThanOrEqual(256 * 1024);
        if (!whole) continue;
        if (format.format === "json") expect([",\n", ""]).toContain(text.slice(at, at + 2));
        else expect(text[at - 1]).toBe("\n");
      }
      expect(frames.at(-1)!.whole).toBe(true);
    }
  });

  it("are all with their reader when a result has failed", async () => {
    const sql = `SELECT CASE range WHEN 100 THEN repeat('x', 1000000) WHEN 100000 THEN error('It failed.') END AS t
      FROM range(200000)`;
    await connection.run("BEGIN TRANSACTION READ ONLY");
    const failed = Promise.withResolvers<void>();
    const run = connection.run.bind(connection);
    // The work is done again to know why the rows broke off. Its failure comes first, then the frames are taken.
    const running = vi.spyOn(connection, "run").mockImplementation((text) =>
      run(text).catch((error: unknown) => {
        setImmediate(failed.resolve);
        throw error;
      }),
    );
    const given: boolean[] = [];
    const answered = streamResult(connection, orderOf(sql, FORMATS[0]!), {
      check: () => undefined,
      columns: () => undefined,
      data: async (_, whole) => {
        await failed.promise;
        given.push(whole);
      },
    });
    await expect(answered).rejects.toThrow("It failed.");
    expect(given).toEqual([false, false, false, true]);
    running.mockRestore();
    await connection.run("ROLLBACK");
  });

  it("come once where a result has no rows", async () => {
    for (const format of FORMATS)
      expect((await answerOf("SELECT 1 AS a WHERE false", format)).frames).toEqual([{ length: 0, whole: true }]);
  });
});

describe("a document's bounds", () => {
  const json = FORMATS[3]!;
  const sql = "SELECT range AS i, repeat('x', 100) AS t FROM range(5000)";

  it("cut it behind as many rows, and say so", async () => {
    const all = (await fromSql(sql, json)).split(/(?<=\}),/);
    for (const rowsMax of [0, 1, 2048, 2049, 4999]) {
      const { text, truncated } = await answerOf(sql, json, { rowsMax, bytesMax: 1e9 });
      expect({ text, truncated }).toEqual({ text: all.slice(0, rowsMax).join(","), truncated: true });
    }
    expect((await answerOf(sql, json, { rowsMax: 5000, bytesMax: 1e9 })).truncated).toBe(false);
  });

  it("cut it before the row that is too much, however large", async () => {
    const row = Buffer.byteLength(`,\n{"i":"0","t":"${"x".repeat(100)}"}`);
    for (const [bytesMax, rows] of [
      [row - 1, 0],
      [row, 1],
      [row * 7 + 1, 7],
    ] as const) {
      const { text, truncated } = await answerOf(sql, json, { rowsMax: 5000, bytesMax });
      expect({ rows: text === "" ? 0 : text.split("\n").length - 1, truncated }).toEqual({ rows, truncated: true });
    }
  });
});

describe("rows that nobody wants", () => {
  /** Ten chunks, then nothing for hours. */
  const endless = "SELECT i, 'xxxxxx' AS t FROM range(1000000000000) AS q(i) WHERE i < 20480 OR i = 999999999999";
  const stillWorks = async () => expect((await answerOf("SELECT 1 AS a", FORMATS[0]!)).text).toBe("1\n");
  beforeAll(() => connection.run("SET streaming_buffer_size = '1KB'"));
  afterAll(() => connection.run("RESET streaming_buffer_size"));

  it("are not waited for behind the bounds of a document", { timeout: 30_000 }, async () => {
    const bytesMax = 20_000 * ',\n{"i":"12345","t":"xxxxxx"}'.length - 11_110;
    const { text, truncated } = await answerOf(endless, FORMATS[3]!, { rowsMax: 100_000, bytesMax });
    expect({ rows: text.split("\n").length - 1, truncated }).toEqual({ rows: 20_000, truncated: true });
    await stillWorks();
  });

  it("are not waited for once a frame is refused", { timeout: 30_000 }, async () => {
    const take = {
      check: () => undefined,
      columns: () => undefined,
      data: () => Promise.reject(new Failure("cancelled", "The reader has left.")),
    };
    await expect(streamResult(connection, orderOf(endless, FORMATS[0]!), take)).rejects.toThrow("The reader has left.");
    await stillWorks();
  });
});

it("columns of another width than described are refused, not read", async () => {
  const shape = await shapeOf("SELECT 1::BIGINT AS a");
  const order = orderOf("SELECT 1::TINYINT AS a", FORMATS[0]!);
  const take = { check: () => undefined, columns: () => undefined, data: () => undefined };
  await expect(streamLines({ connection, sql: order.body, shape, order }, take)).rejects.toThrow("came as TINYINT");
});

describe("the memory of lines", () => {
  it("is the next statement's once one has ended, however it did", async () => {
    const memoryOf = async (sql: string): Promise<ArrayBufferLike[]> => {
      const used: ArrayBufferLike[] = [];
      const taker = {
        check: () => undefined,
        columns: () => undefined,
        data: ({ buffer }: Uint8Array) => void used.push(buffer),
      };
      await streamResult(connection, orderOf(sql, FORMATS[0]!), taker).catch(() => undefined);
      return used;
    };
    const first = await memoryOf("SELECT 1");
    expect(first).toHaveLength(1);
    await memoryOf("SELECT error('no')");
    const next = [...(await memoryOf("SELECT 2")), ...(await memoryOf("SELECT 3"))];
    expect(next.some((memory) => memory === first[0])).toBe(true);
  });
});
