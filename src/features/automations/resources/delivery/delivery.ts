// A delivery as what a job runs: it reads with the rights of the job's owner, and hands over what is to be sent.

import { newId } from "../../../../core/ids.ts";
import { Problem } from "../../../../core/problem.ts";
import { checkSource } from "../../../deliveries/check/check-source.ts";
import { findDelivery, requireDelivery } from "../../../deliveries/find.ts";
import type { ResourceKind } from "../kind.ts";
import { startDelivery, stopDelivery, watchDelivery } from "./attempt.ts";
import { findArchivedDoc } from "../doc/doc.ts";

export const DELIVERY: ResourceKind = {
  noun: "a delivery",
  right: "jobs:write",

  async require(ctx, { resourceId, datasetKeys }) {
    if (datasetKeys) throw new Problem("validation_failed", "A delivery says by itself which datasets it sends.");
    return requireDelivery(ctx, resourceId);
  },
  jobNameOf: (deliveryName) => deliveryName,
  findTwin: () => Promise.resolve(undefined),

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
