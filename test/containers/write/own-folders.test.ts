// The engine says which files are for a table that its commit makes: their folder holds no other table's files.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuildLake } from "../../support/node/lake/build-lake.ts";

const OWN = /^main\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/$/;

let lake: BuildLake;
beforeAll(async () => void (lake = await BuildLake.open()));
afterAll(() => lake.close());

/** Folders of the tables that ever had the name, oldest first. */
const foldersOf = (name: string): string[] =>
  lake.write.platform.storage.sql
    .exec<{ folder: string }>(
      `SELECT s.path || t.path AS folder FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE t.table_name = ? ORDER BY t.table_id`,
      name,
    )
    .toArray()
    .map(({ folder }) => folder);

const apart = (folders: string[], count: number): void => {
  expect(folders).toHaveLength(count);
  expect(new Set(folders).size).toBe(count);
  for (const folder of folders) expect(folder).toMatch(OWN);
};

describe("a table that a statement makes of rows", () => {
  it("lies in a folder of its own, also where it takes another's place", async () => {
    await lake.write.ask("CREATE TABLE made AS SELECT 1 AS a");
    await lake.write.ask("CREATE OR REPLACE TABLE made AS SELECT 'x' AS b");
    await lake.write.ask("DROP TABLE made");
    await lake.write.ask("CREATE TABLE made AS SELECT 2 AS a");
    apart(foldersOf("made"), 3);
    expect(await lake.write.rows("SELECT * FROM made")).toEqual([{ a: 2 }]);
  });

  it("takes what is added, changed and deleted later in its folder", async () => {
    await lake.write.ask("CREATE OR REPLACE TABLE kept AS SELECT range::INTEGER AS a FROM range(10)");
    await lake.write.ask("INSERT INTO kept VALUES (20)");
    await lake.write.ask("UPDATE kept SET a = a + 100 WHERE a < 2");
    await lake.write.ask("DELETE FROM kept WHERE a = 20");
    apart(foldersOf("kept"), 1);
    expect(await lake.write.rows("SELECT count(*)::INTEGER AS n, max(a) AS a FROM kept")).toEqual([{ n: 10, a: 101 }]);
  });

  it("needs no rows to lie apart", async () => {
    await lake.write.ask("CREATE OR REPLACE TABLE empty AS SELECT 1 AS a WHERE false");
    await lake.write.ask("CREATE OR REPLACE TABLE empty AS SELECT 1 AS b WHERE false");
    expect(new Set(foldersOf("empty")).size).toBe(2);
  });
});

describe("a table that a doc builds", () => {
  const build = (sql: string) => lake.run({ one: { table: "main.built", sql } });

  it("moves where its columns became others, and stays where only its rows did", async () => {
    await build("SELECT 1 AS a");
    await build("SELECT 2 AS a");
    apart(foldersOf("built"), 1);
    await build("SELECT 'x' AS b");
    apart(foldersOf("built"), 2);
    expect(await lake.write.rows("SELECT * FROM built")).toEqual([{ b: "x" }]);
  });

  it("is published where it was staged, also by an engine that was not told whether it is new", async () => {
    for (const [sql, isNew] of [
      ["SELECT 5 AS c", true],
      ["SELECT 6 AS c", false],
    ] as const) {
      const datasets = { one: { table: "main.built", sql } };
      const runId = lake.newRun();
      const stages = await lake.stageAll(datasets, { runId });
      expect(stages.map(({ staged }) => staged.isNew)).toEqual([isNew]);
      const untold = stages.map((stage) => ({ ...stage, staged: { ...stage.staged, isNew: undefined } }));
      await lake.publish(datasets, untold, { runId });
    }
    expect(await lake.write.rows("SELECT * FROM built")).toEqual([{ c: 6 }]);
  });
});
