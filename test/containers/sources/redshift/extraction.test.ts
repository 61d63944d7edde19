// Tables of Redshift as a sync reads them: every type exactly, from one snapshot, no row lost or doubled in silence.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { FakeRedshift } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { ExtractionBench, never, readBack } from "../../../support/node/sources/extraction.ts";
import { ownPostgres } from "../../../support/node/sources/sources.ts";

let fake: FakeRedshift;
let bench: ExtractionBench;
beforeAll(async () => {
  [fake, bench] = await Promise.all([FakeRedshift.start(ownPostgres()), ExtractionBench.open()]);
  await fake.admin.query(`
    CREATE SCHEMA shop; CREATE SCHEMA "Odd";
    CREATE TABLE shop.kinds (
      id int PRIMARY KEY, a smallint, b bigint, r real, d float8, n decimal(38,10), m decimal(4,2), t boolean, c char(5),
      v varchar(40), day date, clock time, clock_tz timetz, at timestamp, at_tz timestamptz, s redshift.super,
      bytes redshift.varbyte, shape redshift.geometry, sketch redshift.hllsketch, span redshift.intervald2s);
    INSERT INTO shop.kinds VALUES
      (1, -32768, -9223372036854775808, '1.17549435e-38', '5e-324', '-9999999999999999999999999999.9999999999', -99.99,
        true, 'ab', 'ü ''\\ 😀', '0001-01-01', '23:59:59.999999', '10:00:00.5+02', '9999-12-31 23:59:59.999999',
        '1970-01-01 00:00:00.000001+00', '{"a":[1.50,null,"x"]}', '00ff61', '0101', '{"s":1}', '3 days'),
      (2, 32767, 9223372036854775807, '3.4028235e38', '1.7976931348623157e308', '0.0000000001', 0, false, 'abcde ', '',
        '9999-12-31', '00:00:00', '00:00:00+00', '1970-01-01', '2026-06-30 12:00:00+05:30', '"text"', '', '', '', '0 days'),
      (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (4, 0, 0, 'NaN', '-Infinity', 0, 0, false, '', ' x ', '2000-02-29', '12:00', '12:00+00', '2000-01-01', '2000-01-01+00', '[]', '61', '', '', '');
    CREATE TABLE shop.many (id int PRIMARY KEY, v varchar(20));
    INSERT INTO shop.many SELECT n, 'v' || n FROM generate_series(1, 30000) n;
    CREATE TABLE "Odd"."Mixed Case" (id int PRIMARY KEY, "Col""umn" int); INSERT INTO "Odd"."Mixed Case" VALUES (1, 2);
    CREATE TABLE shop.far (at timestamptz); INSERT INTO shop.far VALUES ('294276-12-31 23:59:59+00'), ('2026-01-01+00');
    CREATE VIEW shop.seen AS SELECT id, v FROM shop.many WHERE id <= 10`);
});
afterAll(() => Promise.all([fake.close(), bench.close()]));
afterEach(() => (fake.fault = undefined));

describe("a table", () => {
  it("arrives with every value as it is", async () => {
    const { files, table } = await bench.extract(fake.source(), { schema: "shop", name: "kinds" });
    expect(table.columns.map(({ lake }) => lake.type)).toEqual([
      ...["int32", "int16", "int64", "float32", "float64", "decimal(38,10)", "decimal(4,2)", "boolean", "varchar"],
      ...[
        "varchar",
        "date",
        "time",
        "varchar",
        "timestamp",
        "timestamptz",
        "json",
        "blob",
        "varchar",
        "varchar",
        "varchar",
      ],
    ]);
    expect(table.primaryKey).toEqual(["id"]);
    expect(table.notes).toEqual([expect.stringContaining("Redshift holds no row to it")]);
    const text = table.columns.map(({ lake }) =>
      lake.type === "blob" ? `hex("${lake.name}")` : `"${lake.name}"::VARCHAR`,
    );
    expect(await readBack(files, `SELECT ${text.join(", ")} FROM t ORDER BY id`)).toEqual([
      [
        "1",
        "-32768",
        "-9223372036854775808",
        "1.1754944e-38",
        "5e-324",
        "-9999999999999999999999999999.9999999999",
        "-99.99",
        "true",
        "ab",
        "ü '\\ 😀",
        "0001-01-01",
        "23:59:59.999999",
        "10:00:00.5+02",
        "9999-12-31 23:59:59.999999",
        "1970-01-01 00:00:00.000001+00",
        '{"a":[1.50,null,"x"]}',
        "00FF61",
        "0101",
        '{"s":1}',
        "3 days",
      ],
      [
        "2",
        "32767",
        "9223372036854775807",
        "3.4028235e+38",
        "1.7976931348623157e+308",
        "0.0000000001",
        "0.00",
        "false",
        "abcde",
        "",
        "9999-12-31",
        "00:00:00",
        "00:00:00+00",
        "1970-01-01 00:00:00",
        "2026-06-30 06:30:00+00",
        '"text"',
        "",
        "",
        "",
        "0 days",
      ],
      ["3", ...Array<null>(19).fill(null)],
      [
        "4",
        "0",
        "0",
        "nan",
        "-inf",
        "0.0000000000",
        "0.00",
        "false",
        "",
        " x ",
        "2000-02-29",
        "12:00:00",
        "12:00:00+00",
        "2000-01-01 00:00:00",
        "2000-01-01 00:00:00+00",
        "[]",
        "61",
        "",
        "",
        "",
      ],
    ]);
  });

  it("is read where its name and columns have capital letters, spaces and quotes", async () => {
    const { rows, table } = await bench.extract(fake.source(), { schema: "Odd", name: "Mixed Case" });
    expect(rows).toBe(1);
    expect(table.columns.map(({ name }) => name)).toEqual(["id", 'Col"umn']);
  });

  it("is read as text where a value has no place in its type", async () => {
    const mismatch = await bench
      .extract(fake.source(), { schema: "shop", name: "far" })
      .catch((error: unknown) => error);
    expect(mismatch).toMatchObject({ column: "at", readAs: "varchar" });
    const { files } = await bench.extract(
      fake.source(),
      { schema: "shop", name: "far" },
      { readAs: new Map([["at", "varchar" as const]]) },
    );
    expect(await readBack(files, 'SELECT "at" FROM t ORDER BY 1')).toEqual([
      ["2026-01-01 00:00:00+00"],
      ["294276-12-31 23:59:59+00"],
    ]);
  });

  it("is a view's rows, without a key", async () => {
    const { rows, table } = await bench.extract(fake.source(), { schema: "shop", name: "seen" });
    expect(rows).toBe(10);
    expect(table).toMatchObject({ kind: "view", primaryKey: [] });
  });

  it("says what is missing, and what may not be read", async () => {
    await fake.createUser("rs_part", "pw");
    await fake.admin.query("GRANT USAGE ON SCHEMA shop TO rs_part; GRANT SELECT (id) ON shop.many TO rs_part");
    const snapshot = await bench.snapshot(fake.source({ username: "rs_part", password: "pw" }));
    try {
      await expect(snapshot.describe({ schema: "shop", name: "nothing" }, never())).rejects.toThrow(
        "There is no table shop.nothing",
      );
      await expect(snapshot.describe({ schema: "shop", name: "many" }, never())).rejects.toThrow(
        "This user may not read all columns of shop.many",
      );
      const reasons = await snapshot.explainMissing(["shop.many", "shop.nothing"], new Set(), never());
      expect(reasons.get("shop.many")).toContain("grant it USAGE on the schema and SELECT");
      expect(reasons.get("shop.nothing")).toBe("The source has no table shop.nothing.");
    } finally {
      await snapshot.close();
    }
  });
});

describe("a snapshot", () => {
  it("shows what was there when it began", async () => {
    const snapshot = await bench.snapshot(fake.source());
    try {
      const table = await snapshot.describe({ schema: "shop", name: "many" }, never());
      await fake.admin.query("INSERT INTO shop.many VALUES (0, 'late')");
      expect((await bench.extract(snapshot, table)).rows).toBe(30_000);
    } finally {
      await snapshot.close();
      await fake.admin.query("DELETE FROM shop.many WHERE id = 0");
    }
  });

  it("lists tables and views", async () => {
    const snapshot = await bench.snapshot(fake.source());
    const listed = await snapshot.listTables(never());
    await snapshot.close();
    expect(listed.map(({ path, isView }) => [path, isView])).toEqual([
      ["Odd.Mixed Case", false],
      ["shop.far", false],
      ["shop.kinds", false],
      ["shop.many", false],
      ["shop.seen", true],
    ]);
  });

  it("is opened where names in quotes can't be asked for as they are", async () => {
    fake.refusedSettings.add("enable_case_sensitive_identifier");
    const { rows } = await bench.extract(fake.source(), { schema: "shop", name: "many" });
    fake.refusedSettings.clear();
    expect(rows).toBe(30_000);
  });

  it("asks to be tried again where transactions conflict", async () => {
    await fake.admin.query(`CREATE VIEW shop.conflicts AS SELECT redshift.conflict() AS n`);
    const failed = await bench
      .extract(fake.source(), { schema: "shop", name: "conflicts" })
      .catch((error: unknown) => error);
    await fake.admin.query("DROP VIEW shop.conflicts");
    expect(failed).toMatchObject({ code: "busy" });
  });

  it("asks for nothing that Redshift does not have, and ends with its session", async () => {
    await expect.poll(() => fake.sessions, { timeout: 10_000 }).toBe(0);
    expect(fake.statements.filter((sql) => /\bcopy\b|pg_export|set_config|::regclass/i.test(sql))).toEqual([]);
  });

  it("stops at the server when it is aborted", async () => {
    const before = fake.cancels;
    const abort = new AbortController();
    fake.fault = { kind: "stall", row: 20_000 };
    const reading = bench.extract(fake.source(), { schema: "shop", name: "many" }, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("stopped by the test")), 500);
    await expect(reading).rejects.toThrow("stopped by the test");
    expect(fake.cancels).toBe(before + 1);
    await expect.poll(() => fake.sessions, { timeout: 10_000 }).toBe(0);
  });
});

describe("an answer that is not whole", () => {
  it.each<[Fault, RegExp]>([
    [{ kind: "truncate", row: 20_000 }, /counts 30000 rows of shop.many, and 20000 arrived/],
    [{ kind: "lose", row: 20_000 }, /counts 30000 rows of shop.many, and 29999 arrived/],
    [{ kind: "repeat", row: 20_000 }, /counts 30000 rows of shop.many, and 30001 arrived/],
    [{ kind: "close", row: 20_000 }, /closed the connection/],
    [{ kind: "huge", row: 20_000 }, /MiB|length/],
  ])("is refused: %j", async (fault, message) => {
    fake.fault = fault;
    const failed = await bench.extract(fake.source(), { schema: "shop", name: "many" }).catch((error: Error) => error);
    expect((failed as Error).message).toMatch(message);
    fake.fault = undefined;
    expect((await bench.extract(fake.source(), { schema: "shop", name: "many" })).rows).toBe(30_000);
    await expect.poll(() => fake.sessions, { timeout: 10_000 }).toBe(0);
  });
});
