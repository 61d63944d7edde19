// Agents' authorizations: the page that asks people previews and gives them, and people list and end theirs.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import {
  AgentAuthorization,
  AuthorizationPreview,
  AuthorizationRequest,
  GivenAuthorization,
  NewAgentAuthorization,
} from "./authorization.ts";
import { createAuthorization, previewAuthorization } from "./authorize.ts";
import { deleteAuthorization } from "./delete.ts";
import { listAuthorizations, listUserAuthorizations } from "./list.ts";

export const agents = createRouter(["Agents", "Extensions"]);

const AuthorizationQuery = z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 }));
const AuthorizationPage = pageOf("AgentAuthorizationPage", AgentAuthorization);

agents.operation("previewAgentAuthorization", "POST /agent-authorizations/preview", {
  permission: "any_key",
  reads: true,
  audit: "none",
  summary: "See what an agent asks for",
  description:
    "For a person in a browser: 409 for a key. The program's document is read at its address; 422 where it can't be, where it " +
    "is another's, or where the answer would go to an address that it does not list.",
  body: AuthorizationRequest,
  example: {
    client_id: "https://agent.example.com/client.json",
    redirect_uri: "http://127.0.0.1:33418/callback",
    response_type: "code",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  },
  answer: enveloped("Who asks, for what, and where the answer goes", AuthorizationPreview),
  fails: ["resource_conflict", "too_many_requests"],
  run: (ctx, { body }) => previewAuthorization(ctx, body, ctx.request),
});

agents.operation("createAgentAuthorization", "POST /agent-authorizations", {
  permission: "any_key",
  audit: "agent_authorization.create",
  summary: "Let an agent act in one's name",
  description:
    "For a person in a browser: 409 for a key. What is given in a session of the team's identity provider, or of a key that ends " +
    "or has scopes, ends with that session.",
  body: NewAgentAuthorization,
  answer: enveloped("Where the browser goes next", GivenAuthorization, 201),
  fails: ["resource_conflict", "too_many_requests"],
  run: (ctx, { body }) => createAuthorization(ctx, body, ctx.request),
});

agents.operation("listAgentAuthorizations", "GET /agent-authorizations", {
  permission: "any_key",
  summary: "List the agents that act in one's own name",
  description: "Oldest first.",
  query: AuthorizationQuery,
  answer: enveloped("A page of authorizations, oldest first", AuthorizationPage),
  run: (ctx, { query }) => listAuthorizations(ctx, query),
});

agents.operation("listUserAgentAuthorizations", "GET /users/{user_id}/agent-authorizations", {
  permission: "team:manage",
  summary: "List the agents that act in a user's name",
  description: "Oldest first.",
  params: z.object({ user_id: z.string() }),
  query: AuthorizationQuery,
  answer: enveloped("A page of authorizations, oldest first", AuthorizationPage),
  run: (ctx, { params, query }) => listUserAuthorizations(ctx, params.user_id, query),
});

agents.operation("deleteAgentAuthorization", "DELETE /agent-authorizations/{authorization_id}", {
  permission: "any_key",
  audit: "agent_authorization.delete",
  summary: "End what an agent may do",
  description:
    "One's own, or, with the right `team:manage`, anybody's of the team; an operator's is ended by operators alone. It may be " +
    "honoured for some seconds more.",
  params: z.object({ authorization_id: z.string() }),
  answer: nothing("Ended"),
  run: (ctx, { params }) => deleteAuthorization(ctx, params.authorization_id),
});
