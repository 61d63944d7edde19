// /v4/endpoints/{endpoint_id}/keys

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { EndpointIdPath } from "../params.ts";
import { createEndpointKey } from "./create.ts";
import { deleteEndpointKey } from "./delete.ts";
import { EndpointKey, MintedEndpointKey, NewEndpointKey } from "./key.ts";
import { listEndpointKeys } from "./list.ts";

export const endpointKeys = createRouter(["Endpoints", "Extensions"]);

endpointKeys.operation("createEndpointKey", "POST /{endpoint_id}/keys", {
  permission: "endpoints:manage",
  audit: "endpoint_key.create",
  summary: "Make a key of an endpoint",
  description: "It opens this endpoint and nothing else. It is shown this once; its hash is kept.",
  params: EndpointIdPath,
  body: NewEndpointKey,
  answer: enveloped("The key", MintedEndpointKey, 201),
  run: (ctx, { params, body }) => createEndpointKey(ctx, params.endpoint_id, body),
});

endpointKeys.operation("listEndpointKeys", "GET /{endpoint_id}/keys", {
  permission: "endpoints:manage",
  summary: "List an endpoint's keys",
  description: "Oldest first, without the keys themselves; expired ones are among them.",
  params: EndpointIdPath,
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of keys", pageOf("EndpointKeyPage", EndpointKey)),
  run: (ctx, { params, query }) => listEndpointKeys(ctx, params.endpoint_id, query),
});

endpointKeys.operation("deleteEndpointKey", "DELETE /{endpoint_id}/keys/{key_id}", {
  permission: "endpoints:manage",
  audit: "endpoint_key.delete",
  summary: "Revoke a key of an endpoint",
  description: "The next call with it is refused.",
  params: EndpointIdPath.extend({ key_id: z.string() }),
  answer: nothing("Revoked"),
  run: (ctx, { params }) => deleteEndpointKey(ctx, params.endpoint_id, params.key_id),
});
