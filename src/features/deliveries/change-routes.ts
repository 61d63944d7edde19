// Changes of a delivery that is there already: a doc's shares them with its job.

import { enveloped, nothing } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { deleteDelivery } from "./delete.ts";
import { Delivery, DeliveryPatch } from "./delivery.ts";
import type { DeliveryJobs } from "./of-entry.ts";
import { DeliveryPath } from "./params.ts";
import { updateDelivery } from "./update.ts";

/** `jobs`: what becomes of the jobs that docs make for their deliveries. */
export function createDeliveryChangeRoutes(jobs: DeliveryJobs) {
  const deliveries = createRouter(["Deliveries", "Extensions"]);

  deliveries.operation("updateDelivery", "PATCH /{delivery_id}", {
    permission: "jobs:write",
    audit: "delivery.update",
    summary: "Change a delivery",
    description:
      "With another source or condition, the condition begins anew. What is changed of a doc's delivery stays until the " +
      "entry of its `automations` is another, and is in the doc's `warnings`; with another source, or `to`, its job " +
      "becomes the caller's.",
    params: DeliveryPath,
    body: DeliveryPatch,
    answer: enveloped("The delivery", Delivery),
    fails: ["resource_conflict"],
    run: (ctx, { params, body }) => updateDelivery(ctx, jobs, { id: params.delivery_id, patch: body }),
  });

  deliveries.operation("deleteDelivery", "DELETE /{delivery_id}", {
    permission: "jobs:write",
    audit: "delivery.delete",
    summary: "Delete a delivery",
    description:
      "What it has sent stays in the log. One that a job runs is 409, with the jobs in `conflictsWith`; but a doc's " +
      "delivery goes with its job, and neither is made again until the entry of its `automations` is another.",
    params: DeliveryPath,
    answer: nothing("Deleted"),
    fails: ["resource_conflict"],
    run: (ctx, { params }) => deleteDelivery(ctx, jobs, params.delivery_id),
  });

  return deliveries;
}
