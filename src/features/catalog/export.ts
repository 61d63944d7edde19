// A lake's catalog to take along: an SQLite file in DuckLake's format, made by the engine, not looked at here.

import type { ExportRequest } from "../../../kernel/wire/engine.ts";
import { newId } from "../../core/ids.ts";
import { CATALOG_LIMITS } from "./limits.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { grantExport, lakeAddress } from "../../lake/lake.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { getLake } from "../integrations/get.ts";

export type Export = { body: ReadableStream; bytes: number; fileName: string; snapshotId: number };

/** `dataPath` absent: the lake's own address on the object store. An abort of `signal` ends the work. */
export async function exportLakeCatalog(
  ctx: Needs<"scope" | "db" | "bucket" | "tokens" | "openLake" | "openEngine">,
  integrationId: string,
  { format, dataPath }: { format: ExportRequest["format"]; dataPath: string | undefined },
  signal: AbortSignal,
): Promise<Export> {
  const { scope, db, bucket, openEngine } = ctx;
  const { id: lakeId } = await getLake(ctx, integrationId);
  const lake = await grantExport(
    ctx,
    { teamId: scope.teamId, lakeId },
    { deadlineMs: CATALOG_LIMITS.exportMs, now: scope.now },
  );
  const path = dataPath ?? lakeAddress(bucket.name, scope.teamId, lakeId);
  const request: ExportRequest = {
    id: newId(scope.now),
    lake,
    format,
    dataPath: path.endsWith("/") ? path : `${path}/`,
    deadlineMs: CATALOG_LIMITS.exportMs,
  };
  const answer = await openEngine(scope.teamId)
    .exportCatalog(request, signal)
    .catch((error: unknown) => {
      throw asV4(error);
    });
  const bytes = Number(answer.headers.get("content-length"));
  if (!answer.body || !Number.isSafeInteger(bytes) || bytes < 1)
    throw new Error("The engine answered an export without a body of a known length.");
  await recordAudit(db, scope, "catalog.export", { id: lakeId, after: { format, snapshot_id: lake.snapshotId } });
  return {
    body: answer.body,
    bytes,
    fileName: `fjord-${lakeId}-${lake.snapshotId}.ducklake`,
    snapshotId: lake.snapshotId,
  };
}

/** An engine that is not to be had is a retryable 500 on this version of the API. */
const asV4 = (error: unknown): unknown =>
  isProblem(error) && error.code === "engine_unavailable"
    ? new Problem("internal_error", error.message, [], { cause: error.cause ?? error })
    : error;
