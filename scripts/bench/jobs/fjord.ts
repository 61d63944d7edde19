// Our automations, over HTTP alone: each job runs one doc, whose one Python dataset says when it began.

import type { Platform } from "../support/platform.ts";
import { until, type Contender } from "./contender.ts";

const EACH_MINUTE = { cron: "* * * * *", timezone: "UTC" };
const CODE = "import time\nprint('began', time.time())";
const POLL_MS = 100;
const REQUEST_MS = 60_000;

type Run = { id: string; state: string; error: string | null; docRunId: string | null; created_at: string };

/** `queue` keeps all that is asked of a job; here no job is asked twice before it has run. */
export async function openFjord(platform: Platform): Promise<Contender> {
  const ask = <Data>(method: string, path: string, body?: unknown) => request<Data>(platform, method, path, body);
  const datasets = { main: { engine: "python", code: CODE } };
  const definition = { version: 1, kind: "pipeline", metadata: { name: "Bench of jobs" }, datasets };
  const doc = await ask<{ id: string }>("POST", "/v4/docs", definition);
  const jobs = new Map<string, string>();
  const jobOf = (id: string): string => jobs.get(id) ?? missing(id);

  const create = async (id: string) => {
    const job = await ask<{ id: string }>("POST", "/v4/automations/jobs", {
      resourceType: "doc",
      resourceId: doc.id,
      name: id,
      retry: { attempts: 1 },
    });
    jobs.set(id, job.id);
  };
  const patch = (ids: string[], schedule: typeof EACH_MINUTE | null) =>
    Promise.all(ids.map((id) => ask("PATCH", `/v4/automations/jobs/${jobOf(id)}`, { schedule })));

  const beganOf = async (id: string, since: number): Promise<number | undefined> => {
    const path = `/v4/automations/jobs/${jobOf(id)}/runs`;
    const runs = await ask<{ items: Run[] }>("GET", path);
    const run = runs.items.filter(({ created_at }) => Date.parse(created_at) >= since - 1).at(-1);
    if (!run || ["queued", "running"].includes(run.state)) return undefined;
    if (run.state !== "succeeded") throw new Error(`A run has ${run.state}: ${run.error}`);
    const ran = await ask<{ executions: { id: string }[] }>("GET", `/v4/docs/${doc.id}/runs/${run.docRunId}`);
    const logs = await ask<{ items: { message: string }[] }>("GET", `/v4/executions/${ran.executions[0]?.id}/logs`);
    const line = logs.items.find(({ message }) => message.startsWith("began"));
    return line && Number(line.message.split(" ")[1]) * 1_000;
  };

  return {
    name: "Fjord automations, a jailed Python process each",
    prepare: async (ids) => void (await Promise.all(ids.map(create))),
    enqueue: async (id) => void (await ask("POST", `/v4/automations/jobs/${jobOf(id)}/process`, {})),
    async schedule(ids) {
      await patch(ids, EACH_MINUTE);
      return async () => void (await patch(ids, null));
    },
    async began(ids, since) {
      const began = new Map<string, number>();
      await until(async () => {
        for (const id of ids) if (!began.has(id)) set(began, id, await beganOf(id, since));
        return began.size === ids.length;
      }, POLL_MS);
      return ids.map((id) => began.get(id)!);
    },
    stop: () => platform.stop(),
  };
}

function set(map: Map<string, number>, id: string, value: number | undefined): void {
  if (value !== undefined) map.set(id, value);
}

function missing(id: string): never {
  throw new Error(`There is no job ${id}.`);
}

async function request<Data>({ url, key }: Platform, method: string, path: string, body?: unknown): Promise<Data> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}
