// Suites of automations begin with a team that has a doc and a lake, with jobs of these, and with a sandbox that a test
// plays over real rows.

import { env } from "cloudflare:workers";
import type { RunOrder } from "../../../kernel/wire/sandbox.ts";
import { AUTOMATION_WORK } from "../../../src/features/automations/automation-work.ts";
import { stepRun } from "../../../src/features/work-model/step-run.ts";
import type { WakeUp } from "../../../src/platform/messages.ts";
import { openClients } from "../../../src/clients/clients.ts";
import { QUEUES } from "../../../src/queues.ts";
import { callWith } from "./call-with.ts";
import { fakeSandbox, reportOf, type Behaviour } from "./fake-sandbox.ts";
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

/** Steps, ticks and requests of one team. */
export async function newWorld(behaviour: Behaviour = {}) {
  const team = await newAutomationTeam();
  const sent: string[] = [];
  const queue = {
    send: async ({ id }: { id: string }) => void sent.push(id),
    sendBatch: async (messages: { body: { id: string } }[]) => void sent.push(...messages.map(({ body }) => body.id)),
  };
  const sandbox = fakeSandbox(behaviour, queue as unknown as Env["WAKE_UPS"]);
  const bindings = { ...env, ...sandbox.bindings, WAKE_UPS: queue } as unknown as Env;
  const clients = openClients(bindings);
  const ask = (method: string, path: string, body?: unknown, key: string = team.admin.key) =>
    callWith(bindings, method, `${JOBS}${path}`, { key, body });

  return {
    ...{ team, sandbox, sent, clients, call: ask, behaviour },
    newJob: async (fields: object = {}): Promise<string> =>
      (await ask("POST", "", { resourceType: "doc", resourceId: team.docId, name: "Job", ...fields })).body.data.id,
    read: (path: string) => callWith(bindings, "GET", path, { key: team.admin.key }),
    process: (jobId: string, body: object = {}, query = "") => ask("POST", `/${jobId}/process${query}`, body),
    runOf: async (jobId: string, id: string) => (await ask("GET", `/${jobId}/runs/${id}`)).body.data,
    runsOf: async (jobId: string) => (await ask("GET", `/${jobId}/runs`)).body.data.items,
    /** What the queue's consumer does with a message. */
    take: (kind: WakeUp["kind"], id: string) => {
      const message = { id: "m", body: { kind, version: 1, teamId: team.id, id }, attempts: 1, ack: () => undefined };
      return QUEUES["fjord-nudges"]!(clients, message as unknown as Message);
    },
    /** One step, as late as is said: claims that were left behind have run out by then. */
    step: (id: string, lateMs = 0) =>
      stepRun(AUTOMATION_WORK, clients, { teamId: team.id, id }, () => new Date(Date.now() + lateMs)),
    /** What the sandbox reports of a run that it was ordered. */
    begin: (order: RunOrder) => sandbox.senderOf(order)("heartbeat", { running: [] }),
    /** It has asked before it did anything, as a sandbox does. */
    finish: async (order: RunOrder, how: Behaviour = {}) => {
      await sandbox.senderOf(order)("heartbeat", { running: [] });
      return sandbox.senderOf(order)("finish", reportOf(order, how));
    },
  };
}

export type World = Awaited<ReturnType<typeof newWorld>>;

/** Later than any step's claim is good. */
export const CLAIM_OVER_MS = 400_000;
