// /v4/destinations: where deliveries go besides people.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createDestination } from "./create.ts";
import { deleteDestination } from "./delete.ts";
import { Destination, DestinationPatch, NewDestination, WrittenDestination } from "./destination.ts";
import { getDestination } from "./get.ts";
import { DESTINATION_LIMITS } from "./limits.ts";
import { listDestinations } from "./list.ts";
import { MESSAGE_LIMITS } from "../messages/limits.ts";
import { EventReplay, ReplayedEvents, replayEvents } from "./events/replay.ts";
import { setDestinationSecret } from "./set-secret.ts";
import { DestinationTest, testDestination } from "./test.ts";
import { updateDestination } from "./update.ts";

export const destinations = createRouter(["Messages", "Extensions"]);

const Path = z.object({ destination_id: z.string() });

destinations.operation("createDestination", "POST /", {
  permission: "team:manage",
  audit: "destination.create",
  summary: "Add a destination",
  description:
    "A Teams workflow's webhook, which gets an Adaptive Card, or a Standard Webhook, whose messages are signed " +
    "(`webhook-id`, `webhook-timestamp`, `webhook-signature`) and are under `webhooks` in this document: of kind " +
    "`webhook` those of deliveries, of kind `events` what happens in the team. Of the address " +
    "only the host is shown again; a webhook's secret is in this answer and nowhere else.",
  body: NewDestination,
  answer: enveloped("The destination; of a webhook with its secret", WrittenDestination, 201),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createDestination(ctx, body),
});

destinations.operation("listDestinations", "GET /", {
  permission: "queries:write",
  summary: "List the team's destinations",
  description: "By name.",
  query: z.strictObject(pageParameters({ limitMax: DESTINATION_LIMITS.perTeamMax, limitDefault: 50 })),
  answer: enveloped("A page of destinations", pageOf("DestinationPage", Destination)),
  run: (ctx, { query }) => listDestinations(ctx, query),
});

destinations.operation("getDestination", "GET /{destination_id}", {
  permission: "queries:write",
  summary: "Get a destination",
  description: "Without its address and its secret.",
  params: Path,
  answer: enveloped("The destination", Destination),
  run: (ctx, { params }) => getDestination(ctx, params.destination_id),
});

destinations.operation("updateDestination", "PATCH /{destination_id}", {
  permission: "team:manage",
  audit: "destination.update",
  summary: "Change a destination",
  description:
    "Another address keeps the secret. What waits to be sent goes to the new one. One of events is disabled and enabled so.",
  params: Path,
  body: DestinationPatch,
  answer: enveloped("The destination", Destination),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => updateDestination(ctx, params.destination_id, body),
});

destinations.operation("deleteDestination", "DELETE /{destination_id}", {
  permission: "team:manage",
  audit: "destination.delete",
  summary: "Delete a destination",
  description: "Nothing is sent there any more.",
  params: Path,
  answer: nothing("Deleted"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteDestination(ctx, params.destination_id),
});

destinations.operation("setDestinationSecret", "POST /{destination_id}/secret", {
  permission: "team:manage",
  audit: "destination_secret.set",
  summary: "Make a new secret for a webhook",
  description:
    `Messages are signed with both for ${DESTINATION_LIMITS.secretOverlapMs / 3_600_000} hours, so that the receiver ` +
    "can change over. The secret is in this answer and nowhere else. A destination of another kind has none.",
  params: Path,
  answer: enveloped("The destination and its new secret", WrittenDestination),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => setDestinationSecret(ctx, params.destination_id),
});

destinations.operation("replayEvents", "POST /{destination_id}/replay", {
  permission: "team:manage",
  audit: "destination.replay",
  summary: "Send the events of a time range again",
  description:
    "Under their ids, in their order. At most " +
    `${MESSAGE_LIMITS.replayedMax} a request, the oldest first; events that are on their way are left alone.`,
  params: Path,
  body: EventReplay,
  answer: enveloped("How many are sent again", ReplayedEvents),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => replayEvents(ctx, params.destination_id, body),
});

destinations.operation("testDestination", "POST /{destination_id}/test", {
  permission: "team:manage",
  audit: "destination.test",
  summary: "Send a test message",
  description: `At once, a single time, whatever comes of it: the answer says that. Every ${DESTINATION_LIMITS.testEveryMs / 1_000} seconds at most.`,
  params: Path,
  answer: enveloped("What came of it", DestinationTest),
  run: (ctx, { params }) => testDestination(ctx, params.destination_id),
});
