// Containers' calls about lakes: a query's plan and URLs, a job's uploads, commits and heartbeats. They come with
// tokens instead of keys.

import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { RowsRequest } from "../../../kernel/lake/export.ts";
import {
  DescribeRequest,
  LakePlanRequest,
  LakeSignRequest,
  SnapshotRequest,
  type DescribeAnswer,
  type LakePlanAnswer,
  type SnapshotAnswer,
  type TablePlan,
} from "../../../kernel/lake/lake.ts";
import { FORESEEN } from "../../../kernel/lake/constants.ts";
import { LakeCommit, UploadRequest } from "../../../kernel/lake/commit.ts";
import {
  HeartbeatRequest,
  JobOutcome,
  JobPlanRequest,
  JobSignRequest,
  LogRequest,
  StateRequest,
  TablesRequest,
  type HeartbeatAnswer,
  type JobPlanAnswer,
  type StateAnswer,
  type TablesAnswer,
} from "../../../kernel/jobs/job.ts";
import { WriterEndRequest, WriterRequest, type WriterAnswer } from "../../../kernel/lake/writer.ts";
import { WRITE_FORBIDDEN } from "../../../kernel/wire/failure-text.ts";
import { newId } from "../../core/ids.ts";
import { LAKE_LIMITS } from "./limits.ts";
import { notFound, Problem } from "../../core/problem.ts";
import { readBearer, readBody, readJobToken } from "../../http/request/container-call.ts";
import { createRouter, type AppEnv } from "../../http/router.ts";
import type { ReaderName } from "../../lake/access/readers.ts";
import { valueOf } from "../../core/answer.ts";
import { MAINTENANCE_LEASE } from "../../lake/lake.ts";
import { lakeAddress, uploadPath } from "../../lake/format/names.ts";
import { statementKey } from "../../lake/commit/statements.ts";
import { signPaths, type SignedPath } from "../../lake/sign-paths.ts";
import { appendJobLog } from "../../platform/logs/log.ts";
import type { LakeToken, Token, WriteClaim } from "../../platform/crypto/token.ts";
import type { Needs } from "../../clients/context.ts";
import { clientsOf } from "../../http/app-env.ts";
import { requireLeft } from "../quotas/metered.ts";
import type { RunKind } from "../work-model/kind.ts";
import { wakeRunOf } from "../work-model/wake-run.ts";

export const internal = createRouter();

internal.post("/lakes/:lakeId/describe", async (c) => {
  const token = await readLakeToken(c);
  const { names, known = [], ...asked } = await readBody(c, DescribeRequest);
  const lake = clientsOf(c).openLake(token.lakeId);
  const described = valueOf(await lake.describeNamed(asOf(token, asked), { names, known }, token.reader));
  const lastFileIds = new Map(known.map(({ tableId, fileId }) => [tableId, fileId]));
  const urls = signPlanned(clientsOf(c), token, { plans: described.plans, lastFileIds });
  return c.json({ ...described, urls } satisfies z.infer<typeof DescribeAnswer>);
});

internal.post("/lakes/:lakeId/plan", async (c) => {
  const token = await readLakeToken(c);
  const { tableIds, anyOf, columnIds, signs = false, ...asked } = await readBody(c, LakePlanRequest);
  const lake = clientsOf(c).openLake(token.lakeId);
  const tables = valueOf(await lake.plan(asOf(token, asked), tableIds, token.reader, { anyOf, columnIds }));
  const urls = signPlanned(clientsOf(c), token, { plans: signs ? tables : [] });
  return c.json({ tables, urls } satisfies z.infer<typeof LakePlanAnswer>);
});

internal.post("/lakes/:lakeId/sign", async (c) => {
  const token = await readLakeToken(c);
  const { fileIds, ...asked } = await readBody(c, LakeSignRequest);
  return c.json({
    urls: await signFiles(clientsOf(c), token, { fileIds, snapshotId: asOf(token, asked), reader: token.reader }),
  });
});

internal.post("/lakes/:lakeId/snapshots", async (c) => {
  const token = await readLakeToken(c);
  const asked = await readBody(c, SnapshotRequest);
  const snapshotId = await clientsOf(c).openLake(token.lakeId).findSnapshot(asked);
  // A token made before the newest snapshots does not learn of them.
  return c.json({ snapshotId: snapshotId === null ? null : Math.min(snapshotId, token.snapshotId) } satisfies z.infer<
    typeof SnapshotAnswer
  >);
});

internal.post("/lakes/:lakeId/writers", async (c) => {
  const { teamId, lakeId, expiresAt, writes } = await readWritingToken(c);
  const { statementId, jobId, author, actor } = writes;
  const { table, adds } = await readBody(c, WriterRequest);
  if (adds) await requireLeft(clientsOf(c).db, { teamId, now: new Date() }, ["lakeBytes"]);
  const key = statementKey(statementId);
  const { lease, fence, snapshotId, columnIdLast } = valueOf(
    await clientsOf(c)
      .openLake(lakeId)
      .openStatement({ key, jobId, table, actor, ttlMs: Math.max(1, expiresAt - Date.now()) }),
  );
  const [token, lakeToken] = await Promise.all([
    clientsOf(c).tokens.mint({ use: "job", teamId, lakeId, jobId, lease, fence, expiresAt }),
    clientsOf(c).tokens.mint({ use: "lake", teamId, lakeId, snapshotId, reader: "everything", expiresAt }),
  ]);
  return c.json({
    jobId,
    token,
    key,
    author,
    actor: actor ?? "user",
    snapshotId,
    root: lakeAddress(clientsOf(c).bucket.name, teamId, lakeId),
    lakeToken,
    columnIdLast,
  } satisfies WriterAnswer);
});

internal.post("/lakes/:lakeId/writers/end", async (c) => {
  const { lakeId, writes } = await readWritingToken(c);
  const { statementId, jobId } = writes;
  await readBody(c, WriterEndRequest);
  await clientsOf(c)
    .openLake(lakeId)
    .endStatement({ key: statementKey(statementId), jobId });
  return c.body(null, 204);
});

internal.post("/lakes/:lakeId/outline", async (c) => {
  const { lakeId, snapshotId } = await readLakeToken(c, "export");
  return c.json(valueOf(await clientsOf(c).openLake(lakeId).outline(snapshotId)));
});

internal.post("/lakes/:lakeId/rows", async (c) => {
  const { lakeId, snapshotId } = await readLakeToken(c, "export");
  const { table, after } = await readBody(c, RowsRequest);
  return c.json(valueOf(await clientsOf(c).openLake(lakeId).readPage(snapshotId, table, after)));
});

internal.post("/jobs/:jobId/uploads", async (c) => {
  const token = await readJobToken(c);
  const { tables } = await readBody(c, UploadRequest);
  const folders = valueOf(await clientsOf(c).openLake(token.lakeId).uploadFolders(token, tables));
  const paths = folders.map((folder) => uploadPath(token.jobId, folder, newId()));
  const uploads: SignedPath[] = signPaths(clientsOf(c).bucket, token, "PUT", paths);
  return c.json({ uploads });
});

internal.post("/jobs/:jobId/commit", async (c) => {
  const { lakeId, jobId, lease, fence } = await readJobToken(c);
  const commit = await readBody(c, LakeCommit);
  return c.json(valueOf(await clientsOf(c).openLake(lakeId).commit({ lease, fence, jobId, commit })));
});

internal.post("/jobs/:jobId/state", async (c) => {
  const { lakeId } = await readJobToken(c);
  const { keys } = await readBody(c, StateRequest);
  return c.json({ values: await clientsOf(c).openLake(lakeId).notesOf(keys) } satisfies z.infer<typeof StateAnswer>);
});

internal.post("/jobs/:jobId/tables", async (c) => {
  const { lakeId, lease, fence } = await readJobToken(c);
  const { schema } = await readBody(c, TablesRequest);
  return c.json((await clientsOf(c).openLake(lakeId).describeSchema(schema, { lease, fence })) satisfies TablesAnswer);
});

internal.post("/jobs/:jobId/plan", async (c) => {
  const { teamId, lakeId, lease, fence } = await readJobToken(c);
  const { tableIds, anyOf, ...at } = await readBody(c, JobPlanRequest);
  const lake = clientsOf(c).openLake(lakeId);
  const snapshotId = at.snapshotId ?? (await lake.currentSnapshot()).snapshotId;
  return c.json({
    snapshotId,
    root: lakeAddress(clientsOf(c).bucket.name, teamId, lakeId),
    tables: valueOf(await lake.plan(snapshotId, tableIds, { lease, fence }, { anyOf })),
  } satisfies z.infer<typeof JobPlanAnswer>);
});

internal.post("/jobs/:jobId/sign", async (c) => {
  const token = await readJobToken(c);
  const { fileIds, ...at } = await readBody(c, JobSignRequest);
  const snapshotId = at.snapshotId ?? (await clientsOf(c).openLake(token.lakeId).currentSnapshot()).snapshotId;
  return c.json({ urls: await signFiles(clientsOf(c), token, { fileIds, snapshotId, reader: "everything" }) });
});

internal.post("/jobs/:jobId/heartbeat", async (c) => {
  const { lakeId, lease, fence } = await readJobToken(c);
  const { progress } = await readBody(c, HeartbeatRequest);
  const lake = clientsOf(c).openLake(lakeId);
  const isAlive = await lake.renewLease(lease, fence, LAKE_LIMITS.jobLeaseMs);
  // A job that has just lost its lease learns so by the answer, whatever it reported.
  if (isAlive && progress) await lake.keepProgress(lease, fence, progress);
  return c.json({ cancelled: !isAlive } satisfies z.infer<typeof HeartbeatAnswer>);
});

internal.post("/jobs/:jobId/finish", async (c) => {
  const { teamId, lakeId, jobId, lease, fence } = await readJobToken(c);
  const outcome = await readBody(c, JobOutcome);
  valueOf(await clientsOf(c).openLake(lakeId).keepOutcome(lease, fence, outcome));
  const kind: RunKind = lease === MAINTENANCE_LEASE ? "automation_run" : "sync_run";
  // The outcome is kept: the run's next look, which is planned, finds it where this one is lost.
  await wakeRunOf(kind, clientsOf(c), { teamId, workId: jobId, now: new Date() }).catch((error: unknown) =>
    console.warn(JSON.stringify({ event: "wake_up_not_sent", kind, cause: String(error) })),
  );
  return c.body(null, 204);
});

internal.post("/jobs/:jobId/log", async (c) => {
  const token = await readJobToken(c);
  const { lines } = await readBody(c, LogRequest);
  await appendJobLog(clientsOf(c), token, lines);
  return c.body(null, 204);
});

/** GET URLs by id of those files that belong to a table at the snapshot which the reader may see. */
async function signFiles(
  { bucket, openLake }: Needs<"bucket" | "openLake">,
  lake: { teamId: string; lakeId: string },
  { fileIds, snapshotId, reader }: { fileIds: number[]; snapshotId: number; reader: ReaderName },
): Promise<Record<string, string>> {
  const paths = valueOf(await openLake(lake.lakeId).pathsOf(snapshotId, fileIds, reader));
  const signed = signPaths(bucket, lake, "GET", Object.values(paths));
  return Object.fromEntries(Object.keys(paths).map((id, index) => [id, signed[index]!.url]));
}

/** GET URLs by id of the files in plans, of each table those after the last that is known; none where they are many. */
function signPlanned(
  { bucket }: Needs<"bucket">,
  lake: { teamId: string; lakeId: string },
  { plans, lastFileIds }: { plans: readonly TablePlan[]; lastFileIds?: ReadonlyMap<number, number> },
): Record<string, string> {
  const files = plans.flatMap(({ tableId, files: planned }) =>
    planned
      .flatMap(({ deletes, ...file }) => (deletes ? [file, deletes] : [file]))
      .filter(({ id }) => id > (lastFileIds?.get(tableId) ?? -1)),
  );
  if (files.length > FORESEEN.urlsMax) return {};
  const paths = files.map(({ path }) => path);
  return Object.fromEntries(signPaths(bucket, lake, "GET", paths).map(({ url }, i) => [files[i]!.id, url]));
}

/** The snapshot a request is about: the token's own, or one before it. */
function asOf(token: LakeToken, { snapshotId = token.snapshotId }: { snapshotId?: number | undefined }): number {
  if (snapshotId > token.snapshotId) throw notFound("Snapshot", String(snapshotId));
  return snapshotId;
}

/** A token for another lake than the path's answers as if that lake were not there. */
async function readLakeToken<Use extends "lake" | "export" = "lake">(
  c: Context<AppEnv>,
  use: Use = "lake" as Use,
): Promise<Extract<Token, { use: Use }>> {
  const { access, ...token } = (await readBearer(c, use)) as Extract<Token, { lakeId: string }> & { access?: string };
  const lakeId = c.req.param("lakeId") ?? "";
  if (token.lakeId !== lakeId) throw notFound("Lake", lakeId);
  // A statement that runs through a deployment may have a token that names its reader `access`.
  return { ...(access !== undefined && { reader: access }), ...token } as Extract<Token, { use: Use }>;
}

async function readWritingToken(c: Context<AppEnv>): Promise<LakeToken & { writes: WriteClaim }> {
  const token = await readLakeToken(c);
  const { writes } = token;
  if (!writes) throw new Problem("forbidden_insufficient_permissions", WRITE_FORBIDDEN);
  return { ...token, writes };
}
