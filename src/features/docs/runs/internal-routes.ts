// A sandbox's reports about its runs. They come with a token instead of a key, good for one run; no right outlives the
// run's end.

import type { Context } from "hono";
import {
  ResultUpload,
  RunDatasetReport,
  RunFinish,
  RunHeartbeat,
  RunLog,
  type ResultUploadAnswer,
  type RunHeartbeatAnswer,
} from "../../../../kernel/wire/sandbox.ts";
import { PublishCall, StageCall, type PublishedResult, type StagedResult } from "../../../../kernel/wire/run-builds.ts";
import type { z } from "zod";
import { DOC_LIMITS } from "../limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import { readBearer, readBody } from "../../../http/request/container-call.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import type { Db } from "../../../platform/db/client.ts";
import { wakeRunOf } from "../../work-model/wake-run.ts";
import { appendLog } from "../executions/append-log.ts";
import { finishByReport } from "../builds/end-run.ts";
import { publishRun } from "../builds/publish-run.ts";
import { stageDataset } from "../builds/stage-dataset.ts";
import { isBuild, type BuildRun } from "../builds/build.ts";
import { finishDataset } from "./finish.ts";
import { resultKey, resultPath } from "../executions/result-key.ts";
import { hasEnded, type Run } from "./run.ts";
import { recordDocRunStart } from "./events/store-outbound.ts";
import { findDatasetKey, findRun, markRunning, renewLease } from "./store.ts";
import { clientsOf } from "../../../http/app-env.ts";

export const runsInternal = createRouter();

runsInternal.post("/:runId/heartbeat", async (c) => {
  const { run, db } = await readRun(c);
  const { running } = await readBody(c, RunHeartbeat);
  const now = new Date();
  const isOver = hasEnded(run) || run.deadlineAt <= now.toISOString();
  if (!isOver) {
    const renewed = renewLease(
      db,
      run,
      new Date(now.getTime() + DOC_LIMITS.runLeaseMs).toISOString(),
      now.toISOString(),
    );
    const marked = markRunning(db, run, running, now.toISOString());
    // A run begins once, and has many heartbeats.
    await (run.startedAt === null
      ? db.batch([recordDocRunStart(db, run, now), renewed, marked])
      : db.batch([renewed, marked]));
  }
  return c.json({ cancelled: isOver || run.cancelRequestedAt !== null } satisfies z.infer<typeof RunHeartbeatAnswer>);
});

runsInternal.post("/:runId/log", async (c) => {
  const { run, db } = await readLiveRun(c);
  const log = await readBody(c, RunLog);
  await appendLog(clientsOf(c), run, await requireDatasetOf(db, run, log.executionId), log);
  return c.body(null, 204);
});

runsInternal.post("/:runId/results", async (c) => {
  const { run, db } = await readLiveRun(c);
  const { executionId, bytes } = await readBody(c, ResultUpload);
  await requireDatasetOf(db, run, executionId);
  if (bytes > DOC_LIMITS.runResultBytesMax)
    throw new Problem("body_too_large", `A result may have at most ${DOC_LIMITS.runResultBytesMax} bytes.`);
  const path = resultPath(run.id, executionId);
  return c.json({
    path,
    url: clientsOf(c).bucket.signPut(resultKey(run.teamId, run.id, executionId)),
  } satisfies z.infer<typeof ResultUploadAnswer>);
});

runsInternal.post("/:runId/report", async (c) => {
  const { run, db } = await readRun(c);
  const report = await readBody(c, RunDatasetReport);
  await finishDataset(db, run, report, new Date());
  return c.body(null, 204);
});

runsInternal.post("/:runId/stage", async (c) => {
  const { run, db } = await readLiveRun(c);
  const { executionId, frameBytes, isRead } = await readBody(c, StageCall);
  await requireDatasetOf(db, run, executionId);
  const staging = { executionId, frameBytes, isRead, signal: c.req.raw.signal };
  const staged = await stageDataset(clientsOf(c), requireBuild(run), staging);
  return c.json(staged satisfies StagedResult);
});

runsInternal.post("/:runId/publish", async (c) => {
  const { run } = await readLiveRun(c);
  await readBody(c, PublishCall);
  return c.json((await publishRun(clientsOf(c), requireBuild(run))) satisfies PublishedResult);
});

function requireBuild(run: Run): BuildRun {
  if (isBuild(run)) return run;
  throw new Problem("resource_conflict", "This run builds no tables.");
}

runsInternal.post("/:runId/finish", async (c) => {
  const { run } = await readRun(c);
  const report = await readBody(c, RunFinish);
  const now = new Date();
  await finishByReport(clientsOf(c), run, report, now);
  await wakeRunOf("automation_run", clientsOf(c), { teamId: run.teamId, workId: run.id, now });
  return c.body(null, 204);
});

async function readRun(c: Context<AppEnv>): Promise<{ run: Run; db: Db }> {
  const { teamId, runId } = await readBearer(c, "run");
  const asked = c.req.param("runId") ?? "";
  const db = clientsOf(c).db;
  const run = runId === asked ? await findRun(db, teamId, runId) : undefined;
  if (!run) throw notFound("Run", asked);
  return { run, db };
}

/** A run that has ended writes nothing more. */
async function readLiveRun(c: Context<AppEnv>): Promise<{ run: Run; db: Db }> {
  const found = await readRun(c);
  if (hasEnded(found.run)) throw new Problem("auth_invalid_token", "This run has ended.");
  return found;
}

/** The key of the dataset that the execution runs. */
async function requireDatasetOf(db: Db, run: Run, id: string): Promise<string> {
  const key = await findDatasetKey(db, run, id);
  if (key === undefined) throw notFound("Execution", id);
  return key;
}
