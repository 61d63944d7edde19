// PostgreSQL's tables as Parquet: every type with its edge values, names, nothing lost on the way.

import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TypeMismatch } from "../../../../containers/engine/extract/type-mismatch.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { ExtractionBench, never, readBack, typesOf } from "../../../support/node/sources/extraction.ts";

const source = postgresSource(ownPostgres());
let bench: ExtractionBench;
let admin: pg.Client;
beforeAll(async () => {
  [bench, admin] = await Promise.all([ExtractionBench.open(), connectPostgres(ownPostgres())]);
  await admin.query(
    "DROP SCHEMA IF EXISTS shelves CASCADE; CREATE SCHEMA shelves; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601'; SET search_path = shelves, public; SET extra_float_digits = 3",
  );
});
afterAll(async () => {
  await admin.query("DROP SCHEMA shelves CASCADE; DROP ROLE IF EXISTS extract_reader");
  await admin.end();
  await bench.close();
});

const inSchema = (name: string) => ({ schema: "shelves", name });

type Case = {
  type: string;
  duckdb: string;
  values: string[];
  toDuckdb?: (text: string) => string;
  show?: string;
  shown?: string;
};

const floats = (text: string) => ({ NaN: "nan", Infinity: "inf", "-Infinity": "-inf" })[text] ?? text;
/** DuckDB prints a decimal that has no whole digits without the zero before its point. */
const withoutZero = (text: string) => text.replace("0.", ".");

/**
 * `values` are SQL; `toDuckdb` makes the server's text what DuckDB prints; `show` and `shown` print the column
 * otherwise, in the lake and at the source.
 */
const CASES: Case[] = [
  { type: "smallint", duckdb: "SMALLINT", values: ["-32768", "0", "32767"] },
  { type: "integer", duckdb: "INTEGER", values: ["-2147483648", "0", "2147483647"] },
  {
    type: "bigint",
    duckdb: "BIGINT",
    values: ["-9223372036854775808", "-1", "9007199254740993", "9223372036854775807"],
  },
  { type: "oid", duckdb: "BIGINT", values: ["0", "4294967295"] },
  {
    type: "real",
    duckdb: "FLOAT",
    values: ["0.1", "-0.0", "1e-45", "3.4028235e38", "'NaN'", "'-Infinity'"],
    show: "c::DOUBLE",
    shown: "c::float8",
    toDuckdb: floats,
  },
  {
    type: "double precision",
    duckdb: "DOUBLE",
    values: ["0.1", "-0.0", "5e-324", "1.7976931348623157e308", "0.30000000000000004", "'NaN'", "'Infinity'"],
    toDuckdb: floats,
  },
  { type: "numeric(4,1)", duckdb: "DECIMAL(4,1)", values: ["-999.9", "0", "0.1", "999.9"] },
  {
    type: "numeric(9,9)",
    duckdb: "DECIMAL(9,9)",
    values: ["-0.999999999", "0.000000001", "0.000100000"],
    toDuckdb: withoutZero,
  },
  {
    type: "numeric(15,2)",
    duckdb: "DECIMAL(15,2)",
    values: ["-9999999999999.99", "0.01", "100", "10000.00", "9999999999999.99"],
  },
  {
    type: "numeric(18,0)",
    duckdb: "DECIMAL(18,0)",
    values: ["-999999999999999999", "999999999999999999", "1000000000000"],
  },
  {
    type: "numeric(38,10)",
    duckdb: "DECIMAL(38,10)",
    values: ["-9999999999999999999999999999.9999999999", "0.0000000001", "12345678901234567890.5", "-0.5", "1"],
  },
  {
    type: "numeric(38,38)",
    duckdb: "DECIMAL(38,38)",
    values: ["0.99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001"],
    toDuckdb: withoutZero,
  },
  {
    type: "numeric",
    duckdb: "VARCHAR",
    values: ["123456789012345678901234567890123456789012345.6789", "'NaN'", "1.50", "1e-20"],
  },
  { type: "numeric(50,3)", duckdb: "VARCHAR", values: ["-12345678901234567890123456789012345678901234567.125"] },
  { type: "boolean", duckdb: "BOOLEAN", values: ["true", "false"] },
  {
    type: "date",
    duckdb: "DATE",
    values: [
      "'0001-01-01'",
      "'1969-12-31'",
      "'2000-02-29'",
      "'9999-12-31'",
      "'0044-03-15 BC'",
      "'5874897-12-31'",
      "'infinity'",
      "'-infinity'",
    ],
    toDuckdb: (text) => text.replace(/ BC$/, " (BC)"),
  },
  { type: "time", duckdb: "TIME", values: ["'00:00:00'", "'23:59:59.999999'", "'24:00:00'"] },
  {
    type: "timestamp",
    duckdb: "TIMESTAMP",
    values: [
      "'1999-12-31 23:59:59.999999'",
      "'0001-01-01 00:00:00'",
      "'0044-03-15 12:00:00.5 BC'",
      "'294246-12-31 23:59:59'",
      "'infinity'",
      "'-infinity'",
      "'1815-06-18 11:35:00.000001'",
      "'4714-11-24 00:00:00 BC'",
    ],
    toDuckdb: (text) => text.replace(/^(.*) BC$/, (_, rest: string) => rest.replace(" ", " (BC) ")),
  },
  {
    type: "timestamptz",
    duckdb: "TIMESTAMP WITH TIME ZONE",
    values: [
      "'2026-03-29 02:30:00+01'",
      "'1969-12-31 23:59:59.999999+00'",
      "'9999-12-31 23:59:59.999999+00'",
      "'infinity'",
      "'-infinity'",
    ],
  },
  {
    type: "uuid",
    duckdb: "UUID",
    values: [
      "'00000000-0000-0000-0000-000000000000'",
      "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
      "'123e4567-e89b-12d3-a456-426614174000'",
    ],
  },
  {
    type: "text",
    duckdb: "VARCHAR",
    values: [
      "''",
      "'123456789012'",
      "'1234567890123'",
      "'ü😀 \"q\" \\N NULL'",
      "E'a\\nb\\rc\\td'",
      "repeat('é', 100000)",
    ],
  },
  { type: "varchar(20)", duckdb: "VARCHAR", values: ["''", "' padded '"] },
  { type: "char(5)", duckdb: "VARCHAR", values: ["'ab'", "'abcde'"] },
  { type: "name", duckdb: "VARCHAR", values: ["'a name'"] },
  { type: '"char"', duckdb: "VARCHAR", values: ["'x'"] },
  {
    type: "bytea",
    duckdb: "BLOB",
    values: ["''", "'\\x00'", "'\\xdeadbeef00'", "decode(repeat('00ff', 5000), 'hex')"],
    show: "lower(hex(c))",
    shown: "encode(c, 'hex')",
  },
  { type: "json", duckdb: "JSON", values: ['\'{"b":1, "a": [1,2 ,null]}\'', "'null'", "'1e400'"] },
  {
    type: "jsonb",
    duckdb: "JSON",
    values: [
      '\'{"b":1, "a": [1,2 ,null]}\'',
      "'12345678901234567890.10'",
      "'\"\"'",
      "'1e400'",
      "(repeat('[', 3000) || repeat(']', 3000))::jsonb",
      "'\"\\\\u0001\"'",
    ],
  },
  { type: "interval", duckdb: "VARCHAR", values: ["'1 year 2 mons -3 days 04:05:06.7'", "'0'"] },
  { type: "timetz", duckdb: "VARCHAR", values: ["'10:00:00.5+02'"] },
  { type: "money", duckdb: "VARCHAR", values: ["'-1234567.50'", "'0'"], shown: "c::numeric::text" },
  { type: "inet", duckdb: "VARCHAR", values: ["'10.0.0.1/8'", "'::1'"], shown: "c::text" },
  { type: "macaddr", duckdb: "VARCHAR", values: ["'08:00:2b:01:02:03'"] },
  { type: "bit varying", duckdb: "VARCHAR", values: ["B'0101'"] },
  { type: "int4range", duckdb: "VARCHAR", values: ["'[1,5)'", "'empty'"] },
  { type: "point", duckdb: "VARCHAR", values: ["'(1.5,-2)'"] },
  { type: "xml", duckdb: "VARCHAR", values: ["'<a>b</a>'"] },
  { type: "tsvector", duckdb: "VARCHAR", values: ["'a b'"] },
  { type: "regclass", duckdb: "VARCHAR", values: ["'pg_catalog.pg_class'"] },
];

const asDuckdb = (text: string | null, { toDuckdb: change = (same: string) => same }: Case) =>
  text === null ? null : change(text);

describe("values", () => {
  it.each(CASES.map((one, i) => [one.type, one, i] as const))(
    "of %s arrive as they are, NULL among them",
    async (_type, one, i) => {
      await admin.query(
        `CREATE TABLE shelves.values_${i} (n int, c ${one.type}); INSERT INTO shelves.values_${i} VALUES ${[...one.values, "NULL"].map((value, n) => `(${n}, ${value})`).join(", ")}`,
      );
      const { rows } = await admin.query<{ c: string | null }>(
        `SELECT (${one.shown ?? "c::text"})::text AS c FROM shelves.values_${i} ORDER BY n`,
      );
      const extracted = await bench.extract(source, inSchema(`values_${i}`));
      expect(await typesOf(extracted.files)).toEqual({ n: "INTEGER", c: one.duckdb });
      const read = await readBack(extracted.files, `SELECT ${one.show ?? "c"} AS c FROM t ORDER BY n`);
      const numeric = one.type.startsWith("real") || one.type.startsWith("double");
      const asNumber = (text: string | null) =>
        text === null || !numeric || /[a-z]{3}/.test(text)
          ? text
          : JSON.stringify(Object.is(Number(text), -0) ? "-0" : Number(text));
      expect(read.map(([c]) => asNumber(c!))).toEqual(rows.map(({ c }) => asNumber(asDuckdb(c, one))));
      expect(extracted.rows).toBe(one.values.length + 1);
    },
  );

  it("of arrays arrive as lists, empty ones and NULLs in them too", async () => {
    await admin.query(`
      CREATE TYPE shelves.mood AS ENUM ('sad', 'happy day'); CREATE DOMAIN shelves.cents AS numeric(6,2);
      CREATE TABLE shelves.arrays (n int, ints int[], texts text[], moods shelves.mood[], amounts numeric(8,3)[], cents shelves.cents[], free numeric[], stamps timestamptz[], docs jsonb[], ids uuid[], flags bool[], paid money[], blobs bytea[]);
      INSERT INTO shelves.arrays VALUES
        (1, '{1,NULL,-3}', '{"",NULL,"a longer text than twelve","q\\"x"}', '{sad,"happy day"}', '{1.5,NULL,-99999.999}', '{1.25}', '{1.10,NaN}', '{2026-01-01 00:00:00+00,infinity}', '{"{\\"a\\": 1}"}', '{123e4567-e89b-12d3-a456-426614174000}', '{t,f,NULL}', '{1.50}', '{"\\\\x00ff"}'),
        (2, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'),
        (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO shelves.arrays (n, ints, texts) SELECT i, (SELECT array_agg(CASE WHEN j % 7 > 0 THEN j END) FROM generate_series(1, i % 50) j), ARRAY['row ' || i || ' of the array test', NULL] FROM generate_series(4, 5000) i`);
    const { files, parts } = await bench.extract(source, inSchema("arrays"));
    expect(await typesOf(files)).toMatchObject({
      ints: "INTEGER[]",
      texts: "VARCHAR[]",
      moods: "VARCHAR[]",
      amounts: "DECIMAL(8,3)[]",
      cents: "DECIMAL(6,2)[]",
      free: "VARCHAR[]",
      stamps: "TIMESTAMP WITH TIME ZONE[]",
      docs: "JSON[]",
      ids: "UUID[]",
      flags: "BOOLEAN[]",
      paid: "VARCHAR[]",
      blobs: "BLOB[]",
    });
    const [first, second, third] = await readBack(
      files,
      "SELECT ints, texts, moods, amounts, cents, free, stamps, docs, ids, flags, paid, hex(blobs[1]) FROM t WHERE n <= 3 ORDER BY n",
    );
    expect(first).toEqual([
      "[1, NULL, -3]",
      `['', NULL, a longer text than twelve, 'q"x']`,
      "[sad, happy day]",
      "[1.500, NULL, -99999.999]",
      "[1.25]",
      "[1.10, NaN]",
      "['2026-01-01 00:00:00+00', infinity]",
      '[{"a": 1}]',
      "[123e4567-e89b-12d3-a456-426614174000]",
      "[true, false, NULL]",
      "[1.50]",
      "00FF",
    ]);
    expect(second).toEqual([...Array<string>(11).fill("[]"), null]);
    expect(third).toEqual(Array(12).fill(null));
    const [[sum, count]] = (await readBack(files, "SELECT sum(list_sum(ints)), sum(len(ints)) FROM t WHERE n > 3")) as [
      [string, string],
    ];
    const { rows } = await admin.query(
      "SELECT sum(x) AS sum, count(*) AS count FROM shelves.arrays, unnest(ints) x WHERE n > 3",
    );
    expect({ sum, count }).toEqual(rows[0]);
    // Leaves have statistics under their own field ids.
    expect(parts[0]!.statistics.find(({ columnId }) => columnId === 3)).toMatchObject({ min: "-3", max: "48" });
  });

  it("of enums, domains, composites and generated columns arrive by what they are made of", async () => {
    await admin.query(`
      CREATE TYPE shelves.size AS ENUM ('small', 'large'); CREATE TYPE shelves.place AS (x int, y text);
      CREATE DOMAIN shelves.positive AS int CHECK (VALUE > 0); CREATE DOMAIN shelves.price AS numeric(10,2); CREATE DOMAIN shelves.tags AS text[];
      CREATE TABLE shelves.mixed (s shelves.size, p shelves.place, d shelves.positive, price shelves.price, tags shelves.tags, doubled int GENERATED ALWAYS AS (d * 2) STORED);
      INSERT INTO shelves.mixed VALUES ('large', ROW(1, 'a b'), 7, 12.50, '{x}')`);
    const { files } = await bench.extract(source, inSchema("mixed"));
    expect(await typesOf(files)).toEqual({
      s: "VARCHAR",
      p: "VARCHAR",
      d: "INTEGER",
      price: "DECIMAL(10,2)",
      tags: "VARCHAR[]",
      doubled: "INTEGER",
    });
    expect(await readBack(files, "FROM t")).toEqual([["large", '(1,"a b")', "7", "12.50", "[x]", "14"]]);
  });

  it("that don't fit their column's type stop the extraction, and are read as text or JSON from the same snapshot", async () => {
    await admin.query(`
      CREATE TABLE shelves.odd (n int, amount numeric(10,2), grid int[]); INSERT INTO shelves.odd VALUES (1, 1.5, '{1}'), (2, 'NaN', '{{1,2},{3,4}}');
      CREATE TABLE shelves.halves (doc json); INSERT INTO shelves.halves VALUES ('{"a": "\\ud800"}');
      CREATE TABLE shelves.grids (grid int[][]); INSERT INTO shelves.grids VALUES ('{{1,2},{3,NULL}}'), ('{}')`);
    const snapshot = await bench.snapshot(source);
    try {
      const failing = await bench.extract(snapshot, inSchema("odd")).catch((error: unknown) => error);
      expect(failing).toBeInstanceOf(TypeMismatch);
      expect(failing).toMatchObject({
        column: "amount",
        readAs: "varchar",
        message:
          "Column amount holds NaN or an infinity, which decimal(10,2) can't hold. It can be read as varchar instead.",
      });
      const again = await bench
        .extract(snapshot, inSchema("odd"), { readAs: new Map([["amount", "varchar"]]) })
        .catch((error: unknown) => error);
      expect(again).toMatchObject({ column: "grid", readAs: "json" });
      const { files } = await bench.extract(snapshot, inSchema("odd"), {
        readAs: new Map([
          ["amount", "varchar"],
          ["grid", "json"],
        ]),
      });
      expect(await readBack(files, "FROM t ORDER BY n")).toEqual([
        ["1", "1.50", "[1]"],
        ["2", "NaN", "[[1,2],[3,4]]"],
      ]);
      const half = await bench.extract(snapshot, inSchema("halves")).catch((error: unknown) => error);
      expect(half).toMatchObject({
        column: "doc",
        readAs: "varchar",
        message: expect.stringContaining("Column doc holds JSON that") as string,
      });
      const asText = await bench.extract(snapshot, inSchema("halves"), { readAs: new Map([["doc", "varchar"]]) });
      expect(await readBack(asText.files, "FROM t")).toEqual([['{"a": "\\ud800"}']]);
      const declared = await bench.extract(snapshot, inSchema("grids"));
      expect(await readBack(declared.files, "FROM t")).toEqual([["[[1,2],[3,null]]"], ["[]"]]);
    } finally {
      await snapshot.close();
    }
  });
});

describe("a table", () => {
  it("is described by its exact name, columns with quotes, blanks and both cases among them", async () => {
    await admin.query(
      `CREATE TABLE shelves."Odd ""Name" ("ID" int, "id" int, "a ""b"" c" text, "SELECT" text, "tab\tbed" int, PRIMARY KEY ("id", "ID")); INSERT INTO shelves."Odd ""Name" VALUES (1, 2, 'x', 'y', 3)`,
    );
    const { files, table } = await bench.extract(source, inSchema('Odd "Name'));
    expect(table.primaryKey).toEqual(["id", "ID"]);
    expect(table.columns.map(({ name, lake }) => [name, lake.name, lake.id])).toEqual([
      ["ID", "ID", 1],
      ["id", "id_2", 2],
      ['a "b" c', 'a "b" c', 3],
      ["SELECT", "SELECT", 4],
      ["tab\tbed", "tab_bed", 5],
    ]);
    const renamed = (name: string, own: string) =>
      `Column ${name} is called ${own} in the lake, where names are the same in capitals and small letters, and have no control characters.`;
    expect(table.notes).toEqual([renamed("id", "id_2"), renamed("tab\tbed", "tab_bed")]);
    expect(await readBack(files, `SELECT "ID", "id_2", "a ""b"" c", "SELECT", "tab_bed" FROM t`)).toEqual([
      ["1", "2", "x", "y", "3"],
    ]);
  });

  it("keeps the types of columns that are called as members of every object", async () => {
    await admin.query(
      `CREATE TABLE shelves.proto (constructor int, "toString" int, __proto__ int); INSERT INTO shelves.proto VALUES (1, 2, 3)`,
    );
    const { files } = await bench.extract(source, inSchema("proto"));
    expect(await typesOf(files)).toEqual({ constructor: "INTEGER", toString: "INTEGER", ["__proto__"]: "INTEGER" });
  });

  it("without rows gives no part", async () => {
    await admin.query("CREATE TABLE shelves.nothing (a int, b text)");
    expect(await bench.extract(source, inSchema("nothing"))).toMatchObject({ rows: 0, parts: [] });
  });

  it("is cut into parts of at most the rows asked for, each with its own statistics, and nothing is left over", async () => {
    await admin.query(
      "CREATE TABLE shelves.many AS SELECT i AS id, 'text of row ' || i AS label, CASE WHEN i % 10 > 0 THEN i END AS gaps, CASE WHEN i < 9000 THEN i * 0.5::float8 ELSE 'NaN' END AS f FROM generate_series(1, 10000) i",
    );
    const { parts, files, rows } = await bench.extract(source, inSchema("many"), { partRowsMax: 4_096 });
    expect(rows).toBe(10_000);
    expect(parts.map((part) => part.rows)).toEqual([4_096, 4_096, 1_808]);
    expect(parts.map(({ statistics }) => statistics.find(({ columnId }) => columnId === 3))).toMatchObject([
      { min: "1", max: "4096", nulls: 409 },
      { min: "4097", nulls: 410 },
      { min: "8193", nulls: 181 },
    ]);
    expect(parts.map(({ statistics }) => statistics.find(({ columnId }) => columnId === 4)?.containsNan)).toEqual([
      false,
      false,
      null,
    ]);
    expect(await readBack(files, "SELECT count(*), sum(id), count(DISTINCT label) FROM t")).toEqual([
      ["10000", "50005000", "10000"],
    ]);
    expect(await bench.filesLeft()).toEqual([]);
  });

  it("takes the ids and wider types of the lake's table that is there", async () => {
    await admin.query("CREATE TABLE shelves.wider (a int, b real); INSERT INTO shelves.wider VALUES (7, 0.5)");
    const columns = [
      { id: 4, name: "B", type: "float64", nullable: true, children: [] },
      { id: 9, name: "a", type: "int64", nullable: true, children: [] },
    ];
    const { files, parts } = await bench.extract(source, inSchema("wider"), { columns });
    expect(await typesOf(files)).toEqual({ a: "BIGINT", b: "DOUBLE" });
    expect(parts[0]!.statistics.map(({ columnId }) => columnId).sort()).toEqual([4, 9]);
  });

  it("leaves out what the role may not read, and says so", async () => {
    await admin.query(
      "CREATE TABLE shelves.guarded (id int PRIMARY KEY, secret text); INSERT INTO shelves.guarded VALUES (1, 'x'); DROP ROLE IF EXISTS extract_reader; CREATE ROLE extract_reader LOGIN PASSWORD 'pass'; GRANT USAGE ON SCHEMA shelves TO extract_reader; GRANT SELECT (id) ON shelves.guarded TO extract_reader",
    );
    const reader = postgresSource(ownPostgres(), { username: "extract_reader", password: "pass" });
    const { table, files } = await bench.extract(reader, inSchema("guarded"));
    expect(table.notes).toEqual(["This role may not read secret: left out."]);
    expect(await readBack(files, "FROM t")).toEqual([["1"]]);
    await expect(bench.extract(reader, inSchema("missing"))).rejects.toMatchObject({
      code: "sql_error",
      message: "There is no table shelves.missing, or this role may not see it.",
    });
  });

  it("is read as views, partitioned and foreign-keyed tables are: by their rows", async () => {
    await admin.query(`
      CREATE TABLE shelves.parts (id int, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
      CREATE TABLE shelves.parts_1 PARTITION OF shelves.parts FOR VALUES FROM ('2026-01-01') TO ('2026-02-01'); CREATE TABLE shelves.parts_2 PARTITION OF shelves.parts DEFAULT;
      INSERT INTO shelves.parts VALUES (1, '2026-01-05'), (2, '2027-01-01'); CREATE VIEW shelves.seen AS SELECT id * 2 AS twice FROM shelves.parts; CREATE MATERIALIZED VIEW shelves.kept AS SELECT 1 AS one`);
    const partitioned = await bench.extract(source, inSchema("parts"));
    expect([partitioned.table.kind, partitioned.table.primaryKey, partitioned.rows]).toEqual([
      "partitioned",
      ["id", "day"],
      2,
    ]);
    const view = await bench.extract(source, inSchema("seen"));
    expect([view.table.kind, view.rows]).toEqual(["view", 2]);
    expect((await bench.extract(source, inSchema("kept"))).table.kind).toBe("materialized");
  });
});

it("reads all tables of a run from one moment, by several readers", async () => {
  await admin.query("CREATE TABLE shelves.one AS SELECT 1 AS n; CREATE TABLE shelves.two AS SELECT 1 AS n");
  const snapshot = await bench.snapshot(source);
  try {
    await admin.query("INSERT INTO shelves.one VALUES (2); INSERT INTO shelves.two VALUES (2)");
    const tables = await Promise.all(["one", "two"].map((name) => snapshot.describe(inSchema(name), never())));
    const extracted = await Promise.all(tables.map((table) => bench.extract(snapshot, table)));
    expect(extracted.map(({ rows }) => rows)).toEqual([1, 1]);
  } finally {
    await snapshot.close();
  }
  await expect
    .poll(
      async () => (await admin.query("SELECT FROM pg_stat_activity WHERE application_name = 'fjord extract'")).rowCount,
      { timeout: 60_000 },
    )
    .toBe(0);
});

describe("a table that changes its form after the run began", () => {
  it.each([
    ["is truncated", "TRUNCATE TABLE T", "truncated or rewritten"],
    ["is rewritten", "ALTER TABLE T ALTER COLUMN n TYPE bigint", "truncated or rewritten"],
    [
      "loses its name to another",
      "ALTER TABLE T RENAME TO lost; CREATE TABLE T AS SELECT 2 AS n",
      "dropped or altered",
    ],
  ])("is not taken for another one, or an empty one, when it %s", async (what, change, said) => {
    const name = what.replaceAll(" ", "_");
    await admin.query(`CREATE TABLE shelves.${name} AS SELECT 1 AS n`);
    const snapshot = await bench.snapshot(source);
    try {
      const table = await snapshot.describe(inSchema(name), never());
      await admin.query(change.replaceAll("TABLE T", `TABLE shelves.${name}`));
      await expect(bench.extract(snapshot, table)).rejects.toMatchObject({
        code: "busy",
        message: `Table shelves.${name} was ${said} after this run began; try again.`,
      });
    } finally {
      await snapshot.close();
    }
  });

  it("can be altered while other tables of the run are read", async () => {
    await admin.query("CREATE TABLE shelves.freed AS SELECT 1 AS n");
    const snapshot = await bench.snapshot(source);
    try {
      await bench.extract(snapshot, inSchema("freed"));
      await admin.query("SET lock_timeout = '2s'; ALTER TABLE shelves.freed ADD COLUMN more int; RESET lock_timeout");
    } finally {
      await snapshot.close();
    }
  });
});
