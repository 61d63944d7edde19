// /v4/deliveries: what goes out of the team by itself. Its jobs are automations', its messages in `/v4/messages`.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createDelivery } from "./create.ts";
import { deleteDelivery } from "./delete.ts";
import { Delivery, DeliveryPatch, NewDelivery } from "./delivery.ts";
import { getDelivery } from "./get.ts";
import { listDeliveries } from "./list.ts";
import { DeliveryPath } from "./params.ts";
import { updateDelivery } from "./update.ts";

export const deliveries = createRouter(["Deliveries", "Extensions"]);

deliveries.operation("createDelivery", "POST /", {
  permission: "jobs:write",
  audit: "delivery.create",
  summary: "Create a delivery",
  description:
    "The result of a saved query, or a doc, for people and other services. It goes out when a job with " +
    '`"resourceType": "delivery"` runs it, with the rights that the job\'s owner has then.',
  body: NewDelivery,
  answer: enveloped("The delivery", Delivery, 201),
  run: (ctx, { body }) => createDelivery(ctx, body),
});

deliveries.operation("listDeliveries", "GET /", {
  permission: "jobs:write",
  summary: "List the team's deliveries",
  description: "Oldest first.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of deliveries", pageOf("DeliveryPage", Delivery)),
  run: (ctx, { query }) => listDeliveries(ctx, query),
});

deliveries.operation("getDelivery", "GET /{delivery_id}", {
  permission: "jobs:write",
  summary: "Get a delivery",
  description: "With what its condition saw last.",
  params: DeliveryPath,
  answer: enveloped("The delivery", Delivery),
  run: (ctx, { params }) => getDelivery(ctx, params.delivery_id),
});

deliveries.operation("updateDelivery", "PATCH /{delivery_id}", {
  permission: "jobs:write",
  audit: "delivery.update",
  summary: "Change a delivery",
  description: "With another source or condition, the condition begins anew.",
  params: DeliveryPath,
  body: DeliveryPatch,
  answer: enveloped("The delivery", Delivery),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => updateDelivery(ctx, params.delivery_id, body),
});

deliveries.operation("deleteDelivery", "DELETE /{delivery_id}", {
  permission: "jobs:write",
  audit: "delivery.delete",
  summary: "Delete a delivery",
  description: "What it has sent stays in the log. One that a job runs is 409, with the jobs in `conflictsWith`.",
  params: DeliveryPath,
  answer: nothing("Deleted"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteDelivery(ctx, params.delivery_id),
});
