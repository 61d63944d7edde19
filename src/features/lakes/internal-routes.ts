// What containers call back for: a query's plan and URLs, a job's uploads, commits and signs of life. Tokens instead of keys.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ZodType } from "zod";
import { HeartbeatAnswer, LakeCommit, LogRequest, PlanRequest, SignRequest, UploadRequest } from "../../../containers/engine/lake-protocol.ts";
import { newId } from "../../core/ids.ts";
import { LIMITS } from "../../core/limits.ts";
import { notFound, Problem } from "../../core/problem.ts";
import { flawsOf } from "../../http/render-problem.ts";
import { createRouter, type AppEnv } from "../../http/router.ts";
import { valueOf } from "../../platform/lake/answer.ts";
import { openLake } from "../../platform/lake/lake.ts";
import { uploadPath } from "../../platform/lake/names.ts";
import { signPaths, type SignedPath } from "../../platform/lake/sign-paths.ts";
import { readToken, type JobToken, type LakeToken, type Token } from "../../platform/token.ts";

export const internal = createRouter();

internal.post("/lakes/:lakeId/describe", async (c) => {
  const { lakeId, snapshotId } = await readLakeToken(c);
  return c.json(valueOf(await openLake(c.env, lakeId).describe(snapshotId)));
});

internal.post("/lakes/:lakeId/plan", async (c) => {
  const { lakeId, snapshotId } = await readLakeToken(c);
  const { tableIds } = await readBody(c, PlanRequest);
  return c.json({ tables: valueOf(await openLake(c.env, lakeId).plan(snapshotId, tableIds)) });
});

internal.post("/lakes/:lakeId/sign", async (c) => {
  const token = await readLakeToken(c);
  const { fileIds } = await readBody(c, SignRequest);
  const paths = valueOf(await openLake(c.env, token.lakeId).pathsOf(token.snapshotId, fileIds));
  const signed = await signPaths(c.env, token, "GET", Object.values(paths));
  return c.json({ urls: Object.fromEntries(Object.keys(paths).map((id, index) => [id, signed[index]!.url])) });
});

internal.post("/jobs/:jobId/uploads", async (c) => {
  const token = await readJobToken(c);
  const { tables } = await readBody(c, UploadRequest);
  // A job that was taken over could only leave orphans, and a lake that was removed would fill again.
  if (!(await openLake(c.env, token.lakeId).isAlive(token.lease, token.fence))) {
    throw new Problem("resource_conflict", "Another job has taken over; this one may not write any more.");
  }
  const paths = tables.map(({ schema, name }) => uploadPath(token.jobId, schema, name, newId()));
  const uploads: SignedPath[] = await signPaths(c.env, token, "PUT", paths);
  return c.json({ uploads });
});

internal.post("/jobs/:jobId/commit", async (c) => {
  const { lakeId, jobId, lease, fence } = await readJobToken(c);
  const commit = await readBody(c, LakeCommit);
  return c.json(valueOf(await openLake(c.env, lakeId).commit({ lease, fence, jobId, commit })));
});

internal.post("/jobs/:jobId/heartbeat", async (c) => {
  const { lakeId, lease, fence } = await readJobToken(c);
  const isAlive = await openLake(c.env, lakeId).renewLease(lease, fence, LIMITS.jobLeaseMs);
  return c.json({ cancelled: !isAlive } satisfies z.infer<typeof HeartbeatAnswer>);
});

internal.post("/jobs/:jobId/log", async (c) => {
  const { teamId, lakeId, jobId } = await readJobToken(c);
  const { lines } = await readBody(c, LogRequest);
  for (const line of lines) console.log(JSON.stringify({ event: "job_log", teamId, lakeId, jobId, ...line }));
  return c.body(null, 204);
});

/** A token for another lake than the path's answers as if that lake were not there. */
async function readLakeToken(c: Context<AppEnv>): Promise<LakeToken> {
  const token = await readBearer(c, "lake");
  const lakeId = c.req.param("lakeId") ?? "";
  if (token.lakeId !== lakeId) throw notFound("Lake", lakeId);
  return token;
}

async function readJobToken(c: Context<AppEnv>): Promise<JobToken> {
  const token = await readBearer(c, "job");
  const jobId = c.req.param("jobId") ?? "";
  if (token.jobId !== jobId) throw notFound("Job", jobId);
  return token;
}

function readBearer<Use extends Token["use"]>(c: Context<AppEnv>, use: Use) {
  const [, text = ""] = /^bearer (\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  return readToken(c.env, use, text, new Date());
}

/** Larger than a caller's body may be: a commit names every file it adds. Containers state the length of what they send. */
async function readBody<Body>(c: Context<AppEnv>, schema: ZodType<Body>): Promise<Body> {
  if (!(Number(c.req.header("content-length")) <= LIMITS.internalBodyBytesMax)) {
    throw new Problem("body_too_large", `State the body's length; it has at most ${LIMITS.internalBodyBytesMax} bytes.`);
  }
  const parsed = schema.safeParse(parseJson(await c.req.text()));
  if (!parsed.success) throw new Problem("validation_failed", "The body is not of this route's form.", flawsOf(parsed.error));
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("validation_failed", "The body is not valid JSON.", [{ pointer: "", message: "This is not JSON." }]);
  }
}
