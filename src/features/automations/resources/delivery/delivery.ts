// A delivery as what a job runs: it reads with the rights of the job's owner, and hands over what is to be sent.

import { newId } from "../../../../core/ids.ts";
import { Problem } from "../../../../core/problem.ts";
import { checkSource } from "../../../deliveries/check/check-source.ts";
import { findDelivery, requireDelivery } from "../../../deliveries/find.ts";
import type { ResourceKind } from "../kind.ts";
import { findJob } from "../../jobs/store.ts";
import { startDelivery, stopDelivery, watchDelivery } from "./attempt.ts";
import { findArchivedDoc } from "../doc/doc.ts";

/** A doc's delivery has the id of its job, and goes with the doc's entry; another job would be left without it. */
const DOCS_OWN =
  "A doc makes this delivery, and runs it by a job of its own. Give the doc another entry in `automations`, or create a " +
  "delivery of the doc by itself.";

export const DELIVERY: ResourceKind = {
  noun: "a delivery",
  right: "jobs:write",

  async require(ctx, { resourceId, datasetKeys }) {
    if (datasetKeys) throw new Problem("validation_failed", "A delivery says by itself which datasets it sends.");
    return requireDelivery(ctx, resourceId);
  },
  jobNameOf: (deliveryName) => deliveryName,
  async findTwin({ scope, db }, { resourceId }) {
    const job = await findJob(db, scope.teamId, resourceId);
    if (!job || job.resourceId !== resourceId) return undefined;
    const problem = new Problem("validation_failed", DOCS_OWN, [{ pointer: "/resourceId", message: DOCS_OWN }]);
    problem.conflictsWith = [job.id];
    return problem;
  },

  requireQuota: () => Promise.resolve(),
  plan: async (ctx, { resourceId }) => {
    const delivery = await requireDelivery(ctx, resourceId);
    await checkSource(ctx, delivery.source);
    return {};
  },

  newWorkId: () => newId(),
  async findObstacle({ db }, { teamId, resourceId }) {
    const source = (await findDelivery({ db, scope: { teamId } }, resourceId))?.source;
    return source?.kind === "doc" ? findArchivedDoc({ db }, { teamId, resourceId: source.doc_id }) : undefined;
  },
  start: startDelivery,
  startAlone: null,
  watch: (deps, run) => watchDelivery(deps, run, new Date()),
  stop: (deps, run) => stopDelivery(deps, run, new Date()),
  ended: () => Promise.resolve(),

  /** What a run met on its way is of the results that it read; admins alone have jobs. */
  mayReadOutput: ({ scope }) => Promise.resolve(scope.rights.includes("jobs:write")),
  findProgress: () => Promise.resolve(undefined),
};
