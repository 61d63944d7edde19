// What the answer of a lake statement tells about its parts.

import { afterAll, beforeAll, expect, it } from "vitest";
import { TestLake, column } from "../../support/node/lake/test-lake.ts";
import { PHASES } from "../../../containers/engine/contract/constants/phases.ts";

let lake: TestLake;
beforeAll(async () => {
  lake = await TestLake.open();
  await lake.write("t.parquet", "SELECT range AS a FROM range(1000)", "a: 1");
  lake.platform.addTable("main", "t", [column(1, "a", "int64")], [{ path: "t.parquet" }]);
});
afterAll(() => lake.close());

const phasesOf = async (): Promise<string[]> => {
  const answer = await lake.ask("SELECT sum(a) AS s FROM t");
  const { phases } = (JSON.parse(answer) as { timing: { phases: Record<string, number> } }).timing;
  for (const ms of Object.values(phases)) expect(ms).toBeGreaterThanOrEqual(0);
  return Object.keys(phases);
};

it("tells of a document's statement how long each of its parts took", async () => {
  expect(await phasesOf()).toEqual(PHASES);
});

it("tells of no URLs where no file had to come in", async () => {
  expect(await phasesOf()).not.toContain("sign");
});
