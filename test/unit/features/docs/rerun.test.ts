import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunOrder } from "../../../../kernel/wire/sandbox.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import type { BuildRun, BuiltDataset, KeptStage } from "../../../../src/features/docs/builds/build.ts";
import { keepStage } from "../../../../src/features/docs/builds/kept-stages.ts";
import { readsOfInputs } from "../../../../src/features/docs/builds/rerun/input-reads.ts";
import { Definition } from "../../../../src/features/docs/definition/definition.ts";
import { fakeSandbox } from "../../../support/unit/fake-sandbox.ts";
import { call } from "../../../support/unit/http.ts";
import { createTable } from "../../../support/unit/lake.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { newLakeTeam } from "../lake-admin/lakes.ts";

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});

const post = (datasets: object) =>
  call("POST", "/v4/docs", {
    key: team.admin.key,
    body: { version: 1, kind: "pipeline", metadata: { name: "Shop" }, datasets },
  });
const table = (name: string) => ({ materialize: { table: name } });

describe("a rerun", () => {
  let tables = 0;
  const python = (more: object = {}) => ({
    engine: "python",
    code: "result = []",
    ...table(`re_${++tables}`),
    ...more,
  });
  const rerun = (doc: string, runId: string) =>
    fakeSandbox().post(`/v4/docs/${doc}/runs/${runId}/rerun`, team.admin.key, {});

  /** A run by the webhook, which fails; `staged`: its datasets that have a stage, and what their inputs read. */
  async function failedRun(datasets: object, body: object, staged: Record<string, object> = {}) {
    const doc = (await post(datasets)).body.data.id as string;
    let order: RunOrder | undefined;
    const sandbox = fakeSandbox({
      datasets: Object.fromEntries(Object.keys(datasets).map((key) => [key, { success: key in staged }])),
      during: async (given) => void (order = given),
      outcome: "failed",
    });
    const { status } = await sandbox.post(`/v4/webhook/docs/${doc}/execute`, team.admin.key, body);
    expect(status).toBe(200);
    const run = { teamId: team.id, id: order!.runId };
    for (const { key, executionId } of order!.datasets) {
      const stage = { staged: { dataset: key }, reads: [], inputReads: [], stagedAt: Date.now(), ...staged[key] };
      if (key in staged) await keepStage(openClients(env), run, executionId, stage as unknown as KeptStage);
    }
    return { doc, runId: order!.runId };
  }

  it("is refused where code would run again without the data that the run was given, and is not where none would", async () => {
    const datasets = () => ({ given: python(), last: python({ dependsOn: ["given"] }) });
    for (const body of [{ data: { rows: [1] } }, { environmentVariables: { REGION: "north" } }]) {
      const { doc, runId } = await failedRun(datasets(), body, { given: {} });
      expect(await rerun(doc, runId)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining("not kept") },
      });
    }
    const empty = await failedRun(datasets(), {}, { given: {} });
    expect((await rerun(empty.doc, empty.runId)).status).toBe(202);
    const whole = await failedRun(datasets(), { data: 1 }, { given: {}, last: {} });
    const again = await rerun(whole.doc, whole.runId);
    expect(again.status).toBe(202);
    // What it has taken over was made with the data, too.
    const row = await env.DB.prepare("select had_data from doc_runs where id = ?").bind(again.body.data.id).first();
    expect(row).toEqual({ had_data: 1 });
  });

  it("builds Python anew where a table has changed that its inputs read, or where that is not known", async () => {
    const gone = [{ schema: "main", name: "gone", version: "1" }];
    const inputs = [
      [{ inputReads: [] }, "staged"],
      [{ inputReads: gone }, "python"],
      [{ inputReads: null }, "python"],
    ];
    for (const [stage, engine] of inputs as [object, string][]) {
      const { doc, runId } = await failedRun({ given: python(), last: python() }, {}, { given: stage });
      const sandbox = fakeSandbox();
      await sandbox.post(`/v4/docs/${doc}/runs/${runId}/rerun`, team.admin.key, {});
      await expect.poll(() => sandbox.seen.orders[0]?.datasets[0]).toMatchObject({ key: "given", engine });
    }
  });
});

describe("what Python's inputs read that build no table", () => {
  const sqlOf = (text: string, more: object = {}) => ({ engine: "sql", sql: text, ...more });

  it("is the tables that their SQL names, by their versions from before the run, and unknown of other databases", async () => {
    const { team, lakeId, writer, fill } = await newLakeTeam();
    valueOf(await writer.commit([createTable("main", "other")]));
    const [reads, at] = [openClients(env), (ms: number) => new Date(Date.now() + ms).toISOString()];
    const read = (input: object, createdAt: string) => {
      const py = { engine: "python", code: "result = q", inputs: [{ ref: "between", as: "q" }], ...table("p") };
      const between = { engine: "python", code: "result = q", inputs: [{ ref: "input", as: "q" }] };
      const datasets = { input, between, py };
      const definition = Definition.parse({ version: 1, kind: "pipeline", metadata: { name: "Shop" }, datasets });
      const run = { teamId: team.id, lakeId, createdAt } as BuildRun;
      return readsOfInputs(reads, run, definition, definition.datasets.py as BuiltDataset);
    };
    const named = sqlOf('SELECT * FROM main."Other"');
    const [found] = (await read(named, at(60_000)))!;
    expect(found).toMatchObject({ schema: "main", name: "other", version: expect.stringMatching(/^[1-9]/) });
    await fill(1);
    expect(await read(named, at(60_000))).toEqual([found]);
    expect(await read(named, at(-60_000)), "the lake had no snapshot then").toBeNull();
    expect(await read(sqlOf("DELETE FROM other"), at(60_000))).toEqual([]);
    expect(await read(sqlOf("SELECT * FROM information_schema.tables"), at(60_000))).toBeNull();
    expect(await read(sqlOf("SELECT 1", { integrationId: "a source" }), at(60_000))).toBeNull();
    expect(await read({ engine: "cube", cube: "Orders" }, at(60_000))).toBeNull();
  });
});
