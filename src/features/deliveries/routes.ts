// /v4/deliveries: what goes out of the team by itself. Its jobs are automations', its messages in `/v4/messages`.

import { z } from "@hono/zod-openapi";
import { enveloped, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createDelivery } from "./create.ts";
import { Delivery, NewDelivery } from "./delivery.ts";
import { getDelivery } from "./get.ts";
import { listDeliveries } from "./list.ts";
import { DeliveryPath } from "./params.ts";

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
