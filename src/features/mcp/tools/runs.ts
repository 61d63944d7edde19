// The tools of runs: of docs, syncs and automation jobs.

import { z } from "@hono/zod-openapi";
import { invalidAt } from "../../../core/problem.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { tool } from "../tool.ts";

const RUN_KINDS = ["doc", "sync", "job"] as const;
type RunKind = (typeof RUN_KINDS)[number];
type Named = { id: string; run_id: string };
type Page<Item> = { items: Item[] };

type Runs = {
  list(calls: OperationCalls, id: string, limit: number): Promise<unknown>;
  start(calls: OperationCalls, id: string): Promise<unknown>;
  logs(calls: OperationCalls, run: Named): Promise<unknown>;
};

const lines = { limit: MCP_LIMITS.logLinesMax };

const RUNS: Record<RunKind, Runs> = {
  doc: {
    list: async (calls, doc_id, limit) =>
      (await calls.call<Page<unknown>>("listDocRuns", { params: { doc_id }, query: { limit } })).items,
    start: (calls, doc_id) => calls.call("runDoc", { params: { doc_id }, body: {} }),
    async logs(calls, { id: doc_id, run_id }) {
      const { state, executions } = await calls.call<{ state: string; executions: { id: string }[] }>("getDocRun", {
        params: { doc_id, run_id },
      });
      const read = executions.map(async ({ id: execution_id }) => {
        const params = { execution_id };
        const [execution, page] = await Promise.all([
          calls.call<{ dataset_key: string; state: string; error: string | null; traceback: string | null }>(
            "getExecution",
            { params },
          ),
          calls.call<Page<unknown>>("listExecutionLogs", { params, query: lines }),
        ]);
        const { dataset_key, state: ended, error, traceback } = execution;
        return { dataset_key, state: ended, error, traceback, lines: page.items };
      });
      return { state, datasets: await Promise.all(read) };
    },
  },
  sync: {
    list: async (calls, integration_id, limit) =>
      (await calls.call<{ data: unknown[] }>("listSyncRuns", { params: { integration_id }, query: { limit } })).data,
    start: (calls, integration_id) => calls.call("runSync", { params: { integration_id }, body: {} }),
    logs: (calls, { id: integration_id, run_id }) =>
      calls.call("listSyncRunLogs", { params: { integration_id, run_id }, query: lines }),
  },
  job: {
    list: async (calls, job_id, limit) =>
      (await calls.call<Page<unknown>>("listAutomationRuns", { params: { job_id }, query: { limit } })).items,
    start: (calls, job_id) => calls.call("processAutomationJob", { params: { job_id }, body: {} }),
    async logs(calls, { id: job_id, run_id }) {
      const params = { job_id, run_id };
      const { items } = await calls.call<Page<{ id: string }>>("listAutomationAttempts", { params });
      const [newest] = items;
      if (!newest) return { attempt: null, lines: [] };
      const page = await calls.call<Page<unknown>>("listAutomationLogs", {
        params: { ...params, attempt_id: newest.id },
        query: lines,
      });
      return { attempt: newest, lines: page.items };
    },
  },
};

const kind = z.enum(RUN_KINDS);
const id = z.string().describe("Of the doc, the synced integration, or the job.");

export const listRuns = tool({
  name: "list_runs",
  group: "runs",
  title: "List runs",
  description: "Newest first, of a doc, sync or automation job; without an id the jobs, each with its last run.",
  input: z.strictObject({ kind, id: id.optional(), limit: z.number().int().optional() }),
  operations: ["listDocRuns", "listSyncRuns", "listAutomationRuns"],
  reads: true,
  async run(calls, { kind: of, id: whose, limit = 10 }) {
    const at_most = Math.min(limit, MCP_LIMITS.runsMax);
    if (whose !== undefined) return RUNS[of].list(calls, whose, at_most);
    if (of === "job") return calls.call("listAutomationJobs", { query: { limit: at_most } });
    const message = "Name the id whose runs are meant.";
    throw invalidAt("/id", message);
  },
});

export const runTool = tool({
  name: "run",
  group: "runs",
  title: "Start a run",
  description: "Of a doc, sync or job, now. Answers at once: follow it by list_runs and get_logs.",
  input: z.strictObject({ kind, id }),
  operations: ["runDoc", "runSync", "processAutomationJob"],
  reads: false,
  run: (calls, { kind: of, id: whose }) => RUNS[of].start(calls, whose),
});

export const getLogs = tool({
  name: "get_logs",
  group: "runs",
  title: "Read what a run said",
  description: "Its state, errors and first lines.",
  input: z.strictObject({ kind, id, run_id: z.string() }),
  operations: ["getDocRun", "listSyncRunLogs", "listAutomationLogs"],
  reads: true,
  run: (calls, { kind: of, id: whose, run_id }) => RUNS[of].logs(calls, { id: whose, run_id }),
});
