// A maintenance job's requests to the platform: the files to write anew, and the steps that the platform takes itself.
// Each is bounded and repeatable; `next` of an answer goes on where it stopped.

import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  CompactionPlanRequest,
  MaintenanceStepRequest,
  type CompactionPlan,
  type MaintenanceStepAnswer,
} from "../../../kernel/lake/maintenance.ts";
import { LAKE_CATALOG_LIMITS } from "../../lake/format/limits.ts";
import { notFound, Problem } from "../../core/problem.ts";
import { clientsOf } from "../../http/app-env.ts";
import { readBody, readJobToken } from "../../http/request/container-call.ts";
import { createRouter, type AppEnv } from "../../http/router.ts";
import type { Clients } from "../../clients/clients.ts";
import type { JobToken } from "../../platform/crypto/token.ts";
import { valueOf } from "../../core/answer.ts";
import { lakeAddress, lakePrefix, MAINTENANCE_LEASE } from "../../lake/lake.ts";
import { deleteDueFiles, deleteOrphans } from "./objects/delete-objects.ts";

export const maintenanceInternal = createRouter();

type StepAnswer = z.infer<typeof MaintenanceStepAnswer>;

maintenanceInternal.post("/:jobId/maintenance/plan", async (c) => {
  const { token, asked } = await readStep(c, CompactionPlanRequest);
  const { openLake, bucket } = clientsOf(c);
  const plan = valueOf(await openLake(token.lakeId).planCompaction(token, asked));
  const root = lakeAddress(bucket.name, token.teamId, token.lakeId);
  return c.json({ ...plan, root } satisfies CompactionPlan);
});

maintenanceInternal.post("/:jobId/maintenance/expire", async (c) => {
  const { token } = await readStep(c, MaintenanceStepRequest);
  const { snapshots, files, bytes, isMore } = await clientsOf(c).openLake(token.lakeId).expireDue();
  return c.json({ done: snapshots, files, bytes, next: isMore ? "more" : null } satisfies StepAnswer);
});

maintenanceInternal.post("/:jobId/maintenance/delete", async (c) => {
  const { token } = await readStep(c, MaintenanceStepRequest);
  const { files, bytes, isDone } = await deleteDueFiles(clientsOf(c), token, graceBefore());
  return c.json({ done: files, files: 0, bytes, next: isDone ? null : "more" } satisfies StepAnswer);
});

maintenanceInternal.post("/:jobId/maintenance/collect", async (c) => {
  const { token, asked } = await readStep(c, MaintenanceStepRequest);
  const prefix = lakePrefix(token.teamId, token.lakeId);
  const afterKey = asked.after === undefined ? null : prefix + asked.after;
  const found = await deleteOrphans(clientsOf(c), token, { beforeMs: graceBefore(), afterKey });
  const { objects, bytes } = found.tally.orphaned;
  const next = found.afterKey === null ? null : found.afterKey.slice(prefix.length);
  return c.json({ done: objects, files: 0, bytes, next } satisfies StepAnswer);
});

maintenanceInternal.post("/:jobId/maintenance/statistics", async (c) => {
  const { token, asked } = await readStep(c, MaintenanceStepRequest);
  const { tables, next } = valueOf(
    await clientsOf(c)
      .openLake(token.lakeId)
      .makeStatisticsExact(asked.after ?? null),
  );
  return c.json({ done: tables, files: 0, bytes: 0, next } satisfies StepAnswer);
});

const graceBefore = (): number => Date.now() - LAKE_CATALOG_LIMITS.graceMs;

/** The request of the job that maintains the lake; refused once another has taken over. */
async function readStep<Body>(c: Context<AppEnv>, schema: z.ZodType<Body>): Promise<{ token: JobToken; asked: Body }> {
  const token = await readJobToken(c);
  const asked = await readBody(c, schema);
  if (token.lease !== MAINTENANCE_LEASE) throw notFound("Maintenance", token.jobId);
  await requireFence(clientsOf(c), token);
  return { token, asked };
}

async function requireFence(
  { openLake }: Pick<Clients, "openLake">,
  { lakeId, lease, fence }: JobToken,
): Promise<void> {
  if (await openLake(lakeId).isAlive(lease, fence)) return;
  throw new Problem("resource_conflict", "Another job has taken over; this one may not write any more.");
}
