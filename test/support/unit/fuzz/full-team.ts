// A team that has one of everything, made over the API as its people would.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { openLake } from "../../../../src/lake/lake.ts";
import { callWith } from "../call-with.ts";
import { postgresCredentials } from "../databases.ts";
import { publishDashboard } from "../endpoints/dashboards.ts";
import { createTable, newWriter } from "../lake.ts";
import { addLinkedFile } from "../messages/linked-files.ts";
import { cubeFile, modelPath } from "../semantic/models.ts";
import { newTeam, type TestTeam } from "../team.ts";

/** What names its things in paths, by the parameter's name. */
export type ThingIds = Map<string, string[]>;

/** `bindings`: programs that answer at once, for nothing here is about them. */
export async function newFullTeam(bindings: Env): Promise<{ team: TestTeam; ids: ThingIds }> {
  const team = await newTeam();
  const ids: ThingIds = new Map();
  const keep = (parameter: string, ...found: string[]) =>
    ids.set(parameter, [...(ids.get(parameter) ?? []), ...found.filter((id) => typeof id === "string")]);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await callWith(bindings, method, path, { key: team.admin.key, body });
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };

  keep("team_id", team.id);
  keep("user_id", team.member.id, team.admin.id);
  keep("key_id", (await ask("POST", `/v4/users/${team.member.id}/keys`, { name: "spare", expires_at: null })).data.id);
  const lakeId = (await ask("GET", "/v1/api/integrations?type=lake")).data[0].id as string;
  await fillLake(team, lakeId);
  keep("warehouse", lakeId, `${lakeId}:spark`);
  keep("schema_name", "shop");
  keep("table_name", "orders");
  keep("column_name", "id");

  const added = await ask("POST", "/v1/api/integrations", { type: "postgres", credentials: postgresCredentials() });
  const sourceId = added.integration.id as string;
  const source = `/v1/api/integrations/${sourceId}`;
  const base = { integration_id: lakeId };
  const cubeId = (await ask("POST", "/v1/api/integrations", { type: "cube", credentials: base })).integration.id;
  keep("integration_id", lakeId, sourceId, cubeId);
  await ask("PUT", modelPath(cubeId), { files: [cubeFile("orders")] });
  await ask("POST", `${source}/sync`, { dest_schema: "synced", schedule: "daily", tables: ["public.orders"] });
  keep("run_id", ...(await ask("GET", `${source}/syncs`)).data.map(({ id }: { id: string }) => id));

  const doc = { version: 1, kind: "pipeline", metadata: { name: "Scores" } };
  const datasets = { one: { engine: "python", code: "result = 1" } };
  const docId = (await ask("POST", "/v4/docs", { ...doc, datasets })).data.id as string;
  keep("doc_id", docId);
  keep("version", "1");
  const run = (await ask("POST", `/v4/docs/${docId}/run`, {})).data as { id: string; executions: { id: string }[] };
  keep("run_id", run.id);
  keep("execution_id", ...run.executions.map(({ id }) => id));

  const queryId = (await ask("POST", "/v4/queries", { name: "One", sql: "SELECT 1 AS one" })).data.id as string;
  const roleId = (await ask("POST", "/v4/data-access/roles", { name: "Endpoints" })).data.id as string;
  const endpoint = { name: "one", query_id: queryId, role_id: roleId };
  keep("query_id", queryId);
  keep("role_id", roleId);
  keep("endpoint_id", (await ask("POST", "/v4/endpoints", endpoint)).data.id);
  keep("endpoint_name", "one");
  const dashboard = await publishDashboard(team, { name: "one" });
  keep("published_dashboard_id", dashboard.id);
  keep("dashboard_name", dashboard.name);
  keep("dataset_key", "orders");

  const job = { resourceType: "doc", resourceId: docId, name: "Nightly" };
  const jobId = (await ask("POST", "/v4/automations/jobs", job)).data.id as string;
  const jobRun = (await ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).data;
  keep("job_id", jobId);
  keep("run_id", jobRun.id);
  keep("attempt_id", "1");
  await ask("PUT", `/v4/admin/lake/maintenance/${lakeId}/schedule`, { cron: "0 3 * * 0", timezone: "UTC" });
  await ask("POST", `/v4/admin/lake/maintenance/${lakeId}`);

  await ask("POST", "/v1/store", { name: "state", data: { cursor: "1" } });
  await ask("POST", "/v1/api/secret/TOKEN", { value: "secret" });
  keep("store_name", "state");
  keep("secret_key", "TOKEN");
  keep("upload_id", (await ask("POST", "/v3/drive/uploads", { path: "large.bin" })).upload_id);
  await env.BUCKET.put(`${team.id}/drive/notes.txt`, "hello");
  keep("path", "notes.txt");
  const destination = { kind: "webhook", name: "Orders", url: "https://orders.example.com/" };
  keep("destination_id", (await ask("POST", "/v4/destinations", destination)).data.id);
  keep("linked_file_id", (await addLinkedFile(team.id, team.admin.id)).id);
  await ask("PUT", "/v4/alerts/webhook", { url: "https://alerts.example.com/fjord" });
  return { team, ids };
}

async function fillLake(team: TestTeam, lakeId: string): Promise<void> {
  const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
  const file = writer.file("shop", "orders", 10);
  await writer.commit([createTable("shop", "orders")]);
  await writer.commit([{ kind: "append", schema: "shop", name: "orders", files: [file] }]);
}
