// /v4/endpoints: what is published. Keys are in `keys/routes.ts`, calls in `call/routes.ts`.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf, plain } from "../../http/answer.ts";
import { integerParameter, pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createEndpoint } from "./create.ts";
import { PUBLICATION_LIMITS } from "../publications/limits.ts";
import { PublicationSecret, PublicationSecretRotation, setPublicationSecret } from "../publications/secret/set.ts";
import { getPublicationStatistics, PublicationStatistics } from "../publications/statistics/get.ts";
import { deleteEndpoint } from "./delete.ts";
import { describeEndpoints } from "./describe.ts";
import { Endpoint, EndpointPatch, NewEndpoint } from "./endpoint.ts";
import { getEndpoint } from "./get.ts";
import { listEndpoints } from "./list.ts";
import { EndpointIdPath } from "./params.ts";
import { updateEndpoint } from "./update.ts";

export const endpoints = createRouter(["Endpoints", "Extensions"]);

endpoints.operation("createEndpoint", "POST /", {
  permission: "endpoints:manage",
  audit: "endpoint.create",
  summary: "Publish a saved query",
  description:
    "At one version, under a data-access role that binds every caller. Its publisher is an admin, and reads what the " +
    "role grants for as long as it answers. Callers need a key of the endpoint, or a token that its secret has signed.",
  body: NewEndpoint,
  answer: enveloped("The endpoint", Endpoint, 201),
  fails: ["resource_not_found", "resource_conflict"],
  run: (ctx, { body }) => createEndpoint(ctx, body),
});

endpoints.operation("listEndpoints", "GET /", {
  permission: "endpoints:manage",
  summary: "List the team's endpoints",
  description: "By name.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of endpoints", pageOf("EndpointPage", Endpoint)),
  run: (ctx, { query }) => listEndpoints(ctx, query),
});

endpoints.operation("describeEndpoints", "GET /openapi.json", {
  permission: "endpoints:manage",
  summary: "Get the OpenAPI document of the team's endpoints",
  description: "OpenAPI 3.1, with their parameters and without what is asked.",
  answer: plain("The document", z.record(z.string(), z.unknown())),
  run: (ctx) => describeEndpoints(ctx),
});

endpoints.operation("getEndpoint", "GET /{endpoint_id}", {
  permission: "endpoints:manage",
  summary: "Get an endpoint",
  description: "Without its keys and its secret.",
  params: EndpointIdPath,
  answer: enveloped("The endpoint", Endpoint),
  run: (ctx, { params }) => getEndpoint(ctx, params.endpoint_id),
});

endpoints.operation("updateEndpoint", "PATCH /{endpoint_id}", {
  permission: "endpoints:manage",
  audit: "endpoint.update",
  summary: "Change an endpoint",
  description:
    "What is sent changes at once, for every caller, and who changes it publishes it from then on. With `query_id` or " +
    "`query_version` another question is published; without `query_version` the newest.",
  params: EndpointIdPath,
  body: EndpointPatch,
  answer: enveloped("The endpoint", Endpoint),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => updateEndpoint(ctx, params.endpoint_id, body),
});

endpoints.operation("deleteEndpoint", "DELETE /{endpoint_id}", {
  permission: "endpoints:manage",
  audit: "endpoint.delete",
  summary: "Take an endpoint back",
  description: "With its keys and its figures. It answers nobody from then on.",
  params: EndpointIdPath,
  answer: nothing("Deleted"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteEndpoint(ctx, params.endpoint_id),
});

endpoints.operation("setEndpointSecret", "POST /{endpoint_id}/secret", {
  permission: "endpoints:manage",
  audit: "endpoint_secret.set",
  summary: "Make the secret that signs an endpoint's tokens anew",
  description:
    "Tokens are JSON Web Tokens signed with HS256: `sub` is the endpoint's id, `aud` its audience, `exp` at most " +
    `${PUBLICATION_LIMITS.tokenSecondsMax / 3_600} hours ahead, \`parameters\` the values that its holder can't send. The secret is shown this once.`,
  params: EndpointIdPath,
  optionalBody: PublicationSecretRotation,
  answer: enveloped("The secret", PublicationSecret),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) =>
    setPublicationSecret(ctx, { kind: "endpoint", id: params.endpoint_id, action: "endpoint_secret.set" }, body),
});

endpoints.operation("getEndpointStatistics", "GET /{endpoint_id}/statistics", {
  permission: "endpoints:manage",
  summary: "Get how often an endpoint was called, and how long it took",
  description: `Of the last hours, ${PUBLICATION_LIMITS.statisticsHoursMax} at most. About a second late; percentiles are off by 5 % at most.`,
  params: EndpointIdPath,
  query: z.strictObject({
    hours: integerParameter({ min: 1, max: PUBLICATION_LIMITS.statisticsHoursMax, default: 24 }),
  }),
  answer: enveloped("The figures", PublicationStatistics),
  run: (ctx, { params, query }) => getPublicationStatistics(ctx, "endpoint", params.endpoint_id, query.hours),
});
