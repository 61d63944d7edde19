import { openObjectStore } from "../../../containers/engine/platform/object-store.ts";
import { DuckDBInstance } from "@duckdb/node-api";
import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CachedFile } from "../../../containers/engine/lake/files/cached-file.ts";
import { FileCompleter } from "../../../containers/engine/lake/files/file-completer.ts";
import { readFooters } from "../../../containers/engine/parquet/footers.ts";
import { ObjectReader } from "../../../containers/engine/lake/files/object-reader.ts";
import { Semaphore } from "../../../containers/program/semaphore.ts";
import { QueryProcess } from "../../../containers/engine/lake/process/query-process.ts";
import type { Predicate } from "../../../kernel/lake/lake.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

const ROWS = 200_000;
const GROUP_ROWS = 20_480;
const COLUMNS = [
  column(1, "id", "int64"),
  column(2, "customer", "int32"),
  column(3, "day", "date"),
  column(4, "amount", "decimal(12,2)"),
  column(5, "note", "varchar"),
  column(6, "place", "struct", [column(7, "city", "varchar"), column(8, "zip", "int32")]),
  column(9, "tags", "list", [column(10, "element", "varchar")]),
  column(11, "marks", "map", [column(12, "key", "varchar"), column(13, "value", "int64")]),
  column(14, "ratio", "float64"),
  column(15, "made", "timestamptz"),
  column(16, "doc", "json"),
  column(17, "token", "uuid"),
];
const IDS =
  "id: 1, customer: 2, day: 3, amount: 4, note: 5, place: {__duckdb_field_id: 6, city: 7, zip: 8}, tags: {__duckdb_field_id: 9, element: 10}, marks: {__duckdb_field_id: 11, key: 12, value: 13}, ratio: 14, made: 15, doc: 16, token: 17";
const SELECT = `SELECT r AS id, (hash(r) % 5000)::INTEGER AS customer, DATE '2024-01-01' + (r // 1000)::INTEGER AS day, ((hash(r, 1) % 1000000) / 100)::DECIMAL(12,2) AS amount,
  CASE WHEN r % 7 = 0 THEN NULL ELSE 'note ' || md5(r::VARCHAR) END AS note, {'city': 'city ' || (hash(r, 2) % 50000)::VARCHAR, 'zip': (hash(r, 3) % 99999)::INTEGER} AS place,
  ['t' || (r % 10)::VARCHAR, md5((r + 1)::VARCHAR)] AS tags, MAP {'m' || (r % 3)::VARCHAR: (hash(r, 4) % 1000000)::BIGINT} AS marks,
  CASE WHEN r % 1000 = 999 THEN 'NaN'::DOUBLE ELSE (hash(r, 5) % 1000003) / 7 END AS ratio, TIMESTAMPTZ '2024-01-01 00:00:00+00' + INTERVAL (r) MINUTE AS made,
  ('{"k":' || (hash(r, 6) % 100000)::VARCHAR || '}')::JSON AS doc, md5(r::VARCHAR)::UUID AS token FROM range(${ROWS}) AS t(r)`;
const GROUPS = `, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_ROWS}`;

let lake: TestLake;
let cold = 0;
let isWhole = false;

beforeAll(async () => {
  lake = await TestLake.open();
  const { platform } = lake;
  const wide = { path: await lake.write("wide.parquet", SELECT, IDS, GROUPS) };
  platform.addTable("main", "wide", COLUMNS, [wide]);
  platform.addTable("main", "thin", COLUMNS, [
    {
      ...wide,
      deletes: await lake.write(
        "deletes.parquet",
        `SELECT 'x' AS file_path, range * 3 AS pos FROM range(${Math.floor(ROWS / 3)})`,
      ),
    },
  ]);
  const old = await lake.write(
    "old.parquet",
    `SELECT range::INTEGER AS ident, 'was ' || md5(range::VARCHAR) AS remark, true AS dropped, md5((range + 7)::VARCHAR) AS other FROM range(60000)`,
    "ident: 1, remark: 5, dropped: 90, other: 91",
    GROUPS,
  );
  platform.addTable("main", "evolved", COLUMNS, [{ path: old }, wide]);
  const parts = [];
  for (let i = 0; i < 8; i++) {
    parts.push({
      path: await lake.write(
        `part-${i}.parquet`,
        `SELECT ${i} * 100000 + range AS id, md5(range::VARCHAR) AS text, (hash(range) >> 1)::BIGINT AS number, md5((range + 1)::VARCHAR) AS more FROM range(50000)`,
        "id: 1, text: 2, number: 3, more: 4",
        GROUPS,
      ),
    });
  }
  platform.addTable(
    "many",
    "parts",
    [
      column(1, "id", "int64"),
      column(2, "text", "varchar"),
      column(3, "number", "int64"),
      column(4, "more", "varchar"),
    ],
    parts,
  );
});
afterAll(() => lake.close());
beforeEach(() => {
  // What comes behind the statements has a suite of its own; here is counted what comes for them.
  vi.spyOn(FileCompleter.prototype, "noteReads").mockReturnValue(undefined);
});
afterEach(() => {
  lake.platform.onGet = undefined;
  lake.platform.keeps = undefined;
  vi.restoreAllMocks();
});

/** Asks with nothing of the lake's files on disk yet; `bytes` is what that moved. */
async function askCold(sql: string): Promise<{ rows: unknown[]; bytes: number; lakeId: string }> {
  const lakeId = `cold-${++cold}`;
  const before = lake.platform.bytesRead;
  const rows = await lake.rows(sql, { grant: { lakeId } });
  return { rows, bytes: lake.platform.bytesRead - before, lakeId };
}

const sizeOf = (path: string): number => statSync(join(lake.platform.directory, path)).size;

const QUERIES = [
  "SELECT count(*) AS n FROM wide",
  "SELECT sum(amount) AS s FROM wide WHERE customer = 17",
  "SELECT min(id) AS a, max(id) AS b, max(day) AS c, max(note) AS d FROM wide",
  "SELECT * FROM wide ORDER BY amount DESC, id LIMIT 5",
  "SELECT id, note FROM wide ORDER BY ratio DESC, id LIMIT 5",
  "SELECT count(*) AS n, sum(id) AS s FROM wide WHERE note LIKE '%abc%'",
  "SELECT count(*) AS n FROM wide WHERE note LIKE 'note 0%'",
  "SELECT count(*) AS n, sum(amount) AS s FROM thin WHERE day = DATE '2024-03-01'",
  "SELECT id FROM thin ORDER BY id LIMIT 5",
  "SELECT count(*) AS n, sum(a.amount + b.amount) AS s FROM wide AS a JOIN wide AS b ON a.id = b.id + 1 WHERE a.day < DATE '2024-01-20' AND b.customer > 100",
  "SELECT count(*) AS n FROM wide WHERE customer IN (SELECT customer FROM thin WHERE day = DATE '2024-05-05')",
  "SELECT count(*) AS n FROM wide WHERE customer IN (5, 9, 4000) OR customer = 77",
  "SELECT id, row_number() OVER (PARTITION BY customer ORDER BY amount, id) AS n FROM wide QUALIFY n = 50 ORDER BY id LIMIT 10",
  "SELECT place.city AS city, count(*) AS n FROM wide WHERE place.zip < 50 GROUP BY ALL ORDER BY n DESC, city LIMIT 5",
  "SELECT tags[1] AS tag, count(DISTINCT tags[2]) AS n FROM wide GROUP BY ALL ORDER BY tag",
  "SELECT sum(marks['m1']) AS s FROM wide",
  "SELECT unnest(tags) AS tag FROM wide WHERE id = 12345",
  "SELECT sum((doc ->> 'k')::BIGINT) AS s FROM wide WHERE id < 1000",
  "SELECT count(*) AS n FROM wide WHERE ratio > 142000",
  "SELECT count(*) AS n FROM wide WHERE isnan(ratio) AND note IS NULL",
  "SELECT id FROM wide WHERE token = md5('4711')::UUID",
  "SELECT count(*) AS n FROM wide WHERE made BETWEEN '2024-02-01' AND '2024-02-02 12:00:00'",
  "SELECT id, 'w' AS t FROM wide WHERE id < 3 UNION ALL SELECT id, 'p' FROM many.parts WHERE id BETWEEN 299998 AND 300001 ORDER BY ALL",
  "WITH days AS (SELECT day, sum(amount) AS s FROM wide GROUP BY day) SELECT a.day, a.s - b.s AS d FROM days AS a JOIN days AS b ON a.day = b.day + 1 ORDER BY a.day LIMIT 5",
  "WITH RECURSIVE r AS (SELECT id FROM wide WHERE id = 5 UNION ALL SELECT id * 7 FROM r WHERE id < 100000) SELECT * FROM r ORDER BY id",
  "SELECT wide FROM wide WHERE id = 777",
  "SELECT COLUMNS('^(id|day)$') FROM wide WHERE id = 777",
  "SELECT * EXCLUDE (note, doc) FROM wide WHERE id IN (1, 199999) ORDER BY id",
  "DESCRIBE wide",
  "SELECT column_name, min, max, count, null_percentage FROM (SUMMARIZE SELECT id, amount FROM wide)",
  "SELECT count(*) AS n, count(note) AS notes, count(customer) AS c, sum(id) AS s FROM evolved",
  "SELECT id, note, customer FROM evolved WHERE id = 59999 ORDER BY ALL",
  "SELECT max(note) AS m FROM evolved WHERE id > 59000 AND id < 61000",
  "SELECT sum(number % 1000) AS s, count(*) AS n FROM many.parts",
  "SELECT text FROM many.parts WHERE id = 700042",
  "SELECT count(*) AS n FROM many.parts WHERE id >= 250000 AND number IS NOT NULL AND text < '8'",
  "SELECT (SELECT max(amount) FROM wide AS w WHERE w.customer = p.id) AS m FROM many.parts AS p WHERE p.id < 4 ORDER BY m",
  "SELECT w.id, l.text FROM wide AS w, LATERAL (SELECT text FROM many.parts AS p WHERE p.id = w.id) AS l WHERE w.id < 3 ORDER BY w.id",
  "SELECT count(*) AS n FROM wide WHERE made < now() AND day <= current_date",
  "SELECT id FROM wide WHERE false",
  "SELECT table_name, column_name FROM information_schema.columns WHERE column_name = 'note' ORDER BY ALL",
  "SELECT (SELECT count(*) FROM information_schema.tables) AS t, sum(customer) AS s FROM wide",
  "SELECT customer, sum(amount) FILTER (WHERE id % 2 = 0) AS s FROM wide GROUP BY ROLLUP (customer) ORDER BY ALL LIMIT 5",
  "FROM wide PIVOT (sum(amount) FOR day IN ('2024-01-01', '2024-01-02') GROUP BY customer) ORDER BY customer LIMIT 3",
];

describe("a statement over column chunks", () => {
  it.each(QUERIES)("answers as over whole files: %s", async (sql) => {
    const whole = { grant: { lakeId: "whole" } };
    for (const table of isWhole ? [] : ["wide", "thin", "evolved", "many.parts"])
      await lake.rows(`SELECT sum(hash(COLUMNS(*))) FROM ${table}`, whole);
    isWhole = true;
    const expected = await lake.rows(sql, whole);
    const runs = vi.spyOn(QueryProcess.prototype, "run");
    const { rows } = await askCold(sql);
    expect(rows).toEqual(expected);
    // Nothing it needed was missing.
    expect(runs).toHaveBeenCalledTimes(1);
  });
});

describe("what a cold statement moves", () => {
  it("is at most 1.15 times the chunks of 2 of 12 columns", async () => {
    const { bytes } = await askCold("SELECT sum(amount) AS s FROM wide WHERE customer = 17");
    const wanted = await lake.chunkBytes("wide.parquet", ["amount", "customer"]);
    expect(bytes).toBeGreaterThanOrEqual(wanted);
    expect(bytes).toBeLessThanOrEqual(1.15 * wanted);
  });

  it("is the row groups that may hold a row of a filter", async () => {
    const { bytes, rows } = await askCold(
      "SELECT sum(amount) AS s, count(*) AS n FROM wide WHERE day = DATE '2024-01-15' AND note IS NOT NULL",
    );
    expect(rows).toMatchObject([{ n: 857 }]);
    const wanted = await lake.chunkBytes("wide.parquet", ["amount", "day", "note"], [0]);
    // A footer is at the end of the file's tail that is fetched.
    expect(bytes).toBeLessThanOrEqual(1.1 * wanted + sizeOf("wide.parquet") / 256);
  });

  it("is the footer for what the footer says, and for an EXPLAIN", async () => {
    for (const sql of ["SELECT count(*) AS n FROM wide", "DESCRIBE wide", "EXPLAIN SELECT sum(amount) FROM wide"]) {
      expect((await askCold(sql)).bytes, sql).toBeLessThanOrEqual(Math.ceil(sizeOf("wide.parquet") / 256));
    }
  });

  it("is nothing for columns that are here, and only the new ones' chunks for others", async () => {
    const { lakeId } = await askCold("SELECT sum(amount) AS s FROM wide WHERE customer = 17");
    const here = lake.platform.bytesRead;
    await lake.rows("SELECT max(customer + amount) AS m FROM wide", { grant: { lakeId } });
    expect(lake.platform.bytesRead).toBe(here);
    await lake.rows("SELECT sum(customer + id) AS s FROM wide", { grant: { lakeId } });
    expect(lake.platform.bytesRead - here).toBeLessThanOrEqual(1.1 * (await lake.chunkBytes("wide.parquet", ["id"])));
  });

  it("is moved once for statements that run at once", async () => {
    const sql = "SELECT sum(ratio) FILTER (WHERE NOT isnan(ratio)) AS s, sum(id) AS i FROM wide";
    const { bytes, rows } = await askCold(sql);
    const before = lake.platform.bytesRead;
    const answers = await Promise.all(Array.from({ length: 6 }, () => lake.rows(sql, { grant: { lakeId: "shared" } })));
    expect(lake.platform.bytesRead - before).toBe(bytes);
    for (const answer of answers) expect((answer[0] as { i: number }).i).toBe((rows[0] as { i: number }).i);
  });
});

describe("files that the catalog rules out", () => {
  const asked: Predicate[][][] = [];
  const keepFrom =
    (first: number) =>
    ({ path }: { path: string }, anyOf: readonly Predicate[][]): boolean => {
      asked.push([...anyOf]);
      return Number(/part-(\d)/.exec(path)![1]) >= first;
    };

  it("are not fetched, nor forgotten by the next statement", async () => {
    lake.platform.keeps = keepFrom(7);
    const { rows, bytes, lakeId } = await askCold(
      "SELECT count(text) AS n, max(id) AS m FROM many.parts WHERE id >= 700042 AND number IS NOT NULL",
    );
    expect(rows).toEqual([{ n: 49_958, m: 749_999 }]);
    expect(asked[0]).toEqual([expect.arrayContaining([{ columnId: 1, op: ">=", values: ["700042"] }])]);
    expect(bytes).toBeLessThan(sizeOf("part-7.parquet"));
    expect(await lake.rows("SELECT count(*) AS n, min(id) AS m FROM many.parts", { grant: { lakeId } })).toEqual([
      { n: 400_000, m: 0 },
    ]);
  });

  it("are none where the table is scanned twice, or where the time decides", async () => {
    lake.platform.keeps = keepFrom(7);
    for (const sql of [
      "SELECT count(*) AS n FROM many.parts AS a JOIN many.parts AS b ON a.number = b.number AND a.id <> b.id WHERE a.id >= 700042",
      "SELECT count(*) AS n FROM many.parts WHERE id > epoch_ms(now()) % 2",
      "SELECT count(*) AS n FROM many.parts WHERE id > CASE WHEN current_date > DATE '2020-01-01' THEN 0 END",
    ]) {
      asked.length = 0;
      await askCold(sql);
      expect(asked, sql).toEqual([]);
    }
  });
});

describe("a part that was not fetched", () => {
  /** The planner says a statement needs no column at all. */
  const misjudge = () => vi.spyOn(QueryProcess.prototype, "probe").mockResolvedValue([]);

  it("is fetched after all where the plan reads it", async () => {
    misjudge();
    for (const format of ["json", "ndjson"] as const) {
      const lakeId = `misjudged-${format}`;
      const answer = await lake.ask("SELECT sum(id) AS s FROM wide WHERE note IS NOT NULL", {
        format,
        grant: { lakeId },
      });
      expect(answer).toContain("17142742858");
    }
  });

  it("ends an answer that has begun with a failure, once", async () => {
    vi.spyOn(QueryProcess.prototype, "probe").mockResolvedValue([
      { catalog: "LAKE", schema: "main", table: "wide", columns: [0, 2], predicate: [[]], skipping: [], rowsMax: null },
    ]);
    const sql = "SELECT id::VARCHAR AS t FROM wide UNION ALL SELECT note FROM wide";
    const asked = { grant: { lakeId: "begun" }, rowsMax: 1_000_000, bytesMax: 1e9 };
    const broken = await lake.document(sql, asked);
    expect(broken).toMatchObject({ success: false, error: { code: "internal_error" } });
    expect(broken.data.length).toBeLessThan(2 * ROWS);
    const { success, data } = await lake.document(sql, asked);
    expect([success, data.length]).toEqual([true, 2 * ROWS]);
  });

  it("is no reason to fetch more for a statement that is wrong by itself", async () => {
    const before = lake.platform.bytesRead;
    expect((await lake.failure("SELECT note::INTEGER + 1 AS n FROM wide", { grant: { lakeId: "wrong" } })).code).toBe(
      "sql_error",
    );
    expect(lake.platform.bytesRead - before).toBeLessThan(
      1.1 * (await lake.chunkBytes("wide.parquet", ["note"])) + sizeOf("wide.parquet") / 256,
    );
  });
});

describe("a download", () => {
  it("that breaks off is taken up again", async () => {
    let breaks = 3;
    lake.platform.onGet = (_, start, end) => (breaks-- > 0 ? Math.floor((end - start) / 2) : undefined);
    expect((await askCold("SELECT sum(id) AS s FROM wide")).rows).toEqual([{ s: (ROWS * (ROWS - 1)) / 2 }]);
  });

  it("that stays half leaves no chunk that could be read", async () => {
    const size = sizeOf("wide.parquet");
    const file = new CachedFile(lake.directory, "half/wide.parquet", size, () => undefined);
    const object = new ObjectReader(
      "http://bucket.invalid/bucket/wide.parquet",
      openObjectStore(lake.platform.host),
      new Semaphore(4),
    );
    await file.fetchFooter(object);
    const instance = await DuckDBInstance.create(":memory:", { enable_external_file_cache: "false" });
    const connection = await instance.connect();
    const path = join(lake.directory, "half/wide.parquet");
    const { shapes, chunks } = await readFooters(connection, [path], [path]);
    file.setLayout(chunks[0]!);
    const sum = async (column: string): Promise<unknown> =>
      (await connection.runAndReadAll(`SELECT sum(hash(${column}))::VARCHAR FROM '${path}'`)).getRows()[0]![0];
    const names = ["id", "customer", "note", "place"];
    const fetched = names.map((name) => {
      const field = shapes[0]!.findIndex((shape) => shape.name === name);
      return () =>
        file.fetchChunks(
          () => object,
          (chunk) => chunk.field === field,
        );
    });
    // Every request ends a byte before it should.
    lake.platform.onGet = (_, start, end) => end - start - 1;
    expect(await Promise.allSettled(fetched.map((fetch) => fetch()))).toMatchObject(
      names.map(() => ({ status: "rejected", reason: { code: "platform_unavailable" } })),
    );
    for (const name of names) await expect(sum(name), name).rejects.toThrow("TProtocolException");
    lake.platform.onGet = undefined;
    for (const fetch of fetched) await fetch();
    for (const name of names) {
      const [[whole]] = (
        await connection.runAndReadAll(
          `SELECT sum(hash(${name}))::VARCHAR FROM '${join(lake.platform.directory, "wide.parquet")}'`,
        )
      ).getRows() as [[unknown]];
      expect(await sum(name), name).toBe(whole);
    }
    connection.closeSync();
    instance.closeSync();
  });

  it("of an object that is not the one whose footer is here fails, and later begins anew", async () => {
    const file = join(lake.platform.directory, "wide.parquet");
    let gets = 0;
    lake.platform.onGet = () => {
      if (++gets === 1) utimesSync(file, new Date(), new Date(Date.now() - 1_000_000));
    };
    expect(await lake.failure("SELECT sum(amount) AS s FROM wide", { grant: { lakeId: "changed" } })).toMatchObject({
      code: "platform_unavailable",
    });
    expect(await lake.rows("SELECT count(amount) AS n FROM wide", { grant: { lakeId: "changed" } })).toEqual([
      { n: ROWS },
    ]);
  });
});

describe("the cache", () => {
  it("counts what was fetched, and evicts under statements that run at once without harm", async () => {
    const bytesMax = 3_000_000;
    const small = await TestLake.open({ cacheBytesMax: bytesMax });
    try {
      for (let i = 0; i < 6; i++) {
        const path = await small.write(
          `e${i}.parquet`,
          `SELECT range + ${i} AS id, md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b, (hash(range) % 1000)::INTEGER AS c FROM range(60000)`,
          "id: 1, a: 2, b: 3, c: 4",
          GROUPS,
        );
        small.platform.addTable(
          "main",
          `e${i}`,
          [column(1, "id", "int64"), column(2, "a", "varchar"), column(3, "b", "varchar"), column(4, "c", "int32")],
          [{ path }],
        );
      }
      await Promise.all(
        Array.from({ length: 36 }, async (_, n) => {
          const [table, kind] = [n % 6, Math.floor(n / 6) % 3];
          const sql = [
            `SELECT sum(id) AS s FROM e${table}`,
            `SELECT count(*) AS s FROM e${table} WHERE a < 'z' AND c >= 0`,
            `SELECT count(DISTINCT b) AS s FROM e${table}`,
          ][kind]!;
          expect(await small.rows(sql)).toEqual([{ s: kind === 0 ? 60_000 * table + (60_000 * 59_999) / 2 : 60_000 }]);
        }),
      );
      await small.rows("SELECT 1 AS one");
      const directory = join(small.directory, "cache", "files", "lake-1");
      // Blocks that hold something, of 512 bytes each; a file's last ones are not full.
      const held = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).blocks * 512, 0);
      expect(held).toBeLessThan(bytesMax * 1.2);
    } finally {
      await small.close();
    }
  });
});
