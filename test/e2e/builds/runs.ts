// Runs of docs that build tables, as their author sees them.

import { expect } from "vitest";
import { call } from "../client.ts";

type Data<Payload> = { data: Payload };
/** Where to ask; the platform that all files share, when absent. */
export type Place = { baseUrl?: string; key?: string };

export type Run = {
  id: string;
  doc_id: string;
  state: string;
  error: string | null;
  ended_at: string | null;
  executions: { id: string; dataset_key: string; state: string; error: string | null }[];
};
export type RunTest = {
  name: string;
  state: string;
  rows: number | null;
  error: string | null;
  sample: { columns: string[]; rows: (string | null)[][] } | null;
};
export type RunTable = { dataset_key: string; is_published: boolean; rows: number | null; tests: RunTest[] };

const ENDED_MS = 200_000;

/** Makes the doc; answers its id. `body`: JSON, or YAML as text. */
export async function createDoc(body: object | string, place: Place = {}): Promise<string> {
  const headers = typeof body === "string" ? { "content-type": "application/yaml" } : {};
  const made = await call<Data<{ id: string }>>("POST", "/v4/docs", { ...place, body, headers });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data.id;
}

/** Answers the run's id. */
export async function startRun(docId: string, place: Place = {}): Promise<string> {
  const started = await call<Data<Run>>("POST", `/v4/docs/${docId}/run`, { ...place, body: {} });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return started.body.data.id;
}

export const runDoc = async (docId: string): Promise<Run> => endedRun(docId, await startRun(docId));

/** Goes on from a failed run, to the end. */
export async function rerunDoc(docId: string, runId: string): Promise<Run> {
  const rerun = await call<Data<Run>>("POST", `/v4/docs/${docId}/runs/${runId}/rerun`);
  expect(rerun.status, JSON.stringify(rerun.body)).toBe(202);
  return endedRun(docId, rerun.body.data.id);
}

export const getRun = async (docId: string, runId: string, place: Place = {}): Promise<Run> =>
  (await call<Data<Run>>("GET", `/v4/docs/${docId}/runs/${runId}`, place)).body.data;

async function endedRun(docId: string, runId: string): Promise<Run> {
  let run: Run | undefined;
  const look = async () => (run = await getRun(docId, runId)).ended_at;
  await expect.poll(look, { timeout: ENDED_MS, interval: 300 }).toEqual(expect.any(String));
  return run!;
}

export const listTables = async (docId: string, runId: string, place: Place = {}): Promise<RunTable[]> =>
  (await call<Data<{ items: RunTable[] }>>("GET", `/v4/docs/${docId}/runs/${runId}/tables`, place)).body.data.items;
