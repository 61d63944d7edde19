import { describe, expect, it } from "vitest";
import type { Definition } from "../../../../src/features/docs/definition/definition.ts";
import { Definition as Schema } from "../../../../src/features/docs/definition/definition.ts";
import { planRerun } from "../../../../src/features/docs/builds/rerun/plan-rerun.ts";
import type { Execution } from "../../../../src/features/docs/runs/run.ts";

const table = (name: string) => ({ materialize: { table: name } });
const DATASETS = {
  plain: { engine: "sql", sql: "SELECT 1 AS id" },
  raw: { engine: "python", code: "result = plain", inputs: [{ ref: "plain", as: "plain" }], ...table("raw") },
  orders: { engine: "sql", sql: "SELECT * FROM raw", dependsOn: ["raw"], ...table("orders") },
  totals: { engine: "sql", sql: "SELECT 1 AS n FROM orders", dependsOn: ["orders"], ...table("totals") },
  aside: { engine: "sql", sql: "SELECT 1 AS id", ...table("aside") },
};
const define = (changed: object = {}): Definition =>
  Schema.parse({ version: 1, kind: "pipeline", metadata: { name: "Shop" }, datasets: { ...DATASETS, ...changed } });

/** A run whose datasets have all succeeded and were not published, but for those that are named. */
const ran = (failed: Record<string, Execution["errorCode"]>): Execution[] =>
  Object.keys(DATASETS).map((datasetKey) => ({
    ...{ id: `of ${datasetKey}`, runId: "run", datasetKey, engine: "sql", isSelected: true },
    state: datasetKey === "plain" ? "succeeded" : "failed",
    errorCode: datasetKey in failed ? failed[datasetKey]! : datasetKey === "plain" ? null : "not_published",
    ...{ error: null, traceback: null, result: null, startedAt: null, durationMs: null, peakBytes: null },
  }));

function plan(
  definition: Definition,
  failed: Record<string, Execution["errorCode"]>,
  { lost = [], outdated = [] }: { lost?: string[]; outdated?: string[] } = {},
) {
  const executions = ran(failed);
  const stagedIds = new Set(executions.map(({ id }) => id).filter((id) => !lost.includes(id.slice(3))));
  const outdatedIds = new Set(outdated.map((key) => `of ${key}`));
  const earlier = { definition: define(), executions, stagedIds, outdatedIds };
  const { plan: planned, takenOver } = planRerun(definition, earlier);
  const shown = planned.datasets.map(({ key, engine }) => `${key} ${engine}`);
  expect([...takenOver.keys()].sort()).toEqual(
    planned.datasets.flatMap(({ key, engine }) => (engine === "staged" ? [key] : [])).sort(),
  );
  return shown;
}

describe("a run that goes on from another", () => {
  it("runs what failed and what needs that, and takes over the rest", () => {
    expect(plan(define(), { orders: "tests_failed" })).toEqual([
      "raw staged",
      "orders sql",
      "totals sql",
      "aside staged",
    ]);
  });

  it("publishes alone where nothing else failed", () => {
    expect(plan(define(), {})).toEqual(["raw staged", "orders staged", "totals staged", "aside staged"]);
  });

  it("runs again what is defined otherwise by now, and what needs that", () => {
    const changed = { raw: { ...DATASETS.raw, code: "result = other" } };
    expect(plan(define(changed), {})).toEqual(["plain sql", "raw python", "orders sql", "totals sql", "aside staged"]);
  });

  it("runs again what was read from a table that has changed since, and what needs that", () => {
    expect(plan(define(), { totals: "tests_failed" }, { outdated: ["orders"] })).toEqual([
      "raw staged",
      "orders sql",
      "totals sql",
      "aside staged",
    ]);
  });

  it("runs again what has no stage", () => {
    expect(plan(define(), {}, { lost: ["aside"] })).toContain("aside sql");
  });
});
