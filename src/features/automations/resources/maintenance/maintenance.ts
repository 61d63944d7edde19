// A lake's maintenance as what a job runs: one job of an engine, one at a time on a lake.

import { MaintenanceProgress } from "../../../../../kernel/lake/maintenance.ts";
import { newJobId } from "../../../../core/job-id.ts";
import { invalidAt, type Problem } from "../../../../core/problem.ts";
import { resolveAccess } from "../../../access/resolve.ts";
import { getLake } from "../../../integrations/get.ts";
import { findMaintenanceJob } from "../../jobs/find.ts";
import type { Job } from "../../jobs/job.ts";
import { findRunProgress } from "../../runs/store.ts";
import type { ResourceKind } from "../kind.ts";
import {
  endMaintenance,
  progressOfMaintenance,
  startMaintenance,
  stopMaintenance,
  watchMaintenance,
} from "./attempt.ts";

/** Tables that a plan names; it counts all. */
const TABLES_SHOWN_MAX = 1_000;

export const LAKE_MAINTENANCE: ResourceKind = {
  noun: "a lake's maintenance",
  right: "lake:manage",

  /** An integration that is no lake answers exactly as a missing one. */
  require: (ctx, { resourceId }) => getLake(ctx, resourceId.toLowerCase()),
  jobNameOf: (lakeName, { kind }) => `Maintenance of ${lakeName} (${kind})`,
  /** A lake has one maintenance job of a kind. */
  async findTwin(ctx, { resourceId, kind }) {
    const twin = await findMaintenanceJob(ctx, resourceId, kind!);
    return twin && isThere(twin);
  },

  // Maintenance is the platform's own care, and no use that a plan bounds.
  requireQuota: () => Promise.resolve(),
  plan: async ({ openLake }, { resourceId, kind }) => ({
    maintenance: await openLake(resourceId).dryRunMaintenance(kind!, TABLES_SHOWN_MAX),
  }),

  newWorkId: newJobId,
  findObstacle: () => Promise.resolve(undefined),
  start: startMaintenance,
  startAlone: startMaintenance,
  watch: watchMaintenance,
  stop: stopMaintenance,
  ended: endMaintenance,

  /** A maintenance speaks of any table: it is for who looks after lakes, and for whom no roles bind. */
  mayReadOutput: async ({ scope, db }, { resourceId }) =>
    scope.rights.includes("lake:manage") || (await resolveAccess({ scope, db }, { id: resourceId })).kind === "all",
  async findProgress({ db, openLake }, run) {
    const live = await progressOfMaintenance({ openLake }, run);
    if (live) return live;
    const kept = await findRunProgress(db, run);
    return kept === null ? null : MaintenanceProgress.parse(JSON.parse(kept));
  },
};

function isThere({ id, name, kind }: Job): Problem {
  const message = `This lake has a job for its ${kind} maintenance already: ${name} (${id}). Change that one.`;
  return invalidAt("/kind", message);
}
