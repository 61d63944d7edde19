import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

let lake: TestLake;

beforeAll(async () => {
  lake = await TestLake.open();
});
afterAll(() => lake.close());

const calls = (): Record<string, number> => ({ ...lake.platform.calls });

describe("a table's files", () => {
  it("read as the table is now: renamed, added, widened and dropped columns", async () => {
    lake.platform.addTable(
      "evolved",
      "t",
      [
        column(1, "id", "int64"),
        column(2, "full_name", "varchar"),
        column(5, "added", "decimal(10,2)"),
        column(6, "tags", "list", [column(7, "element", "varchar")]),
      ],
      [
        {
          path: await lake.write(
            "old.parquet",
            "SELECT 1::INTEGER AS id, 'Ada' AS name, true AS dropped",
            "id: 1, name: 2, dropped: 3",
          ),
        },
        {
          path: await lake.write(
            "new.parquet",
            "SELECT 2::BIGINT AS id, 'Bo' AS full_name, 1.5::DECIMAL(10,2) AS added, ['x'] AS tags",
            "id: 1, full_name: 2, added: 5, tags: {__duckdb_field_id: 6, element: 7}",
          ),
        },
      ],
    );
    expect(await lake.rows("SELECT * FROM evolved.t ORDER BY id")).toEqual([
      { id: 1, full_name: "Ada", added: null, tags: null },
      { id: 2, full_name: "Bo", added: 1.5, tags: ["x"] },
    ]);
    expect((await lake.failure("SELECT dropped FROM evolved.t")).code).toBe("sql_error");
  });

  it("read as the table is now within structs, lists and maps too", async () => {
    const item = column(11, "element", "struct", [column(12, "k", "int64"), column(13, "m", "int32")]);
    const columns = [
      column(1, "s", "struct", [column(3, "renamed", "varchar"), column(4, "added", "float64")]),
      column(10, "l", "list", [item]),
      column(20, "p", "map", [column(21, "key", "varchar"), column(22, "value", "int64")]),
    ];
    const ids = (s: string, element: string): string =>
      `s: {__duckdb_field_id: 1, ${s}}, l: {__duckdb_field_id: 10, element: {__duckdb_field_id: 11, ${element}}}, p: {__duckdb_field_id: 20, key: 21, value: 22}`;
    lake.platform.addTable("evolved", "nested", columns, [
      {
        path: await lake.write(
          "n1.parquet",
          "SELECT {'a': 1, 'b': 'x'} AS s, [{'k': 1::INTEGER}, NULL] AS l, MAP {'x': 1::INTEGER} AS p UNION ALL SELECT NULL, NULL, NULL",
          ids("a: 2, b: 3", "k: 12"),
        ),
      },
      {
        path: await lake.write(
          "n2.parquet",
          "SELECT {'renamed': 'y', 'added': 2.5::DOUBLE} AS s, [{'k': 2::BIGINT, 'm': 3::INTEGER}] AS l, MAP {'y': 2::BIGINT} AS p",
          ids("renamed: 3, added: 4", "k: 12, m: 13"),
        ),
      },
    ]);
    expect(await lake.rows("FROM evolved.nested")).toEqual([
      { s: { renamed: "x", added: null }, l: [{ k: 1, m: null }, null], p: { x: 1 } },
      { s: null, l: null, p: null },
      { s: { renamed: "y", added: 2.5 }, l: [{ k: 2, m: 3 }], p: { y: 2 } },
    ]);
  });

  it("leave out the rows their delete files name, whatever file name those carry", async () => {
    lake.platform.addTable(
      "main",
      "thinned",
      [column(1, "id", "int64")],
      [
        {
          path: await lake.write("d1.parquet", "SELECT range AS id FROM range(10)", "id: 1"),
          deletes: await lake.write(
            "d1-deletes.parquet",
            "SELECT 'elsewhere/d1.parquet' AS file_path, unnest([0, 3])::BIGINT AS pos",
          ),
        },
        { path: await lake.write("d2.parquet", "SELECT 10 + range AS id FROM range(3)", "id: 1") },
        {
          path: await lake.write("d3.parquet", "SELECT 20 + range AS id FROM range(3)", "id: 1"),
          deletes: await lake.write("d3-deletes.parquet", "SELECT 'd3.parquet' AS file_path, 1::BIGINT AS pos"),
        },
      ],
    );
    expect((await lake.rows("SELECT id FROM thinned")).map(({ id }) => id)).toEqual([
      1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 22,
    ]);
    expect(await lake.rows("SELECT count(*) AS n FROM thinned")).toEqual([{ n: 13 }]);
  });

  it("may be none", async () => {
    lake.platform.addTable("main", "empty", [column(1, "id", "int64"), column(2, "at", "timestamptz")], []);
    expect(await lake.document("SELECT * FROM empty")).toMatchObject({
      columns: ["id", "at"],
      data: [],
      success: true,
    });
  });

  it("may have any name and any nested type", async () => {
    const nested = column(1, 'odd "name"', "struct", [
      column(2, "a b", "int32"),
      column(3, "m", "map", [column(4, "key", "varchar"), column(5, "value", "float64")]),
    ]);
    lake.platform.addTable(
      "my schema",
      "it's",
      [nested],
      [
        {
          path: await lake.write(
            "nested.parquet",
            `SELECT {'a b': 1::INTEGER, 'm': MAP {'k': 0.5::DOUBLE}} AS "odd ""name"""`,
            '"odd ""name""": {__duckdb_field_id: 1, "a b": 2, "m": {__duckdb_field_id: 3, key: 4, value: 5}}',
          ),
        },
      ],
    );
    expect(await lake.rows(`SELECT * FROM LAKE."my schema"."it's"`)).toEqual([
      { 'odd "name"': { "a b": 1, m: { k: 0.5 } } },
    ]);
  });
});

describe("the platform", () => {
  it("is asked once for a table, and not at all by a warm statement", async () => {
    lake.platform.addTable(
      "main",
      "warm",
      [column(1, "id", "int64")],
      [{ path: await lake.write("w.parquet", "SELECT range AS id FROM range(5)", "id: 1") }],
    );
    const grant = { reader: "everyone" };
    const before = calls();
    await lake.rows("SELECT sum(id) FROM warm", { grant: { ...grant, token: "one" } });
    const cold = calls();
    expect([
      cold.describe! - (before.describe ?? 0),
      cold.plan! - (before.plan ?? 0),
      cold.sign! - (before.sign ?? 0),
      cold.get! - (before.get ?? 0),
    ]).toEqual([1, 1, 1, 1]);
    await lake.rows("SELECT max(id) FROM warm", { grant: { ...grant, token: "two" } });
    expect(calls()).toEqual(cold);
  });

  it("is asked for no file twice when many statements want it at once", async () => {
    lake.platform.addTable(
      "main",
      "shared",
      [column(1, "id", "int64")],
      [{ path: await lake.write("s.parquet", "SELECT range AS id FROM range(5)", "id: 1") }],
    );
    const before = calls().get ?? 0;
    await Promise.all(Array.from({ length: 6 }, () => lake.rows("SELECT sum(id) FROM shared")));
    expect(calls().get! - before).toBe(1);
  });

  it("may fail for a moment", async () => {
    lake.platform.addTable(
      "main",
      "shaky",
      [column(1, "id", "int64")],
      [{ path: await lake.write("y.parquet", "SELECT range AS id FROM range(5)", "id: 1") }],
    );
    lake.platform.failingReads = 2;
    expect(await lake.rows("SELECT sum(id) AS n FROM shaky")).toEqual([{ n: 10 }]);
  });

  it("that fails for long, or has another file than it planned, is told as such, and later asked again", async () => {
    const table = lake.platform.addTable(
      "main",
      "lost",
      [column(1, "id", "int64")],
      [{ path: await lake.write("z.parquet", "SELECT range AS id FROM range(5)", "id: 1") }],
    );
    lake.platform.failingReads = 100;
    expect(await lake.failure("SELECT * FROM lost")).toMatchObject({ code: "platform_unavailable" });
    lake.platform.failingReads = 0;
    expect(await lake.rows("SELECT count(*) AS n FROM lost")).toEqual([{ n: 5 }]);
    table.files[0]!.id += 1_000_000;
    table.files[0]!.bytes += 1;
    expect(await lake.failure("SELECT * FROM lost", { grant: { snapshotId: 1000 } })).toMatchObject({
      code: "platform_unavailable",
    });
  });
});

describe("the cache", () => {
  it("keeps to its budget by the files least recently used, and never drops one in use", async () => {
    const small = await TestLake.open({ cacheBytesMax: 3_000 });
    try {
      for (let i = 0; i < 6; i++) {
        small.platform.addTable(
          "main",
          `t${i}`,
          [column(1, "id", "int64")],
          [
            {
              path: await small.write(`${i}.parquet`, `SELECT hash(range + ${i}) >> 1 AS id FROM range(150)`, "id: 1"),
            },
          ],
        );
      }
      for (let i = 0; i < 6; i++) expect(await small.rows(`SELECT count(*) AS n FROM t${i}`)).toEqual([{ n: 150 }]);
      expect(readdirSync(join(small.directory, "cache", "files", "lake-1")).length).toBeLessThan(3);
      expect(
        await small.rows(
          "SELECT count(*) AS n FROM t0, t1, t2, t3, t4, t5 WHERE t0.id = t1.id AND t1.id = t2.id AND t2.id = t3.id AND t3.id = t4.id AND t4.id = t5.id",
        ),
      ).toHaveLength(1);
    } finally {
      await small.close();
    }
  });
});
