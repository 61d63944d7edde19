// OAuth 2.1 for agents' programs: where tokens for /mcp come from (RFC 8414, RFC 9728), the tokens, and their end (RFC
// 7009). The page that asks people is the console's.

import { z } from "@hono/zod-openapi";
import { Problem } from "../../../core/problem.ts";
import type { AnswerDocument } from "../../../http/answer.ts";
import type { OpenContext } from "../../../http/call.ts";
import type { RawBody } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { AGENT_SCOPES } from "./authorization.ts";
import { issuerOf, MCP_PATH } from "./request.ts";
import { grantTokens, revokeToken } from "./tokens.ts";

export const oauth = createRouter(["Agents", "Extensions"], "oauth");

const CONSENT_PATH = "/app/authorize";
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

const ofType = (description: string, schema: z.ZodType): AnswerDocument => ({
  description,
  content: { "application/json": { schema } },
});

const ResourceMetadata = z
  .object({
    resource: z.string(),
    resource_name: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  })
  .openapi("OAuthResourceMetadata");

const ServerMetadata = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    revocation_endpoint: z.string(),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    client_id_metadata_document_supported: z.boolean(),
    authorization_response_iss_parameter_supported: z.boolean(),
  })
  .openapi("OAuthServerMetadata");

const Tokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int(),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .openapi("OAuthTokens");

/** Programs look at the address with the resource's path, and at the one without. */
for (const [id, path] of [
  ["getMcpResourceMetadata", "/mcp"],
  ["getResourceMetadata", ""],
] as const)
  oauth.rawOperation(id, `GET ${RESOURCE_METADATA_PATH}${path}`, {
    permission: "everybody",
    summary: "Find who gives tokens for /mcp",
    description: "OAuth 2.0 Protected Resource Metadata (RFC 9728).",
    responses: { 200: ofType("What /mcp takes", ResourceMetadata) },
    fails: ["too_many_requests"],
    respond: ({ request }) =>
      Response.json({
        resource: issuerOf(request) + MCP_PATH,
        resource_name: "Fjord",
        authorization_servers: [issuerOf(request)],
        scopes_supported: [...AGENT_SCOPES],
        bearer_methods_supported: ["header"],
      } satisfies z.infer<typeof ResourceMetadata>),
  });

oauth.rawOperation("getAuthorizationServerMetadata", "GET /.well-known/oauth-authorization-server", {
  permission: "everybody",
  summary: "Find how tokens for /mcp are given",
  description:
    "OAuth 2.0 Authorization Server Metadata (RFC 8414). A client is known by the address of its own document, and is not " +
    "registered; it has no secret, and proves itself by PKCE.",
  responses: { 200: ofType("The addresses, and what they take", ServerMetadata) },
  fails: ["too_many_requests"],
  respond: ({ request }) =>
    Response.json({
      issuer: issuerOf(request),
      authorization_endpoint: issuerOf(request) + CONSENT_PATH,
      token_endpoint: `${issuerOf(request)}/oauth/token`,
      revocation_endpoint: `${issuerOf(request)}/oauth/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      scopes_supported: [...AGENT_SCOPES],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    } satisfies z.infer<typeof ServerMetadata>),
});

const FORM = "application/x-www-form-urlencoded";

/** A form of texts, with an example of those that are required. */
const form = (example: Record<string, string>, optional: readonly string[]): RawBody => {
  const names = [...Object.keys(example), ...optional];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const content = { schema: { type: "object" as const, properties, required: Object.keys(example) }, example };
  return { required: true, content: { [FORM]: content } };
};

oauth.rawOperation("grantAgentTokens", "POST /oauth/token", {
  permission: "everybody",
  // What is handed out was audited as a person gave it; where a copy ends it, that is.
  audit: "agent_authorization.delete",
  summary: "Fetch an agent's tokens",
  description:
    "For a code with its verifier, or for a refresh token, each once: one that comes again ends the authorization. An access " +
    "token is good at `/mcp` alone.",
  rawBody: form({ grant_type: "refresh_token", client_id: "https://agent.example.com/client.json" }, [
    "code",
    "redirect_uri",
    "code_verifier",
    "refresh_token",
    "resource",
  ]),
  responses: { 200: ofType("The tokens", Tokens) },
  async respond(ctx) {
    const answer = await grantTokens(ctx, await callOf(ctx));
    return Response.json(answer, { status: "error" in answer ? 400 : 200, headers: { Pragma: "no-cache" } });
  },
});

oauth.rawOperation("revokeAgentTokens", "POST /oauth/revoke", {
  permission: "everybody",
  audit: "agent_authorization.delete",
  summary: "End an agent's authorization",
  description: "By one of its tokens. The answer is the same whichever token is sent.",
  rawBody: form({ token: "eyJ1c2UiOiJhZ2VudCJ9.c2lnbmVk" }, ["token_type_hint", "client_id"]),
  responses: { 200: ofType("It is good no more", z.strictObject({})) },
  async respond(ctx) {
    const call = await callOf(ctx);
    if (!call.form.get("token"))
      return Response.json({ error: "invalid_request", error_description: "Send token." }, { status: 400 });
    await revokeToken(ctx, call);
    return Response.json({});
  },
});

async function callOf({ request, requestId }: OpenContext) {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== FORM)
    throw new Problem("unsupported_media_type", `Send the body as \`Content-Type: ${FORM}\`.`);
  const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
  return { form, request, requestId, now: new Date() };
}

/** What a program without a token is told: where it learns who gives one. */
export const challengeOf = (request: Request): string =>
  `Bearer resource_metadata="${issuerOf(request)}${RESOURCE_METADATA_PATH}${MCP_PATH}"`;
