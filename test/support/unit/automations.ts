// What suites of automations begin with: a team with a doc and a lake, and jobs of these.

import { env } from "cloudflare:workers";
import { call } from "./http.ts";
import { newTeam, type TestTeam } from "./team.ts";

export const JOBS = "/v4/automations/jobs";

export type AutomationTeam = TestTeam & { docId: string; lakeId: string };

export async function newAutomationTeam(): Promise<AutomationTeam> {
  const team = await newTeam();
  const lakeId = await env.DB.prepare("select id from integrations where team_id = ?")
    .bind(team.id)
    .first<string>("id");
  return { ...team, docId: await newDoc(team), lakeId: lakeId! };
}

const DATASETS = { one: { engine: "python", code: "result = 1" }, two: { engine: "python", code: "result = 2" } };

export async function newDoc({ admin }: TestTeam, datasets: object = DATASETS): Promise<string> {
  const body = { version: 1, kind: "pipeline", metadata: { name: "Scores" }, datasets };
  return (await call("POST", "/v4/docs", { key: admin.key, body })).body.data.id;
}

export const createJob = (team: AutomationTeam, fields: object = {}, key = team.admin.key) =>
  call("POST", JOBS, { key, body: { resourceType: "doc", resourceId: team.docId, name: "Job", ...fields } });

export const newJob = async (team: AutomationTeam, fields: object = {}): Promise<{ id: string }> =>
  (await createJob(team, fields)).body.data;
