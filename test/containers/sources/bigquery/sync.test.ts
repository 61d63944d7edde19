// Syncs from BigQuery by the engine's own job: what comes to the lake, and how a merge finds what changed.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFakeBigquery } from "../../../support/node/sources/bigquery/with-fake.ts";
import { SyncBench, type Ran } from "../../../support/node/sync/test-sync.ts";

const fake = withFakeBigquery(() => Promise.resolve());
let bench: SyncBench;
let count = 0;
let schema: string;
beforeEach(async () => {
  schema = `d${++count}`;
  await fake().database.execute(`CREATE SCHEMA ${schema}`);
  bench = await SyncBench.open(fake().source(), 100);
});
afterEach(() => bench.close());

/** `{t}` is a table of the test's dataset. */
const run = (sql: string): Promise<void> => fake().database.execute(sql.replace(/\{(\w+)\}/g, `${schema}.$1`));
const path = (name: string): string => `${schema}.${name}`;

/** `key`: declared, as BigQuery's keys are, and not enforced. */
async function create(name: string, columns: string, key: string[] = ["id"], facts: object = {}): Promise<void> {
  await run(`CREATE TABLE {${name}} (${columns})`);
  const constraints = key.length > 0 ? { tableConstraints: { primaryKey: { columns: key } } } : {};
  fake().facts.set(path(name), { ...constraints, ...facts });
}

async function synced(name: string, more = {}): Promise<Ran> {
  const ran = await bench.run({ tables: [path(name)], ...more });
  expect(ran.table(path(name)).error).toBeNull();
  return ran;
}
const reported = (ran: Ran, name: string) => ran.table(path(name));
const notes = (ran: Ran, name: string) => reported(ran, name).notes.join(" ");

/** What the lake has of these columns is what the source has, row by row. */
async function expectSame(name: string, columns: string): Promise<void> {
  const rows = `SELECT CAST(ROW(${columns}) AS VARCHAR) AS r FROM`;
  const source = await fake().database.open(`${rows} ${path(name)}`, []);
  const texts = (await source.rows(0, source.totalRows, true)).map(
    (text) => (JSON.parse(text) as { f: { v: string }[] }).f[0]!.v,
  );
  source.close();
  expect((await bench.texts(`${rows} ${name}`)).map(([text]) => text).sort()).toEqual(texts.sort());
}
const sentSince = (start: number) =>
  fake()
    .jobs.statements.slice(start)
    .map(({ sql }) => sql);

describe("a table of BigQuery", () => {
  it("comes to the lake with every digit of every type", async () => {
    await create(
      "t",
      `id INT64 NOT NULL, n NUMERIC, p NUMERIC(10, 2), b BIGNUMERIC, f FLOAT64, o BOOL, s STRING, y BYTES, d DATE,
       i TIME, e DATETIME, z TIMESTAMP, j JSON, l INT64[], u STRUCT(a INT64, b STRING), g GEOGRAPHY`,
    );
    await run(`INSERT INTO {t} VALUES
      (-9223372036854775808, 12345678901234567890123456789.123456789, -99999999.99,
       BIGNUMERIC '12345678901234567890123456789012345678.12345678901234567890123456789012345678', 0.1, TRUE,
       'é😀', b'\\x00\\xff', DATE '0001-01-01', TIME '23:59:59.999999', DATETIME '9999-12-31 23:59:59.999999',
       TIMESTAMP '1969-12-31 23:59:59.999999+00', JSON '{"a": 1}', [1, 2], {'a': 9007199254740993, 'b': 'x'},
       GEOGRAPHY 'POINT(1 2)'),
      (9223372036854775807, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
    await synced("t");
    const cast = "SELECT * REPLACE (hex(y) AS y) FROM t ORDER BY id";
    const [first, second] = await bench.rows(`SELECT COLUMNS(*)::VARCHAR FROM (${cast})`);
    expect(first).toEqual({
      id: "-9223372036854775808",
      n: "12345678901234567890123456789.123456789",
      p: "-99999999.99",
      b: "12345678901234567890123456789012345678.12345678901234567890123456789012345678",
      f: "0.1",
      o: "true",
      s: "é😀",
      y: "00FF",
      d: "0001-01-01",
      i: "23:59:59.999999",
      e: "9999-12-31 23:59:59.999999",
      z: "1969-12-31 23:59:59.999999+00",
      j: expect.stringMatching(/^\{"a": ?1\}$/) as string,
      l: "[1,2]",
      u: '{"a":9007199254740993,"b":"x"}',
      g: "POINT(1 2)",
    });
    expect(Object.values(second!).filter((value) => value !== null)).toEqual(["9223372036854775807", "[]"]);
  });

  it("is read as of one moment, the same of every table and statement of a run", async () => {
    await create("a", "id INT64");
    await create("b", "id INT64");
    const start = fake().jobs.statements.length;
    await bench.run({ tables: [path("a"), path("b")] });
    const moments = sentSince(start).flatMap((sql) =>
      [...sql.matchAll(/SYSTEM_TIME AS OF TIMESTAMP_MICROS\((\d+)\)/g)].map(([, at]) => at),
    );
    expect(moments.length).toBeGreaterThan(3);
    expect(new Set(moments).size).toBe(1);
    const reads = sentSince(start).filter((sql) => /\bFROM `/.test(sql));
    expect(reads.filter((sql) => !/SYSTEM_TIME/.test(sql))).toEqual([]);
  });

  it("is read as it is where BigQuery keeps no past of it, and the run says so", async () => {
    await run("CREATE VIEW {v} AS SELECT 1 AS id");
    const start = fake().jobs.statements.length;
    expect(notes(await synced("v"), "v")).toMatch(
      /as it is when its turn comes, as a whole at each run: BigQuery keeps the past/,
    );
    expect(sentSince(start).filter((sql) => /SYSTEM_TIME/.test(sql))).toEqual([]);
    await create("young", "id INT64", ["id"], { creationTime: String(Date.now() + 60_000) });
    expect(notes(await synced("young"), "young")).toMatch(
      /as it is when its turn comes, as a whole at each run: it is new/,
    );
  });

  it("is read as it is where its rows have policies, for which an account may not read their past", async () => {
    await create("t", "id INT64");
    await run("INSERT INTO {t} VALUES (1)");
    fake().spoil("jobs.insert", (answer) =>
      fake().jobs.statements.at(-1)!.sql.includes("SYSTEM_TIME")
        ? {
            status: 403,
            body: { error: { errors: [{ reason: "accessDenied", message: "no time travel" }], message: "" } },
          }
        : answer,
    );
    expect(notes(await synced("t"), "t")).toMatch(/its rows have policies/);
    // Digests would be of another moment than the rows: a change back would look like none.
    expect(reported(await synced("t"), "t")).toMatchObject({ method: "full read", rowsRead: 1 });
    expect(await bench.texts("SELECT id::VARCHAR FROM t")).toEqual([["1"]]);
  });

  it("is asked for with a condition on its partitions where it wants one, which every row satisfies", async () => {
    await create("t", "id INT64, day DATE", ["id"], {
      requirePartitionFilter: true,
      timePartitioning: { type: "DAY", field: "day" },
    });
    await run("INSERT INTO {t} VALUES (1, DATE '2026-01-01'), (2, NULL), (3, DATE '0001-01-01')");
    const start = fake().jobs.statements.length;
    await synced("t");
    expect(await bench.texts("SELECT id FROM t ORDER BY id")).toHaveLength(3);
    const reads = sentSince(start).filter((sql) => /\bFROM [(]?`|FROM \(SELECT \* FROM `/.test(sql));
    expect(reads.filter((sql) => !sql.includes("`day` >= DATE '0001-01-01' OR `day` IS NULL"))).toEqual([]);
  });

  it("says what reading all of it scans", async () => {
    fake().jobs.bytesProcessed = 123_456;
    await create("t", "id INT64");
    expect(notes(await synced("t"), "t")).toContain("123456 bytes");
  });

  it("is not read beyond the bytes that may be billed, in words", async () => {
    fake().jobs.bytesProcessed = 123_456;
    await bench.close();
    bench = await SyncBench.open(fake().source({ maximum_bytes_billed: "1000" }), 100);
    await create("t", "id INT64");
    const ran = await bench.run({ tables: [path("t")] });
    expect(JSON.stringify(ran)).toMatch(/maximum_bytes_billed/);
    fake().jobs.bytesProcessed = 1_024;
  });

  it("that is gone, or that the account may not read, is explained", async () => {
    await create("t", "id INT64");
    const ran = await bench.run({ tables: [path("t"), path("T"), path("nothing")] });
    expect(JSON.stringify(ran.progress)).toMatch(/has no table \w+\.nothing/);
    expect(JSON.stringify(ran.progress)).toMatch(/Capitals count/);
  });
});

const KEYS: [what: string, type: string, value: (n: number) => string][] = [
  ["numbers", "INT64", (n) => `${n}`],
  ["numbers far apart", "INT64", (n) => `${n * 10_000_000_000_000_000 - 4_000_000_000_000_000_000}`],
  ["texts", "STRING", (n) => `'k, é${n} '`],
  ["dates", "DATE", (n) => `DATE '1970-01-01' + ${n * 7 - 300}`],
  ["instants", "TIMESTAMP", (n) => `TIMESTAMP '1969-12-31 23:59:0${n % 9}.${n}5+00' + INTERVAL ${n} HOUR`],
  ["local times", "DATETIME", (n) => `DATETIME '2026-01-01 00:00:00.${n}' + INTERVAL ${n} MINUTE`],
  ["whole decimals", "NUMERIC(38, 0)", (n) => `${n}0000000000000000000`],
  ["truths", "BOOL", (n) => (n % 2 === 0 ? "TRUE" : "FALSE")],
];

describe("a merge", () => {
  const fill = (value: (n: number) => string, from: number, to: number) =>
    `INSERT INTO {t} VALUES ${Array.from({ length: to - from + 1 }, (_, i) => `(${value(from + i)}, ${from + i}, 'row')`).join(", ")}`;

  it.each(KEYS)("of keys that are %s reads what changed, and comes to what the source has", async (_, type, value) => {
    const isTwoRows = type === "BOOL";
    await create("t", `id ${type}, n INT64, s STRING`);
    await run(fill(value, 1, isTwoRows ? 2 : 600));
    await synced("t");
    await expectSame("t", "id, n, s");
    await run(`UPDATE {t} SET s = 'changed' WHERE n = 2`);
    if (!isTwoRows) {
      await run(`DELETE FROM {t} WHERE n = 77`);
      await run(fill(value, 601, 603));
    }
    const ran = await synced("t");
    await expectSame("t", "id, n, s");
    expect(await bench.texts("SELECT n::VARCHAR FROM t WHERE s = 'changed'")).toEqual([["2"]]);
    expect(await bench.texts("SELECT n FROM t WHERE n = 77")).toEqual([]);
    expect(reported(ran, "t").method).toMatch(isTwoRows ? /./ : /ranges had changed/);
    expect(reported(ran, "t").rowsRead).toBeLessThan(isTwoRows ? 3 : 600);
    const again = await synced("t");
    expect(reported(again, "t").rowsRead).toBe(0);
  });

  it.each(["BIGNUMERIC", "NUMERIC"])("of keys that are %s reads all of the table, and says why", async (type) => {
    await create("t", `id ${type}, s STRING`);
    const value = (text: string) => (type === "BIGNUMERIC" ? `BIGNUMERIC '${text}'` : text);
    await run(`INSERT INTO {t} VALUES (${value("1.5")}, 'a'), (${value("2.25")}, 'b')`);
    await synced("t");
    await run(`UPDATE {t} SET s = 'changed' WHERE s = 'a'`);
    expect(notes(await synced("t"), "t")).toMatch(/Its key has a column whose ranges/);
    expect(await bench.texts("SELECT s FROM t ORDER BY s")).toEqual([["b"], ["changed"]]);
  });

  it("sees a change of any column that the lake would hold otherwise", async () => {
    await create(
      "t",
      `id INT64, f FLOAT64, s STRING, s2 STRING, y BYTES, z TIMESTAMP, j JSON, l STRING[], u STRUCT(a INT64, b STRING)[],
       w STRUCT(a FLOAT64, b STRING[]), n NUMERIC, b BIGNUMERIC, g GEOGRAPHY`,
    );
    await run(`INSERT INTO {t} SELECT i, 0.1, 'a', 'b', b'a', TIMESTAMP '2026-01-01 00:00:00+00', JSON '{"a":1}', ['a', 'b'],
      [{'a': 1, 'b': 'x'}], {'a': 0.1, 'b': ['x']}, 1, BIGNUMERIC '1', GEOGRAPHY 'POINT(1 2)' FROM range(20) r(i)`);
    await synced("t");
    const changes = [
      "f = 0.1 + 0.00000000000000003",
      "f = NULL",
      "s = 'ab', s2 = ''",
      "s = NULL",
      "s = 'N'",
      "y = b'A'",
      "z = TIMESTAMP '2026-01-01 00:00:00.000001+00'",
      "j = JSON '{\"a\":2}'",
      "l = ['a,b']",
      "l = ['ab', '']",
      "u = [{'a': 1, 'b': 'x'}, {'a': 1, 'b': 'x'}]",
      "u = [{'a': NULL, 'b': 'x'}]",
      "w = {'a': 0.1 + 0.00000000000000003, 'b': ['x']}",
      "w = {'a': 0.1, 'b': ['x', 'x']}",
      "n = 1.000000001",
      "b = BIGNUMERIC '1.00000000000000000000000000000000000001'",
      "g = GEOGRAPHY 'POINT(2 1)'",
    ];
    for (const [i, change] of changes.entries()) {
      await run(`UPDATE {t} SET ${change} WHERE id = ${i}`);
      const ran = await synced("t");
      expect([change, reported(ran, "t").rowsWritten, reported(ran, "t").rowsDeleted]).toEqual([change, 1, 1]);
    }
  });

  it.each([
    ["the same key twice", "INSERT INTO {t} VALUES (5, 'again')"],
    ["two rows without a key", "INSERT INTO {t} VALUES (NULL, 'none'), (NULL, 'none either')"],
  ])("of a table with %s, which nothing at BigQuery prevents, loses and doubles nothing", async (_, sql) => {
    await create("t", "id INT64, s STRING");
    await run("INSERT INTO {t} SELECT i, 'row' FROM range(500) r(i)");
    await synced("t");
    await run(sql);
    await synced("t");
    await expectSame("t", "id, s");
    await run("UPDATE {t} SET s = 'changed' WHERE id = 5");
    await synced("t");
    await expectSame("t", "id, s");
    await run("DELETE FROM {t} WHERE id IS NULL OR id = 5");
    await synced("t");
    await expectSame("t", "id, s");
  });

  it("by a cursor goes by no key that two rows share", async () => {
    await create("t", "id INT64, z TIMESTAMP");
    await run(
      "INSERT INTO {t} SELECT i, TIMESTAMP '2026-01-01 00:00:00+00' + INTERVAL (i) MINUTE FROM range(300) r(i)",
    );
    const byCursor = { cursors: { [path("t")]: "z" } };
    await synced("t", byCursor);
    await run("INSERT INTO {t} VALUES (300, TIMESTAMP '2026-02-01 00:00:00+00')");
    expect(reported(await synced("t", byCursor), "t").method).toBe("rows changed by z");
    await expectSame("t", "id, z");
    await run("INSERT INTO {t} VALUES (5, TIMESTAMP '2026-03-01 00:00:00+00')");
    expect(notes(await synced("t", byCursor), "t")).toMatch(/declared key is not unique/);
    await expectSame("t", "id, z");
  });

  it("reads all of a table that was made anew, altered, or emptied", async () => {
    await create("t", "id INT64, s STRING", ["id"], { creationTime: "1000" });
    await run("INSERT INTO {t} SELECT i, 'row' FROM range(300) r(i)");
    await synced("t");
    fake().facts.set(path("t"), { ...fake().facts.get(path("t")), creationTime: "2000" } as object);
    expect(notes(await synced("t"), "t")).toMatch(/columns changed since the last run/);
    await run("ALTER TABLE {t} ADD COLUMN n INT64");
    await run("UPDATE {t} SET n = id WHERE id < 5");
    await synced("t");
    expect(await bench.texts("SELECT count(n)::VARCHAR FROM t")).toEqual([["5"]]);
    await run("DELETE FROM {t} WHERE TRUE");
    await synced("t");
    expect(await bench.texts("FROM t")).toEqual([]);
  });

  it("replaces a table without a key", async () => {
    await create("t", "id INT64, s STRING", []);
    await run("INSERT INTO {t} VALUES (1, 'a'), (1, 'a')");
    await synced("t");
    await run("DELETE FROM {t} WHERE TRUE");
    await run("INSERT INTO {t} VALUES (2, 'b')");
    expect(notes(await synced("t"), "t")).toMatch(/no primary key/);
    expect(await bench.texts("SELECT id::VARCHAR FROM t")).toEqual([["2"]]);
  });
});

describe("an append", () => {
  it.each([
    ["INT64", (n: number) => `${n}`],
    ["NUMERIC", (n: number) => `${n}.5`],
    ["DATE", (n: number) => `DATE '2026-01-01' + ${n}`],
    ["DATETIME", (n: number) => `DATETIME '2026-01-01 00:00:00' + INTERVAL ${n} DAY`],
    ["TIMESTAMP", (n: number) => `TIMESTAMP '2026-01-01 00:00:00.123456+00' + INTERVAL ${n} DAY`],
  ])("goes on from a cursor of type %s", async (type, value) => {
    await create("t", `c ${type} NOT NULL, s STRING`, []);
    const append = { loadMethod: "append" as const, cursors: { [path("t")]: "c" } };
    await run(`INSERT INTO {t} VALUES (${value(1)}, 'a'), (${value(2)}, 'b')`);
    await synced("t", append);
    await run(`INSERT INTO {t} VALUES (${value(3)}, 'c')`);
    await synced("t", append);
    expect(await bench.texts("SELECT s FROM t ORDER BY s")).toEqual([["a"], ["b"], ["c"]]);
  });
});

describe("a sync of a service that breaks", () => {
  it.each([
    ["hangs up behind the first page", "hang up" as const],
    ["answers with half a page", "cut" as const],
    ["sends a page twice", "repeat" as const],
  ])("commits nothing where it %s, and the next run is whole", async (_, how) => {
    await create("t", "id INT64, s STRING");
    await run("INSERT INTO {t} SELECT i, 'row ' || i FROM range(3000) r(i)");
    fake().jobs.pageRows = 1_000;
    let first: unknown;
    fake().spoil("jobs.getQueryResults", (answer, url) => {
      if (!url.searchParams.has("pageToken")) {
        first = answer.body;
        return answer;
      }
      if (how === "hang up") return "hang up";
      return how === "cut" ? { ...answer, cutAt: 100 } : { ...answer, body: first as string };
    });
    const ran = await bench.run({ tables: [path("t")] });
    expect(ran.table(path("t")).error).toMatch(/BigQuery/);
    expect(await bench.rows("FROM information_schema.tables WHERE table_name = 't'")).toEqual([]);
    fake().heal();
    await synced("t");
    await expectSame("t", "id, s");
    fake().jobs.pageRows = 100_000;
  });
});
