// An engine that takes jobs and does nothing: a test says how each ends, over the real catalog's own lease and report.

import { env } from "cloudflare:workers";
import type { JobOutcome } from "../../../../kernel/jobs/job.ts";
import { MAINTENANCE_STEPS, type MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import type { JobRequest, JobStatus } from "../../../../kernel/jobs/work.ts";
import { AUTOMATION_WORK } from "../../../../src/features/automations/automation-work.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { MAINTENANCE_LEASE, openLake } from "../../../../src/lake/lake.ts";
import { callWith } from "../../../support/unit/call-with.ts";

const headers = { [ENGINE_HEADER]: String(PROTOCOL) };

export function newEngine() {
  const jobs = new Map<string, { request: JobRequest; status: JobStatus }>();
  const sent: string[] = [];
  const engine = { isFull: false, isAway: false, jobs, sent };
  const answer = (id: string): Response =>
    jobs.has(id)
      ? Response.json(jobs.get(id)!.status, { headers })
      : Response.json({ code: "not_found", message: "No such job." }, { status: 404, headers });
  const stub = {
    async fetch(_: string, { body }: { body: string }) {
      if (engine.isFull) return Response.json({ code: "busy", message: "Busy." }, { status: 503, headers });
      const request = JSON.parse(body) as JobRequest;
      const status = { id: request.id, state: "running" as const, progress: "", error: null, platformAway: false };
      jobs.set(request.id, { request, status });
      return Response.json(status, { status: 202, headers });
    },
    async askRunning(method: string, path: string) {
      if (engine.isAway) throw new Error("The engine can't be asked.");
      const id = decodeURIComponent(path.slice("/jobs/".length));
      if (method === "DELETE" && jobs.delete(id)) return new Response(null, { status: 204, headers });
      return answer(id);
    },
  };
  const bindings = {
    ENGINE: { getByName: () => stub },
    WAKE_UPS: {
      send: async ({ id }: { id: string }) => void sent.push(id),
      sendBatch: async (batch: Iterable<{ body: { id: string } }>) =>
        void sent.push(...[...batch].map(({ body }) => body.id)),
    },
  } as unknown as Partial<Env>;
  const clients = openClients({ ...env, ...bindings } as Env);
  return Object.assign(engine, {
    bindings,
    ask: (method: string, path: string, key: string, body?: unknown) =>
      callWith(bindings, method, path, { key, ...(body === undefined ? {} : { body }) }),
    /** One step of a run, as late as is said. */
    step: (teamId: string, id: string, lateMs = 0) =>
      stepRun(AUTOMATION_WORK, clients, { teamId, id }, () => new Date(Date.now() + lateMs)),
    /** The job says how far it is, or how it ended. */
    async report(jobId: string, progress: MaintenanceProgress, outcome?: Partial<JobOutcome>) {
      const { lakeId } = jobs.get(jobId)!.request.work;
      const lake = openLake(env as Env, lakeId);
      const { fence } = (await lake.findHeldLease(MAINTENANCE_LEASE))!;
      if (!outcome) return lake.keepProgress(MAINTENANCE_LEASE, fence, progress);
      jobs.delete(jobId);
      const ended = { outcome: "succeeded" as const, error: null, retryable: false, progress, ...outcome };
      return lake.keepOutcome(MAINTENANCE_LEASE, fence, ended);
    },
  });
}

export const progressOf = (done = 0): MaintenanceProgress => ({
  kind: "maintenance",
  level: "full",
  steps: MAINTENANCE_STEPS.map((step) => ({ step, state: "done", done, files: 0, bytes: 0, error: null })),
  tables: [
    {
      ...{ schema: "main", name: "t", step: "merge", state: "done", note: null },
      ...{ filesBefore: 9, filesAfter: 1, bytesBefore: 90, bytesAfter: 30, rowsBefore: 5, rowsAfter: 5 },
    },
  ],
});
