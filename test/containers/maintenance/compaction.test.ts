// What a maintenance makes of files: the same rows under the same ids, whatever the files were.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { column } from "../../support/node/lake/test-lake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";
import { carriesRowIds, readRowIds } from "../../support/node/maintenance/row-ids.ts";

let lake: WriteLake;
let maintenance: MaintenancePlatform;
beforeAll(async () => {
  lake = await WriteLake.open();
  maintenance = await MaintenancePlatform.start(lake.platform);
});
afterAll(async () => {
  await maintenance.stop();
  await lake.close();
});

async function write(...statements: string[]): Promise<void> {
  for (const sql of statements) await lake.ask(sql);
}

const idsOf = (table: string) => readRowIds(lake.platform, maintenance, `main.${table}`);
const carried = (table: string) => carriesRowIds(lake.platform, maintenance, `main.${table}`);

/** Writes all files of a table anew as one, once; the rows and their ids stay as they are, now and in the past. */
async function merge(table: string): Promise<void> {
  const { snapshotId } = lake.platform;
  const read = (at = "") => lake.rows(`SELECT * FROM ${table}${at} ORDER BY ALL`);
  const [rows, ids] = [await read(), await idsOf(table)];
  maintenance.planOnce(() => [maintenance.groupOf(`main.${table}`)]);
  const outcome = await maintenance.run("daily", `run-${table}-${snapshotId}`);
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: "succeeded" });
  expect(lake.platform.snapshotId).toBe(snapshotId + 1);
  expect(maintenance.pathsOf(`main.${table}`)).toHaveLength(1);
  expect(await read()).toEqual(rows);
  expect(await read(` AT (VERSION => ${snapshotId})`)).toEqual(rows);
  expect(await idsOf(table)).toEqual(ids);
}

describe("row ids", () => {
  it("follow from the file's first where they run on, and are carried where they do not", async () => {
    await write(
      "CREATE TABLE t AS SELECT range::INTEGER AS id, 'w' || range AS word FROM range(50)",
      "INSERT INTO t SELECT range::INTEGER AS id, 'w' || range AS word FROM range(50, 100)",
    );
    await merge("t");
    expect(await carried("t")).toEqual([false]);
    await write("DELETE FROM t WHERE id % 5 = 0", "INSERT INTO t VALUES (100, 'new')");
    await merge("t");
    expect(await carried("t")).toEqual([true]);
    // A file that carries them beside one that does not, and deletes in both.
    await write("INSERT INTO t SELECT range, 'x' FROM range(101, 120)", "DELETE FROM t WHERE id % 7 = 0");
    await merge("t");
    expect(await carried("t")).toEqual([true]);
    expect((await idsOf("t")).map(([id]) => id)).toEqual((await idsOf("t")).map(([, key]) => Number(key)));
  });
});

/** Every type of the lake's that a statement can make, with values at its edges. */
const TYPES: Record<string, string[]> = {
  BOOLEAN: ["true", "false"],
  TINYINT: ["-128", "127"],
  SMALLINT: ["-32768", "32767"],
  INTEGER: ["-2147483648", "2147483647"],
  BIGINT: ["-9223372036854775808", "9223372036854775807"],
  UTINYINT: ["0", "255"],
  USMALLINT: ["0", "65535"],
  UINTEGER: ["0", "4294967295"],
  UBIGINT: ["0", "18446744073709551615"],
  FLOAT: ["-0.0", "0.0", "'nan'", "'-infinity'", "1.1"],
  DOUBLE: ["-0.0", "0.0", "'nan'", "'infinity'", "1.1"],
  "DECIMAL(38,10)": ["-1234567890123456789012345678.0123456789", "0"],
  "DECIMAL(4,1)": ["-999.9", "0.1"],
  VARCHAR: ["''", "'ø\n\"\t😀'", "repeat('long', 400)"],
  BLOB: ["'\\x00\\xFF'", "''"],
  DATE: ["'0001-01-01'", "'9999-12-31'", "'1969-12-31'"],
  TIME: ["'00:00:00'", "'23:59:59.999999'"],
  TIMESTAMP: ["'1677-09-21 00:12:43.145224'", "'infinity'"],
  TIMESTAMP_S: ["'2262-04-11 23:47:16'"],
  TIMESTAMP_MS: ["'2262-04-11 23:47:16.854'"],
  TIMESTAMP_NS: ["'1969-12-31 23:59:59.999999999'"],
  TIMESTAMPTZ: ["'2026-03-29 02:30:00+02'", "'infinity'"],
  UUID: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  JSON: ["'{\"a\": [1, 2.50]}'", "'null'"],
  "INTEGER[]": ["[]", "[1, NULL, 3]"],
  "DOUBLE[]": ["[-0.0, 0.0]", "[NULL]"],
  "STRUCT(a DECIMAL(38,4), b VARCHAR[])": ["{'a': 1.5, 'b': ['x', NULL]}", "{'a': NULL, 'b': NULL}"],
  "MAP(VARCHAR, BIGINT)": ["MAP {}", "MAP {'k': 1, 'l': NULL}"],
};

describe("the rows", () => {
  it("are the same of every type, with and without deletes", async () => {
    const columns = Object.keys(TYPES).map((type, i) => `c${i} ${type}`);
    await write(`CREATE TABLE typed (id INTEGER, ${columns.join(", ")})`);
    const longest = Math.max(...Object.values(TYPES).map(({ length }) => length));
    for (let i = 0; i <= longest; i++) {
      const cells = Object.entries(TYPES).map(([type, values]) => `CAST(${values[i] ?? "NULL"} AS ${type})`);
      await write(`INSERT INTO typed VALUES (${i}, ${cells.join(", ")})`);
    }
    const texts = `SELECT ${columns.map((_, i) => `c${i}::VARCHAR || typeof(c${i}) AS c${i}`).join(", ")} FROM typed ORDER BY id`;
    const before = await lake.rows(texts);
    await merge("typed");
    expect(await lake.rows(texts)).toEqual(before);
    await write("DELETE FROM typed WHERE id = 1", `INSERT INTO typed (id) VALUES (99)`);
    const left = await lake.rows(texts);
    await merge("typed");
    expect(await lake.rows(texts)).toEqual(left);
  });

  it("are the same of types that Parquet has no exact word for", async () => {
    const values = {
      int128: "(2::HUGEINT ** 90)::HUGEINT",
      uint128: "5::UHUGEINT",
      timetz: "'10:00:00+02'::TIMETZ",
      interval: "INTERVAL '14 months 3 days 4.005 seconds'",
    };
    const columns = [column(1, "id", "int32"), ...Object.keys(values).map((type, i) => column(i + 2, type, type))];
    const named = { schema: "main", name: "inexact" };
    lake.platform.commit({ kind: "create_table", ...named, columns });
    for (const id of [1, 2, 3]) {
      const cells = Object.entries(values).map(([name, value]) => `${id === 2 ? "NULL" : value} AS ${name}`);
      const file = await lake.platform.write(
        "main",
        named.name,
        columns,
        `SELECT ${id}::INTEGER AS id, ${cells.join(", ")}`,
      );
      lake.platform.commit({ kind: "append", ...named, files: [file] });
    }
    await merge(named.name);
  });

  it("are the same where the columns of older files were others", async () => {
    await write(
      "CREATE TABLE evolved AS SELECT range::INTEGER AS id, range::SMALLINT AS small, 'w' || range AS word, {'a': range, 'b': 'x'} AS inner FROM range(20)",
      "ALTER TABLE evolved ADD COLUMN late DECIMAL(8,2)",
      "INSERT INTO evolved VALUES (20, 1, 'y', {'a': 1, 'b': 'b'}, 4.5)",
      "ALTER TABLE evolved RENAME COLUMN word TO name",
      "ALTER TABLE evolved ALTER small TYPE BIGINT",
      "INSERT INTO evolved VALUES (21, 9223372036854775807, NULL, NULL, NULL)",
      "ALTER TABLE evolved DROP COLUMN late",
      "ALTER TABLE evolved ADD COLUMN word VARCHAR",
      "INSERT INTO evolved VALUES (22, 3, 'z', {'a': 1, 'b': NULL}, 'other')",
      "UPDATE evolved SET name = upper(name) WHERE id % 4 = 0",
    );
    const past = lake.platform.snapshotId;
    const at = [1, 2, 3, 5, 7].map((behind) => `FROM evolved AT (VERSION => ${past - behind}) ORDER BY ALL`);
    const before = await Promise.all(at.map((sql) => lake.rows(sql)));
    await merge("evolved");
    expect(await Promise.all(at.map((sql) => lake.rows(sql)))).toEqual(before);
    await write("INSERT INTO evolved (id) VALUES (30)", "DELETE FROM evolved WHERE id = 4");
    await merge("evolved");
  });

  it("are the same of columns with the names that DuckDB and DuckLake give to their own", async () => {
    await write(
      'CREATE TABLE odd AS SELECT range::INTEGER AS id, 1 AS _ducklake_internal_row_id, 2 AS filename, 3 AS file_row_number, 4 AS file_index, 5 AS rowid, 6 AS "c 0" FROM range(9)',
      "INSERT INTO odd FROM odd WHERE id > 4",
      "DELETE FROM odd WHERE id = 5",
    );
    await merge("odd");
    expect(await carried("odd")).toEqual([true]);
    await write("INSERT INTO odd (id) VALUES (90)");
    await merge("odd");
  });

  it("are none where none are left", async () => {
    await write("CREATE TABLE bare AS SELECT range::INTEGER AS id FROM range(9)", "INSERT INTO bare VALUES (10)");
    const delta = "DELETE FROM bare WHERE id < 9";
    await write(delta);
    await merge("bare");
  });

  it("stay within reach of statements that change them by their positions", async () => {
    await write(
      "CREATE TABLE changed AS SELECT range::INTEGER AS id, 'w' AS word FROM range(100)",
      "INSERT INTO changed SELECT range, 'v' FROM range(100, 150)",
      "DELETE FROM changed WHERE id % 3 = 0",
    );
    await merge("changed");
    await write(
      "UPDATE changed SET word = 'u' WHERE id % 10 = 1",
      "MERGE INTO changed USING (SELECT 2 AS id UNION ALL SELECT 500) AS s USING (id) WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, word) VALUES (s.id, 'new')",
      "DELETE FROM changed WHERE id = 4",
    );
    expect(
      await lake.rows("SELECT count(*) AS n, count(*) FILTER (word = 'u') AS u, sum(id) AS ids FROM changed"),
    ).toEqual([{ n: 99, u: 10, ids: 7_994 }]);
    expect(Object.keys((await lake.rows("FROM changed LIMIT 1"))[0]!)).toEqual(["id", "word"]);
    await merge("changed");
  });
});

describe("the files", () => {
  it("are made as the lake's options ask", async () => {
    await write(
      "CREATE TABLE formed AS SELECT range::INTEGER AS id, hash(range) AS h FROM range(20_000)",
      "INSERT INTO formed SELECT range, hash(range) FROM range(20_000, 40_000)",
    );
    const form = { targetBytes: 100_000, rowGroupRows: 4_096, compression: "snappy" };
    maintenance.planOnce(() => [maintenance.groupOf("main.formed", form)]);
    const ids = await idsOf("formed");
    expect(await maintenance.run("daily", "run-formed")).toMatchObject({ outcome: "succeeded" });
    const { files } = maintenance.groupOf("main.formed");
    expect(files.length).toBeGreaterThan(2);
    expect(files.reduce((sum, { rows }) => sum + rows, 0)).toBe(40_000);
    const [metadata] = (
      await lake.platform.duckdb.runAndReadAll(
        `SELECT DISTINCT compression, max(row_group_num_rows) OVER ()::INTEGER FROM parquet_metadata('${lake.platform.bucket}/${files[0]!.path}')`,
      )
    ).getRows();
    expect(metadata).toEqual(["SNAPPY", 4_096]);
    expect(await idsOf("formed")).toEqual(ids);
  });

  it("of one table are replaced group by group, each from where the one before left the table", async () => {
    await write("CREATE TABLE groups AS SELECT range::INTEGER AS id FROM range(10)");
    for (let i = 1; i < 6; i++) await write(`INSERT INTO groups SELECT range FROM range(${i * 10}, ${i * 10 + 10})`);
    await write("DELETE FROM groups WHERE id % 4 = 0");
    const ids = await idsOf("groups");
    const pairs = [0, 2, 4].map((first) => (_: unknown, at: number) => at >= first && at < first + 2);
    maintenance.planOnce(() => pairs.map((isWanted) => maintenance.groupOf("main.groups", {}, isWanted)));
    const outcome = await maintenance.run("daily", "run-groups");
    expect(outcome).toMatchObject({
      outcome: "succeeded",
      progress: { tables: [{ state: "done", filesBefore: 6, filesAfter: 3, rowsBefore: 45, rowsAfter: 45 }] },
    });
    expect(await idsOf("groups")).toEqual(ids);
  });

  it("are as the catalog plans them, until there is nothing to do", async () => {
    maintenance.plan = (request) => maintenance.planned(request);
    await write("CREATE SCHEMA planned");
    for (const name of ["a", "b"]) {
      await write(
        `CREATE TABLE planned.${name} AS SELECT range::INTEGER AS id, 'x' || range AS word FROM range(1_000)`,
      );
      for (let i = 1; i < 12; i++)
        await write(
          `INSERT INTO planned.${name} SELECT range, 'y' FROM range(${i * 1_000}, ${i * 1_000 + 7 ** (i % 4)})`,
        );
    }
    await write("DELETE FROM planned.b WHERE id < 900");
    const read = () => lake.rows("FROM planned.a UNION ALL FROM planned.b ORDER BY ALL");
    const [rows, ids] = [await read(), await readRowIds(lake.platform, maintenance, "planned.b")];
    const outcome = await maintenance.run("full", "run-planned");
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: "succeeded" });
    expect(["planned.a", "planned.b"].map((table) => maintenance.pathsOf(table).length)).toEqual([1, 1]);
    expect(maintenance.groupOf("planned.b").files[0]!.deletes).toBeNull();
    expect([await read(), await readRowIds(lake.platform, maintenance, "planned.b")]).toEqual([rows, ids]);
    const commits = maintenance.commits.length;
    expect(await maintenance.run("full", "run-again")).toMatchObject({ outcome: "succeeded" });
    expect(maintenance.commits).toHaveLength(commits);
  });
});
