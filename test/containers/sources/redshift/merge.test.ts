// `merge` from Redshift where digests could miss a change, or a key that is only declared could lose a row: after every
// run the lake is the source.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeRedshift } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { ExtractionBench, readBack } from "../../../support/node/sources/extraction.ts";
import { ownPostgres } from "../../../support/node/sources/sources.ts";
import { SyncBench, type Ran } from "../../../support/node/sync/test-sync.ts";

const RANGE_ROWS = 20;
const RANGES = /^(\d+) of \d+ ranges had changed$/;
let fake: FakeRedshift;
let extraction: ExtractionBench;
let bench: SyncBench;
beforeAll(async () => {
  [fake, extraction] = await Promise.all([FakeRedshift.start(ownPostgres()), ExtractionBench.open()]);
});
afterAll(() => Promise.all([fake.close(), extraction.close()]));
beforeEach(async () => {
  await fake.admin.query("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s");
  bench = await SyncBench.open(fake.source(), RANGE_ROWS);
});
afterEach(() => bench.close());

const merge = async (
  more: Partial<Parameters<SyncBench["run"]>[0]> = {},
): Promise<Ran["progress"]["tables"][number]> => {
  const { error, progress } = await bench.run({ tables: ["s.t"], ...more });
  expect(error).toBeNull();
  expect(await inLake()).toEqual(await atSource());
  return progress.tables[0]!;
};

/** Each row as one text, sorted: of the lake, and of the source as it is read now as a whole. */
const TEXT = "SELECT CAST(t AS VARCHAR) AS row FROM";
const inLake = async () => (await bench.texts(`${TEXT} main.t AS t`)).map(([row]) => row).sort();
async function atSource() {
  const { files } = await extraction.extract(fake.source(), { schema: "s", name: "t" });
  return (await readBack(files, `${TEXT} t`)).map(([row]) => row).sort();
}

describe("a change of one value", () => {
  // [type, before, after]
  const CHANGES: [type: string, before: string, after: string][] = [
    ["smallint", "1", "2"],
    ["decimal(38,10)", "1.0000000001", "1.0000000002"],
    ["real", "'1.00000000'", "'1.00000012'"],
    ["real", "'16777214'", "'16777215'"],
    ["double precision", "'0.1'", "'0.10000000000000002'"],
    ["double precision", "'1e300'", "'1.0000000000000002e300'"],
    ["double precision", "'NaN'", "'-Infinity'"],
    ["boolean", "true", "NULL"],
    ["char(5)", "'ab'", "'ac'"],
    ["varchar(20)", "''", "NULL"],
    ["varchar(20)", "'a'", "'a '"],
    ["varchar(20)", "'N'", "NULL"],
    ["date", "'2026-01-01'", "'2026-01-02'"],
    ["time", "'10:00:00.000001'", "'10:00:00.000002'"],
    ["timetz", "'10:00:00+00'", "'11:00:00+01'"],
    ["timestamp", "'2026-01-01 10:00:00.000001'", "'2026-01-01 10:00:00.000002'"],
    ["timestamptz", "'2026-01-01 10:00:00.000001+00'", "'2026-01-01 10:00:00.000001+01'"],
    ["super", `json_parse('{"a":1}')`, `json_parse('{"a":1.0}')`],
    ["varbyte", "from_hex('00')", "from_hex('0000')"],
    ["geometry", "'0101'", "'0102'"],
  ];

  it("is seen of every type, and read by its range alone", async () => {
    const columns = CHANGES.map(([type], i) => `c${i} ${type}`);
    await fake.admin.query(
      `CREATE TABLE s.t (id int PRIMARY KEY, ${columns.join(", ")});
      INSERT INTO s.t SELECT n, ${CHANGES.map(([, before]) => before).join(", ")} FROM generate_series(1, 400) n`,
    );
    await merge();
    for (const [i, [type, , after]] of CHANGES.entries()) {
      await fake.admin.query(`UPDATE s.t SET c${i} = ${after} WHERE id = ${i * 20 + 5}`);
      const said = await merge();
      expect(said.method, `${type}: ${said.notes.join()}`).toMatch(/^1 of /);
      expect(said.rowsWritten, type).toBe(1);
    }
    expect(await merge()).toMatchObject({ rowsRead: 0, rowsWritten: 0 });
  });

  it("is seen where a value moves from one column to the next", async () => {
    await fake.admin.query(
      `CREATE TABLE s.t (id int PRIMARY KEY, a varchar(20), b varchar(20), c int, d int);
      INSERT INTO s.t SELECT n, 'x', NULL, 1, NULL FROM generate_series(1, 100) n`,
    );
    await merge();
    await fake.admin.query(
      "UPDATE s.t SET a = NULL, b = 'x' WHERE id = 1; UPDATE s.t SET c = NULL, d = 1 WHERE id = 99",
    );
    expect((await merge()).rowsWritten).toBe(2);
  });
});

describe("a key", () => {
  it.each<[types: string[], values: string]>([
    [["smallint"], "n - 200"],
    [["bigint"], "(n - 200)::bigint * 46116860184273879"],
    [["decimal(9,0)"], "n"],
    [["decimal(4,4)"], "(n - 200) / 10000.0"],
    [["decimal(30,2)"], "n * 1e20 + 0.25"],
    [["date"], "date '1969-12-01' + n"],
    [["timestamp"], "timestamp '1969-12-31 23:59:00' + n * interval '1.5 s'"],
    [["timestamptz"], "timestamptz '2026-01-01 00:00:00+00' + n * interval '0.000001 s'"],
    [["char(8)"], "'k' || n"],
    [["varchar(40)"], "'ü, ' || n || ' '"],
    [["boolean", "int"], "n % 2 = 0, n"],
    [["date", "varchar(10)"], "date '2026-01-01' + n % 30, n::text"],
  ])("of %j is told at the source as in the lake", async (types, values) => {
    const names = types.map((_, i) => `k${i}`);
    const columns = types.map((type, i) => `k${i} ${type}`);
    await fake.admin.query(
      `CREATE TABLE s.t (${columns.join(", ")}, v int, PRIMARY KEY (${names.join(", ")}));
      INSERT INTO s.t SELECT ${values}, 0 FROM generate_series(1, 400) n`,
    );
    await merge();
    await fake.admin.query(
      `WITH chosen AS (SELECT ctid FROM s.t ORDER BY ${names.join(", ")} LIMIT 2 OFFSET 200)
      UPDATE s.t SET v = 1 WHERE ctid IN (SELECT ctid FROM chosen);
      DELETE FROM s.t WHERE ctid IN (SELECT ctid FROM s.t ORDER BY ${names.join(", ")} LIMIT 1)`,
    );
    const said = await merge();
    expect(said.method).toMatch(RANGES);
    expect(said.rowsWritten).toBe(2);
    expect(said.rowsDeleted).toBeGreaterThanOrEqual(3);
  });

  it("whose numbers lie as far apart as 64 bits allow is cut in two, and merged", async () => {
    await fake.admin.query(
      `CREATE TABLE s.t (id bigint PRIMARY KEY, v int);
      INSERT INTO s.t VALUES (-9223372036854775807, 0), (-1, 0), (9223372036854775807, 0)`,
    );
    await merge();
    await fake.admin.query("UPDATE s.t SET v = 1 WHERE id = -1");
    expect((await merge()).method).toBe("1 of 2 ranges had changed");
  });

  /** Redshift takes any row, whatever the declaration says. */
  const declareOnly = () =>
    fake.admin.query("UPDATE pg_index SET indisunique = false WHERE indrelid = 's.t'::regclass");

  it("that two rows share loses none of them, and doubles none", async () => {
    await fake.admin.query(
      "CREATE TABLE s.t (id int PRIMARY KEY, v int); INSERT INTO s.t SELECT n, 0 FROM generate_series(1, 200) n",
    );
    await declareOnly();
    await merge();
    await fake.admin.query("INSERT INTO s.t VALUES (7, 1), (150, 0), (150, 0)");
    expect((await merge()).notes.join()).toContain("Some of its keys are the same");
    await fake.admin.query("UPDATE s.t SET v = 5 WHERE id = 100");
    const apart = await merge();
    expect(apart.method).toMatch(/^1 of /);
    await fake.admin.query("UPDATE s.t SET v = 6 WHERE id = 150");
    await merge();
    await fake.admin.query("DELETE FROM s.t WHERE id IN (7, 150)");
    await merge();
  });

  it("that two rows share is no key to a merge by a cursor", async () => {
    await fake.admin.query(
      `CREATE TABLE s.t (id int PRIMARY KEY, at timestamp);
      INSERT INTO s.t SELECT n, timestamp '2026-01-01' + n * interval '1 s' FROM generate_series(1, 200) n`,
    );
    await declareOnly();
    const byCursor = { cursors: { "s.t": "at" } };
    await merge(byCursor);
    await fake.admin.query("INSERT INTO s.t VALUES (201, '2026-02-01')");
    expect((await merge(byCursor)).method).toBe("rows changed by at");
    await fake.admin.query("INSERT INTO s.t VALUES (7, '2026-03-01')");
    const said = await merge(byCursor);
    expect(said.notes.join()).toContain("Its declared key is not unique");
  });
});

describe("what can't be hashed", () => {
  it("is read as a whole, and said", async () => {
    await fake.admin.query(
      "CREATE TABLE s.t (id int PRIMARY KEY, h hllsketch); INSERT INTO s.t SELECT n, 'x' FROM generate_series(1, 50) n",
    );
    await merge();
    await fake.admin.query("UPDATE s.t SET h = 'y' WHERE id = 3");
    expect((await merge()).notes.join()).toContain("a column whose values can't be hashed there");
  });

  it("for its length is read as a whole, and said", async () => {
    await fake.admin.query(
      `CREATE TABLE s.t (id int PRIMARY KEY, d super);
      INSERT INTO s.t SELECT n, json_parse('"' || repeat('x', 60000 + n * 2000) || '"') FROM generate_series(1, 5) n`,
    );
    await merge();
    await fake.admin.query(`UPDATE s.t SET d = json_parse('1') WHERE id = 4`);
    expect((await merge()).notes.join()).toContain("The database could not hash its rows");
    await fake.admin.query("DELETE FROM s.t WHERE id IN (3, 5)");
    await merge();
    await fake.admin.query("INSERT INTO s.t VALUES (9, json_parse('2'))");
    expect((await merge()).method).toMatch(RANGES);
  });
});
