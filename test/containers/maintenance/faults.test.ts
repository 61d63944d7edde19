// What goes wrong around a maintenance: no row and no id is lost, what can be done is done, and the job says what was
// not.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { QueryProcess } from "../../../containers/engine/lake/process/query-process.ts";
import type { MaintenanceOutcome } from "../../../kernel/jobs/job.ts";
import { refuse } from "../../../src/core/answer.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";
import { readRowIds } from "../../support/node/maintenance/row-ids.ts";

const PROGRAM = fileURLToPath(new URL("../../support/node/maintenance/maintain-once.ts", import.meta.url));

let lake: WriteLake;
let maintenance: MaintenancePlatform;
let tables = 0;
beforeAll(async () => {
  lake = await WriteLake.open();
  maintenance = await MaintenancePlatform.start(lake.platform);
});
afterEach(() => {
  maintenance.onRequest = () => undefined;
  lake.platform.onRequest = () => undefined;
  maintenance.plan = (request) => maintenance.planned(request);
  maintenance.take = (step, after) => maintenance.taken(step, after);
  maintenance.cancelsJobs = false;
});
afterAll(async () => {
  await maintenance.stop();
  await lake.close();
});

/** A table of three files with some rows deleted. Answers its name. */
async function makeTable(): Promise<string> {
  const name = `t${++tables}`;
  await lake.ask(`CREATE TABLE ${name} AS SELECT range::INTEGER AS id, 'w' || range AS word FROM range(300)`);
  for (const from of [300, 600])
    await lake.ask(`INSERT INTO ${name} SELECT range, 'x' FROM range(${from}, ${from + 300})`);
  await lake.ask(`DELETE FROM ${name} WHERE id % 10 = 0`);
  return name;
}

const rowsOf = (name: string) => lake.rows(`FROM ${name} ORDER BY ALL`);
const idsOf = (name: string) => readRowIds(lake.platform, maintenance, `main.${name}`);
const contentOf = async (name: string) => [await rowsOf(name), await idsOf(name)];
const filesOf = (name: string) => maintenance.pathsOf(`main.${name}`);
/** One group of each table, at the first ask. */
const planOnce = (...names: string[]) =>
  maintenance.planOnce(() => names.map((name) => maintenance.groupOf(`main.${name}`)));
/** Calls `work` before the next request of this kind is answered. */
function before(verb: string, work: () => unknown): void {
  let isDone = false;
  maintenance.onRequest = async (asked) => {
    if (isDone || asked !== verb) return;
    isDone = true;
    await work();
  };
}
const tableOf = ({ progress }: MaintenanceOutcome, name: string) =>
  progress.tables.find((table) => table.name === name);
const stepOf = ({ progress }: MaintenanceOutcome, step: string) => progress.steps.find((each) => each.step === step);
/** What jobs of this process have on the disk. */
const leftovers = () => {
  const folder = join(tmpdir(), `fjord-maintenance-${process.pid}`);
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
};

describe("a table that can't be worked on", () => {
  it("because rows were deleted in the meantime is left alone, and the others are done", async () => {
    const [busy, free] = [await makeTable(), await makeTable()];
    planOnce(busy, free);
    before("commit", () => lake.ask(`DELETE FROM ${busy} WHERE id = 7`));
    const outcome = await maintenance.run("daily");
    expect(outcome).toMatchObject({ outcome: "succeeded" });
    expect(tableOf(outcome, busy)).toMatchObject({
      state: "left_alone",
      note: expect.stringMatching(/deleted|writing/),
    });
    expect(tableOf(outcome, free)).toMatchObject({ state: "done", filesBefore: 3, filesAfter: 1, rowsBefore: 810 });
    expect([filesOf(busy).length, filesOf(free).length]).toEqual([3, 1]);
    expect(await lake.rows(`SELECT count(*) AS n FROM ${busy}`)).toEqual([{ n: 809 }]);
    expect(maintenance.lines).toContainEqual(expect.stringContaining(`warning: main.${busy} is left alone`));
  });

  it("because it was dropped is left alone", async () => {
    const [gone, kept] = [await makeTable(), await makeTable()];
    planOnce(gone, kept);
    before("tables", () => lake.ask(`DROP TABLE ${gone}`));
    const early = await maintenance.run("daily", "run-dropped-early");
    expect(tableOf(early, gone)).toMatchObject({ state: "left_alone", note: expect.stringContaining("dropped") });
    expect([early.outcome, tableOf(early, kept)?.state]).toEqual(["succeeded", "done"]);
    const late = await makeTable();
    planOnce(late);
    before("commit", () => lake.ask(`DROP TABLE ${late}`));
    expect(tableOf(await maintenance.run("daily", "run-dropped-late"), late)).toMatchObject({ state: "left_alone" });
  });

  it("because a file of it is damaged or gone fails in words, and the others and the other steps are done", async () => {
    const [damaged, gone, sound] = [await makeTable(), await makeTable(), await makeTable()];
    const [[first], [second]] = [filesOf(damaged), filesOf(gone)];
    const file = join(lake.platform.bucket, first!);
    const content = maintenance.groupOf(`main.${damaged}`).files[0]!;
    writeFileSync(file, Buffer.alloc(content.bytes, 7));
    rmSync(join(lake.platform.bucket, second!));
    planOnce(damaged, gone, sound);
    const outcome = await maintenance.run("full", "run-damaged");
    expect(outcome).toMatchObject({ outcome: "failed", error: expect.stringContaining("2 of 3 tables") });
    expect(tableOf(outcome, damaged)).toMatchObject({ state: "failed", note: expect.stringContaining(first!) });
    expect(tableOf(outcome, gone)).toMatchObject({ state: "failed" });
    expect(tableOf(outcome, sound)).toMatchObject({ state: "done" });
    expect(["merge", "rewrite", "statistics"].map((step) => stepOf(outcome, step)?.state)).toEqual([
      "failed",
      "done",
      "done",
    ]);
    expect(tableOf(outcome, damaged)?.note).not.toContain("group-");
    await lake.ask(`DROP TABLE ${damaged}`);
    await lake.ask(`DROP TABLE ${gone}`);
  });

  it("because a delete file was cut short fails, and its rows stay", async () => {
    const name = await makeTable();
    const { files } = maintenance.groupOf(`main.${name}`);
    const { path, bytes } = files[0]!.deletes!;
    truncateSync(join(lake.platform.bucket, path), bytes - 20);
    planOnce(name);
    const outcome = await maintenance.run("daily", "run-cut");
    expect(tableOf(outcome, name)).toMatchObject({ state: "failed" });
    expect(filesOf(name)).toHaveLength(3);
    await lake.ask(`DROP TABLE ${name}`);
  });
});

describe("a step of the platform's", () => {
  it("is asked on until it is done, and one that fails leaves the others their turn", async () => {
    const asked: string[] = [];
    maintenance.plan = () => ({ groups: [] });
    maintenance.take = (step, after) => {
      asked.push(`${step} ${after ?? "-"}`);
      if (step === "delete") return refuse("validation_failed", "The bucket said no.");
      return {
        done: 2,
        files: 1,
        bytes: 10,
        next: step === "expire" && after !== "b" ? (after === "a" ? "b" : "a") : null,
      };
    };
    const outcome = await maintenance.run("full", "run-steps");
    expect(asked).toEqual(["expire -", "expire a", "expire b", "delete -", "collect -", "statistics -"]);
    expect(stepOf(outcome, "expire")).toMatchObject({ state: "done", done: 6, files: 3, bytes: 30 });
    expect(outcome).toMatchObject({
      outcome: "failed",
      retryable: false,
      error: expect.stringContaining("The bucket said no."),
    });
    expect(outcome.progress.steps.map(({ state }) => state)).toEqual([
      "done",
      "done",
      "done",
      "failed",
      "done",
      "done",
    ]);
    asked.length = 0;
    await maintenance.run("daily", "run-daily");
    expect(asked).toEqual(["delete -", "collect -"]);
  });
});

describe("a commit", () => {
  it("whose answer was lost is done once", async () => {
    const name = await makeTable();
    const content = await contentOf(name);
    planOnce(name);
    maintenance.losingAnswers = 1;
    const { snapshotId } = lake.platform;
    expect(await maintenance.run("daily", "run-lost")).toMatchObject({ outcome: "succeeded" });
    expect(lake.platform.snapshotId).toBe(snapshotId + 1);
    expect(await contentOf(name)).toEqual(content);
  });
});

describe("a maintenance that is cancelled", () => {
  for (const verb of ["maintenance/plan", "tables", "sign", "uploads"])
    it(`at its request for ${verb} ends soon, commits nothing, and leaves nothing on the disk`, async () => {
      const name = await makeTable();
      const [content, commits] = [await contentOf(name), maintenance.commits.length];
      planOnce(name);
      before(verb, () => maintenance.jobs.cancel(id));
      const id = maintenance.start("daily", `run-cancelled-${verb}`);
      const { status, outcome } = await maintenance.ended(id);
      expect(status.state).toBe("cancelled");
      expect(outcome).toMatchObject({ outcome: "cancelled" });
      expect(maintenance.commits).toHaveLength(commits);
      expect(await contentOf(name)).toEqual(content);
      expect(leftovers()).toEqual([]);
    });

  it("by the platform's answer to its heartbeat ends too", async () => {
    const name = await makeTable();
    planOnce(name);
    maintenance.cancelsJobs = true;
    // The first heartbeat goes out with the job.
    before("maintenance/plan", () => new Promise((resolve) => setTimeout(resolve, 500)));
    const { status } = await maintenance.ended(maintenance.start("daily", "run-given-up"));
    expect(status.state).toBe("cancelled");
  });
});

describe("an engine that is killed", () => {
  const isObject = (verb: string) => verb === "get" || verb === "put";
  for (const verb of [
    "maintenance/plan",
    "tables",
    "sign",
    "get",
    "uploads",
    "put",
    "commit",
    "answered commit",
    "maintenance/delete",
    "maintenance/collect",
  ])
    it(`at ${verb} leaves the lake as it was or as it should be, and the next attempt ends the work`, async () => {
      const names = [await makeTable(), await makeTable()];
      const content = await Promise.all(names.map(contentOf));
      maintenance.plan = (request) => maintenance.planned(request);
      const [waitFor, isAnswered] = verb === "answered commit" ? ["commit", true] : [verb, false];
      const child = spawn(
        process.execPath,
        [PROGRAM, maintenance.url, JSON.stringify(maintenance.attempt("daily", `run-killed-${verb}`))],
        { stdio: "ignore" },
      );
      const exited = once(child, "exit");
      const kill = async (asked: string): Promise<void> => {
        if (asked !== waitFor) return;
        child.kill("SIGKILL");
        await exited;
      };
      if (isAnswered) maintenance.onAnswered = kill;
      else if (isObject(waitFor)) lake.platform.onRequest = kill;
      else maintenance.onRequest = kill;
      await exited;
      expect(child.signalCode).toBe("SIGKILL");
      maintenance.onRequest = () => undefined;
      maintenance.onAnswered = () => undefined;
      lake.platform.onRequest = () => undefined;
      expect(await Promise.all(names.map(contentOf))).toEqual(content);

      const outcome = await maintenance.run("daily", `run-killed-${verb}`);
      expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: "succeeded" });
      expect(await Promise.all(names.map(contentOf))).toEqual(content);
      expect(names.map((name) => filesOf(name).length)).toEqual([1, 1]);
    });
});

describe("a rewriting process that is killed from outside", () => {
  /** Kills it as soon as it has its order, so many times. */
  function killAt(order: "inspect" | "runWriteOrder", times: number) {
    const original = QueryProcess.prototype[order] as (...args: unknown[]) => Promise<unknown>;
    let kills = 0;
    return vi.spyOn(QueryProcess.prototype, order).mockImplementation(function (
      this: QueryProcess,
      ...args: unknown[]
    ) {
      const isKilled = kills++ < times;
      if (isKilled) process.kill(this.pid!, "SIGSTOP");
      const asked = original.apply(this, args);
      if (isKilled) process.kill(this.pid!, "SIGKILL");
      return asked as never;
    });
  }

  it.each(["inspect", "runWriteOrder"] as const)("at %s is replaced, at last by the next attempt's", async (order) => {
    const name = await makeTable();
    const content = await contentOf(name);
    const runKilled = async (times: number) => {
      planOnce(name);
      const killing = killAt(order, times);
      return maintenance.run("daily", `killed-at-${order}`).finally(() => killing.mockRestore());
    };
    const error = expect.stringContaining("killed from outside");
    expect(await runKilled(100)).toMatchObject({ outcome: "failed", retryable: true, error });
    expect(await contentOf(name)).toEqual(content);
    expect(await runKilled(1)).toMatchObject({ outcome: "succeeded" });
    expect([await contentOf(name), filesOf(name).length]).toEqual([content, 1]);
  });
});
