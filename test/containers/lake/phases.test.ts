// What the answer of a lake statement tells about its parts.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { TestLake, column } from "../../support/node/lake/test-lake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { PHASES } from "../../../kernel/wire/phases.ts";

let lake: TestLake;
beforeAll(async () => {
  lake = await TestLake.open();
  await lake.write("t.parquet", "SELECT range AS a FROM range(1000)", "a: 1");
  lake.platform.addTable("main", "t", [column(1, "a", "int64")], [{ path: "t.parquet" }]);
});
afterAll(() => lake.close());

const SUM = "SELECT sum(a) AS s FROM t";

/** The phases that a statement's JSON document reports, in their order. */
async function phasesOf(sql: string, asked: Pick<TestLake, "ask"> = lake): Promise<string[]> {
  const answer = await asked.ask(sql);
  const { phases } = (JSON.parse(answer) as { timing: { phases: Record<string, number> } }).timing;
  for (const ms of Object.values(phases)) expect(ms).toBeGreaterThanOrEqual(0);
  return Object.keys(phases);
}

it("tells of a document's statement how long each of its parts took", async () => {
  const others = ["compile", "commit"];
  expect(await phasesOf(SUM)).toEqual(PHASES.filter((phase) => !others.includes(phase)));
});

it("tells of no URLs where no file had to come in", async () => {
  expect(await phasesOf(SUM)).not.toContain("sign");
});

it("tells of a file of the drive that it came in", async () => {
  mkdirSync(join(lake.platform.directory, "drive"));
  writeFileSync(join(lake.platform.directory, "drive", "a.csv"), "id\n1\n");
  // The second time it is known that there are no tables to fetch.
  await phasesOf("SELECT 1 AS one");
  expect(await phasesOf("SELECT 1 AS one")).not.toContain("fetch");
  expect(await phasesOf("SELECT id FROM read_csv('gs://bucket/team/drive/a.csv')")).toContain("fetch");
});

it("tells of a statement that writes what it read, wrote and committed", async () => {
  const written = await WriteLake.open();
  onTestFinished(() => written.close());
  const parts = ["gate", "describe", "wait", "setup", "run", "commit"];
  for (const sql of ["CREATE TABLE made AS SELECT 1 AS a", "DELETE FROM made WHERE a = 1"])
    expect(await phasesOf(sql, written)).toEqual(expect.arrayContaining(parts));
});
