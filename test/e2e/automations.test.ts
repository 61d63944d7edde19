// Automation jobs of docs, as their callers see them: by schedule and by request, followed, cancelled and replayed.

import { expect, it } from "vitest";
import { call, send } from "./client.ts";

type Data<Payload> = { data: Payload };
type Run = { id: string; state: string; cause: string; attempt: number; docRunId: string | null; error: string | null };
type Job = { id: string; nextRunAt: string | null; lastRun: Run | null };

const JOBS = "/v4/automations/jobs";
const ENDED = expect.stringMatching(/^(succeeded|failed|cancelled|timed_out|skipped)$/) as string;

async function newJob(code: string, fields: object = {}): Promise<Job> {
  const definition = { version: 1, kind: "pipeline", metadata: { name: "Nightly" }, datasets: datasetsOf(code) };
  const doc = await call<Data<{ id: string }>>("POST", "/v4/docs", { body: definition });
  const body = { resourceType: "doc", resourceId: doc.body.data.id, ...fields };
  const made = await call<Data<Job>>("POST", JOBS, { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

const datasetsOf = (code: string) => ({
  numbers: { engine: "sql", sql: "select 41 as n" },
  work: { engine: "python", code, inputs: [{ ref: "numbers", as: "numbers_df" }], timeoutMs: 60_000 },
});

const process = async (jobId: string, query = ""): Promise<Run> => {
  const { status, body } = await call<Data<Run>>("POST", `${JOBS}/${jobId}/process${query}`, { body: {} });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const runOf = async (jobId: string, id: string): Promise<Run> =>
  (await call<Data<Run>>("GET", `${JOBS}/${jobId}/runs/${id}`)).body.data;
const untilEnded = (jobId: string, id: string, timeout = 90_000) =>
  expect.poll(async () => (await runOf(jobId, id)).state, { timeout, interval: 500 }).toEqual(ENDED);

it("runs a job by hand, is followed to its end, and has the datasets' lines in its log", async () => {
  const job = await newJob("print('the answer is', int(numbers_df.n[0]) + 1)\nresult = 42");
  const planned = await process(job.id, "?dryRun=true");
  expect(planned).toMatchObject({ plan: { datasets: [{ key: "numbers" }, { key: "work" }], notes: [] } });
  expect((await call<Data<Job>>("GET", `${JOBS}/${job.id}`)).body.data.lastRun).toBeNull();

  const run = await process(job.id);
  const followed = await send("GET", `${JOBS}/${job.id}/runs/${run.id}/logs`);
  expect(followed.headers.get("content-type")).toContain("text/event-stream");
  const events = await followed.text();
  expect(events).toContain("the answer is 42");
  expect(events).toContain('event: end\ndata: {"state":"succeeded","error":null}');

  const attempts = await call<Data<{ items: object[] }>>("GET", `${JOBS}/${job.id}/runs/${run.id}/attempts`);
  expect(attempts.body.data.items).toMatchObject([{ id: 1, state: "succeeded", docRunId: run.docRunId }]);
  const logs = await call<Data<{ items: object[] }>>("GET", `${JOBS}/${job.id}/runs/${run.id}/attempts/1/logs`);
  expect(logs.body.data.items).toContainEqual(
    expect.objectContaining({ source: "work", message: "the answer is 42", attempt: 1 }),
  );
});

it("runs by its schedule, once a minute", async () => {
  const job = await newJob("result = 1", { schedule: { cron: "* * * * *" } });
  expect(job.nextRunAt).not.toBeNull();
  const runs = async () =>
    (await call<Data<{ items: (Run & { scheduledFor: string })[] }>>("GET", `${JOBS}/${job.id}/runs`)).body.data.items;
  await expect.poll(async () => (await runs()).length, { timeout: 100_000, interval: 1_000 }).toBeGreaterThan(0);
  const first = (await runs()).at(-1)!;
  expect(first).toMatchObject({ cause: "schedule", scheduledFor: job.nextRunAt });
  await untilEnded(job.id, first.id);
  expect(await runOf(job.id, first.id)).toMatchObject({ state: "succeeded" });
  expect((await call("DELETE", `${JOBS}/${job.id}`)).status).toBe(204);
}, 240_000);

it("cancels a run with what it runs, and replays it", async () => {
  const job = await newJob("import time\nprint('begun', flush=True)\ntime.sleep(50)", { overlap: "skip" });
  const run = await process(job.id);
  expect((await process(job.id)).id).toBe(run.id);
  const lines = async () =>
    JSON.stringify((await call("GET", `${JOBS}/${job.id}/runs/${run.id}/attempts/1/logs`)).body);
  await expect.poll(lines, { timeout: 60_000, interval: 500 }).toContain("begun");
  expect((await call("POST", `${JOBS}/${job.id}/runs/${run.id}/cancel`)).status).toBe(202);
  await untilEnded(job.id, run.id, 30_000);
  expect(await runOf(job.id, run.id)).toMatchObject({ state: "cancelled" });

  const replayed = await call<Data<Run>>("POST", `${JOBS}/${job.id}/runs/${run.id}/replay`);
  expect([replayed.status, replayed.body.data]).toMatchObject([202, { cause: "replay", replayOf: run.id }]);
  expect((await call("DELETE", `${JOBS}/${job.id}`)).status).toBe(204);
});

it("fails a run with the names of the datasets that failed", async () => {
  const job = await newJob("raise ValueError('on purpose')");
  const run = await process(job.id);
  await untilEnded(job.id, run.id);
  const ended = await runOf(job.id, run.id);
  expect(ended).toMatchObject({ state: "failed", attempt: 1 });
  expect(ended.error).toMatch(/work: ValueError: on purpose/);
});
