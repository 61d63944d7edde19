import { newId } from "../../core/ids.ts";
import { LAKE_LIMITS } from "../lakes/limits.ts";
import { SAMPLE_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { requireLeft } from "../quotas/metered.ts";
import { findLoad, readSample, requireLake } from "./get.ts";
import { hasFailed, SAMPLE_LEASE, SAMPLE_SCHEMA, sampleOf, type Sample } from "./sample.ts";

/** Starts loading the sample, unless it is there or on its way. A load that failed is started anew. */
export async function loadSample(
  ctx: Needs<"scope" | "db" | "tokens" | "openLake" | "openEngine">,
  lakeId: string,
): Promise<Sample> {
  const { scope, db, tokens, openLake, openEngine } = ctx;
  await requireLake(ctx, lakeId);
  const lake = openLake(lakeId);
  const load = await findLoad(ctx, lakeId);
  if (load && hasFailed(load)) await lake.releaseLease(SAMPLE_LEASE, load.fence);
  const before = await readSample(ctx, lakeId);
  if (before.status !== "absent") return before;
  await requireLeft(db, scope, ["lakeBytes"]);

  const jobId = newId(scope.now);
  const lease = await lake.acquireLease(SAMPLE_LEASE, jobId, LAKE_LIMITS.jobLeaseMs);
  // Another request got there between the look and the grasp.
  if (!lease.ok) return readSample(ctx, lakeId);
  const { fence } = lease.value;
  const expiresAt = scope.now.getTime() + SAMPLE_LIMITS.loadMs;
  try {
    const token = await tokens.mint({
      use: "job",
      teamId: scope.teamId,
      lakeId,
      jobId,
      lease: SAMPLE_LEASE,
      fence,
      expiresAt,
    });
    const job = await openEngine(scope.teamId).startJob({
      id: jobId,
      token,
      work: { kind: "load_sample", lakeId, schema: SAMPLE_SCHEMA },
    });
    await recordAudit(db, scope, "sample.load", { id: lakeId, after: { schema: SAMPLE_SCHEMA, job_id: jobId } });
    return sampleOf([], { jobId, job });
  } catch (error) {
    // The engine may have taken the job all the same: the dead fence keeps it from writing beside its successor.
    await lake.releaseLease(SAMPLE_LEASE, fence);
    throw error;
  }
}
