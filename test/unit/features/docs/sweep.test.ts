import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { DOC_LIMITS } from "../../../../src/features/docs/limits.ts";
import { sweepDocRuns } from "../../../../src/features/docs/runs/sweep.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { fakeSandbox } from "../../../support/unit/fake-sandbox.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const AWAY = "a lake that is away";

it("ends a run though as many as a sweep looks at can't be settled and have waited for longer", async () => {
  const { admin } = await newTeam();
  const datasets = { t: { engine: "sql", sql: "SELECT 1 AS id" } };
  const body = { version: 1, kind: "pipeline", metadata: { name: "Swept" }, datasets };
  const { id: doc } = (await call("POST", "/v4/docs", { key: admin.key, body })).body.data as { id: string };
  const { id } = (await fakeSandbox().post(`/v4/docs/${doc}/run`, admin.key, {})).body.data as { id: string };
  const look = async () => (await call("GET", `/v4/docs/${doc}/runs/${id}`, { key: admin.key })).body.data;
  // Nobody waits for the run any more: it is the sweep's alone.
  await expect.poll(look, { timeout: 20_000 }).toMatchObject({ state: "succeeded" });
  const at = new Date(Date.now() + 60_000);
  await env.DB.prepare("update doc_runs set ended_at = null, state = 'running', lease_until = ? where id = ?")
    .bind("2001-01-01T00:00:00.000Z", id)
    .run();
  await copyRun(id, DOC_LIMITS.runsSweptMax, {
    ...{ lake_id: `'${AWAY}'`, build_id: "'a build'", lease_until: "'2000-01-01T00:00:00.000Z'" },
    ...{ id: "id || ' ' || value", key_hash: "key_hash || ' ' || value" },
  });
  const deps = {
    ...openClients({ ...env, ...fakeSandbox().bindings }),
    openLake(lakeId: string) {
      if (lakeId === AWAY) throw new Error("The lake is away.");
      return openLake(env, lakeId);
    },
  };
  expect(await sweepDocRuns(deps, at)).toMatchObject({ docRunsEnded: 0 });
  const later = new Date(at.getTime() + 60_000);
  expect(await sweepDocRuns(deps, later)).toMatchObject({ docRunsEnded: 1 });
  expect(await look()).toMatchObject({ state: "failed", ended_at: expect.any(String) });
});

/** Copies a run's row, with other values, in SQL, for some of its columns. */
async function copyRun(id: string, times: number, others: Record<string, string>): Promise<void> {
  const row = await env.DB.prepare("select * from doc_runs where id = ?").bind(id).first();
  const columns = Object.keys(row!);
  const values = columns.map((column) => others[column] ?? column);
  const numbers = JSON.stringify(Array.from({ length: times }, (_, i) => i));
  await env.DB.prepare(
    `insert into doc_runs (${columns.join(", ")}) select ${values.join(", ")} from
      (select doc_runs.*, e.value as value from doc_runs, json_each(?) e where doc_runs.id = ?)`,
  )
    .bind(numbers, id)
    .run();
}
