import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

let lake: TestLake;

beforeAll(async () => {
  lake = await TestLake.open();
  lake.platform.addTable(
    "main",
    "numbers",
    [column(1, "id", "int64"), column(2, "word", "varchar")],
    [
      {
        path: await lake.write(
          "a.parquet",
          "SELECT range AS id, 'w' || range AS word FROM range(300000)",
          "id: 1, word: 2",
        ),
      },
      {
        path: await lake.write(
          "b.parquet",
          "SELECT 300000 + range AS id, 'w' || (300000 + range) AS word FROM range(300000)",
          "id: 1, word: 2",
        ),
      },
    ],
  );
});
afterAll(() => lake.close());

/** SQL, its kind, and its exact spelling in a JSON row. */
const VALUES: Array<[sql: string, kind: string, json: string, csv?: string]> = [
  ["true", "boolean", "true"],
  ["(-128)::TINYINT", "integer", "-128"],
  ["4294967295::UINTEGER", "integer", "4294967295"],
  ["9223372036854775807::BIGINT", "bigint", "9223372036854775807"],
  ["18446744073709551615::UBIGINT", "bigint", "18446744073709551615"],
  ["170141183460469231731687303715884105727::HUGEINT", "bigint", "170141183460469231731687303715884105727"],
  ["12345678901234567890123456789.123456789::DECIMAL(38,9)", "decimal", "12345678901234567890123456789.123456789"],
  ["(-0.50)::DECIMAL(3,2)", "decimal", "-0.50"],
  ["(-0.05)::DECIMAL(3,3)", "decimal", "-0.050"],
  ["0.1::DOUBLE", "float", "0.1"],
  ["1e300::DOUBLE", "float", "1e+300", "1e+300"],
  ["0.1::FLOAT", "float", "0.1"],
  ["'NaN'::DOUBLE", "float", '"NaN"', "NaN"],
  ["'inf'::DOUBLE", "float", '"Infinity"', "Infinity"],
  ["'-inf'::FLOAT", "float", '"-Infinity"', "-Infinity"],
  ["DATE '2026-01-31'", "date", '"2026-01-31"', "2026-01-31"],
  ["DATE '0044-03-15 (BC)'", "date", '"0044-03-15 (BC)"', "0044-03-15 (BC)"],
  ["'infinity'::DATE", "date", '"infinity"', "infinity"],
  ["TIME '10:00:00.5'", "time", '"10:00:00.5"', "10:00:00.5"],
  ["'10:00:00+01:30'::TIMETZ", "time", '"10:00:00+01:30"', "10:00:00+01:30"],
  ["TIMESTAMP '2026-01-31 10:00:00.123456'", "timestamp", '"2026-01-31T10:00:00.123456"', "2026-01-31T10:00:00.123456"],
  ["TIMESTAMP_S '2026-01-31 10:00:00'", "timestamp", '"2026-01-31T10:00:00"', "2026-01-31T10:00:00"],
  ["TIMESTAMP_MS '2026-01-31 10:00:00.123'", "timestamp", '"2026-01-31T10:00:00.123"', "2026-01-31T10:00:00.123"],
  [
    "TIMESTAMP_NS '2026-01-31 10:00:00.123456789'",
    "timestamp",
    '"2026-01-31T10:00:00.123456789"',
    "2026-01-31T10:00:00.123456789",
  ],
  ["TIMESTAMP '0044-03-15 (BC) 10:00:00'", "timestamp", '"0044-03-15T10:00:00 (BC)"', "0044-03-15T10:00:00 (BC)"],
  ["'-infinity'::TIMESTAMP", "timestamp", '"-infinity"', "-infinity"],
  ["TIMESTAMPTZ '2026-01-31 10:00:00+02'", "timestamptz", '"2026-01-31T08:00:00Z"', "2026-01-31T08:00:00Z"],
  ["'infinity'::TIMESTAMPTZ", "timestamptz", '"infinity"', "infinity"],
  ["INTERVAL '1 month -3 days 2.5 seconds'", "text", '"1 month -3 days 00:00:02.5"', "1 month -3 days 00:00:02.5"],
  [
    "'6e2a3f10-0000-4000-8000-00000000002a'::UUID",
    "text",
    '"6e2a3f10-0000-4000-8000-00000000002a"',
    "6e2a3f10-0000-4000-8000-00000000002a",
  ],
  ["'\\xAA\\x00'::BLOB", "binary", '"qgA="', "qgA="],
  ["'101'::BIT", "text", '"101"', "101"],
  ["'b'::ENUM('a', 'b')", "text", '"b"', "b"],
  ["'say \"hi\"' || chr(10) || 'é😀\\'", "text", '"say \\"hi\\"\\né😀\\\\"', '"say ""hi""\né😀\\"'],
  ["'a,b'", "text", '"a,b"', '"a,b"'],
  ["''", "text", '""', '""'],
  ["NULL::VARCHAR", "text", "null", ""],
  ["NULL::INTEGER[]", "json", "null", ""],
  ["[1, NULL, 3]", "json", "[1,null,3]", '"[1,null,3]"'],
  ["[0.1::DOUBLE, 'nan'::DOUBLE]", "json", '[0.1,"NaN"]', '"[0.1,""NaN""]"'],
  [
    "{'a': 1.10::DECIMAL(38,2), 'b': 'x\"y', 'c': TIMESTAMP '2026-01-31 10:00:00'}",
    "json",
    '{"a":1.10,"b":"x\\"y","c":"2026-01-31T10:00:00"}',
  ],
  ["{'a': NULL, 'b': ['\\xAA'::BLOB]}", "json", '{"a":null,"b":["qg=="]}'],
  ["MAP {'k': 1.5::DOUBLE, 'l': NULL}", "json", '{"k":1.5,"l":null}'],
  ["MAP {DATE '2026-01-31': [1]}", "json", '{"2026-01-31":[1]}'],
  ["array_value('nan'::DOUBLE, 2)", "json", '["NaN",2.0]'],
  ["union_value(k := 'nan'::DOUBLE)", "json", '{"k":"NaN"}'],
  ["'{\"a\":\n1.10000000000000000001}'::JSON", "json", '{"a": 1.10000000000000000001}'],
  ["'NaN'::JSON", "json", '"NaN"'],
  ["{'a': [1]}::VARIANT", "json", '{"a":[1]}'],
];

describe("every type arrives exactly", () => {
  it.each(VALUES)("%s", async (sql, kind, json, csv) => {
    const text = await lake.ask(`SELECT ${sql} AS v`);
    expect(text.split("\n")[1]).toBe(`{"v":${json}}`);
    expect((JSON.parse(text) as { types: unknown[] }).types).toMatchObject([{ name: "v", kind }]);
    expect(await lake.ask(`SELECT ${sql} AS v`, { format: "csv" })).toBe(
      `v\n${csv ?? (json.startsWith("{") || json.startsWith("[") ? `"${json.replaceAll('"', '""')}"` : json)}\n`.replace(
        'v\n"NaN"',
        'v\n"""NaN"""',
      ),
    );
    expect(await lake.ask(`SELECT ${sql} AS v`, { format: "ndjson" })).toBe(`{"v":${json}}\n`);
  });

  it("NULL of every type is NULL, alone and within others", async () => {
    const nulls = VALUES.map(([sql], i) => `([${sql}])[2] AS v${i}`).join(", ");
    const expected = Object.fromEntries(VALUES.map((_, i) => [`v${i}`, null]));
    expect(await lake.rows(`SELECT ${nulls}`)).toEqual([expected]);
    expect(await lake.ask(`SELECT ${nulls}`, { format: "csv" })).toMatch(/\n,+\n$/);
    for (const [sql] of VALUES.slice(0, 36))
      expect(await lake.rows(`SELECT [([${sql}])[2]] AS list, {'a': ([${sql}])[2]} AS struct`), sql).toEqual([
        { list: [null], struct: { a: null } },
      ]);
  });

  it("wide numbers become strings where asked", async () => {
    const text = await lake.ask(
      "SELECT 9007199254740993 AS big, 1.50::DECIMAL(10,2) AS money, 1::INTEGER AS small, 0.5::DOUBLE AS half",
      { numbers: "string" },
    );
    expect(text.split("\n")[1]).toBe('{"big":"9007199254740993","money":"1.50","small":1,"half":0.5}');
  });

  it("repeated and odd column names stay apart", async () => {
    const document = await lake.document('SELECT 1 AS a, 2 AS a, 3 AS "q""x", 4 AS "a_2"');
    expect(document.columns).toEqual(["a", "a_3", 'q"x', "a_2"]);
    expect(document.data).toEqual([{ a: 1, a_3: 2, 'q"x': 3, a_2: 4 }]);
  });

  it("a statement without rows has its columns", async () => {
    expect(await lake.document("SELECT id FROM numbers WHERE id < 0")).toMatchObject({
      columns: ["id"],
      data: [],
      rowCount: 0,
      truncated: false,
      success: true,
    });
    expect(await lake.ask("SELECT id FROM numbers WHERE id < 0", { format: "csv" })).toBe("id\n");
    expect(await lake.ask("SELECT id FROM numbers WHERE id < 0", { format: "ndjson" })).toBe("");
  });
});

describe("order", () => {
  it("is the statement's own, over many chunks and in every format", async () => {
    const text = await lake.ask("SELECT id FROM numbers ORDER BY id DESC", { format: "csv" });
    const ids = text.trimEnd().split("\n").slice(1).map(Number);
    expect(ids).toHaveLength(600_000);
    expect(ids.every((id, i) => id === 599_999 - i)).toBe(true);
  });

  it("is the files' own where the statement has none", async () => {
    const ids = (await lake.ask("SELECT id FROM numbers", { format: "csv" }))
      .trimEnd()
      .split("\n")
      .slice(1)
      .map(Number);
    expect(ids.every((id, i) => id === i)).toBe(true);
    expect(ids).toHaveLength(600_000);
  });
});

describe("caps of a JSON answer", () => {
  it("cuts at the row limit and says so", async () => {
    expect(await lake.document("SELECT id FROM numbers ORDER BY id", { rowsMax: 3 })).toMatchObject({
      data: [{ id: 0 }, { id: 1 }, { id: 2 }],
      rowCount: 3,
      truncated: true,
      success: true,
    });
    expect(await lake.document("SELECT id FROM numbers ORDER BY id LIMIT 3", { rowsMax: 3 })).toMatchObject({
      rowCount: 3,
      truncated: false,
    });
  });

  it("cuts at the byte limit with whole rows", async () => {
    const document = await lake.document("SELECT word FROM numbers", { bytesMax: 10_000 });
    expect(document.truncated).toBe(true);
    expect(document.data).toHaveLength(document.rowCount!);
    expect(document.rowCount).toBeGreaterThan(400);
    expect(document.rowCount).toBeLessThan(700);
  });
});

describe("Arrow", () => {
  it("streams the same rows", async () => {
    const chunks: Uint8Array[] = [];
    await lake.ask("SELECT id, word, id / 2 AS half FROM numbers ORDER BY id", {
      format: "arrow",
      sink: (bytes) => void chunks.push(Buffer.from(bytes)),
    });
    const table = tableFromIPC(Buffer.concat(chunks));
    expect(table.numRows).toBe(600_000);
    expect(table.get(599_999)?.toJSON()).toEqual({ id: 599_999n, word: "w599999", half: 299_999.5 });
  });
});

describe("statements that are no plain SELECT", () => {
  it("are answered as well", async () => {
    expect(await lake.rows("DESCRIBE numbers")).toMatchObject([
      { column_name: "id", column_type: "BIGINT" },
      { column_name: "word", column_type: "VARCHAR" },
    ]);
    expect(await lake.rows("SUMMARIZE numbers")).toMatchObject([
      { column_name: "id", count: 600_000 },
      { column_name: "word" },
    ]);
    expect(JSON.stringify(await lake.rows("EXPLAIN SELECT * FROM numbers"))).toContain("READ_PARQUET");
    expect(await lake.rows("VALUES (1, 'x')")).toEqual([{ col0: 1, col1: "x" }]);
    expect(await lake.rows("FROM LAKE.main.numbers LIMIT 1;  -- end")).toEqual([{ id: 0, word: "w0" }]);
    expect(await lake.rows("WITH n AS (SELECT id FROM lake.numbers) SELECT count(*) AS c FROM n")).toEqual([
      { c: 600_000 },
    ]);
  });
});

describe("errors", () => {
  it.each([
    ["SELECT nope FROM numbers", 8],
    ["SELECT id\nFROM numbers\nWHERE nope > 1", 30],
    ["SELECT id FROM numbers WHERE", 29],
    ["EXPLAIN SELECT nope FROM numbers", 16],
    ["  SELECT frobnicate(id) FROM numbers", 10],
    ["SELECT 'é', nope FROM numbers", 13],
  ])("of %s say where", async (sql, position) => {
    expect(await lake.failure(sql)).toMatchObject({
      code: expect.stringMatching(/sql_error|statement_refused/) as string,
      position,
    });
  });

  it("name nothing of ours", async () => {
    const { message } = await lake.failure("SELECT CAST(word AS INTEGER) FROM numbers");
    expect(message).toContain("Could not convert string 'w0'");
    expect(message).not.toMatch(/\bc1\b|LINE|\^/);
  });
});
