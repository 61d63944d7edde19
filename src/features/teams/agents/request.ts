// A program's request for an authorization is judged: who asks, where the answer may go, and for what.

import { invalidAt } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { AGENT_SCOPES, READING_SCOPES, type AgentScope, type AuthorizationRequest } from "./authorization.ts";
import { mayRedirectTo, readClient, type AgentClient } from "./client.ts";

/** The resource that the tokens are for, and the server that hands them out: both are this host's. */
export const MCP_PATH = "/mcp";
export const issuerOf = (request: Request): string => new URL(request.url).origin;

/** OAuth's word for what is wrong with a request; the program reads it in the address that it is answered at. */
type Refusal = "invalid_request" | "invalid_target" | "unsupported_response_type" | "access_denied";

export type JudgedRequest = { client: AgentClient; scopes: AgentScope[]; refusal: Refusal | undefined };

const CHALLENGE = /^[\w-]{43}$/;

/** Throws 422 where nobody may be answered: for a program that is not known, or an address that is none of its own. */
export async function judgeRequest(
  ctx: Needs<"db" | "scope" | "fetchPublic">,
  asked: AuthorizationRequest,
  request: Request,
): Promise<JudgedRequest> {
  const client = await readClient(ctx, asked.client_id);
  if (!mayRedirectTo(client, asked.redirect_uri)) {
    const message = `The answer may not go there: ${client.host} lists other addresses.`;
    throw invalidAt("/redirect_uri", message);
  }
  const scopes = scopesOf(ctx.scope, asked.scope);
  return { client, scopes, refusal: refusalOf(asked, request) ?? (scopes.length === 0 ? "access_denied" : undefined) };
}

function refusalOf(asked: AuthorizationRequest, request: Request): Refusal | undefined {
  if (asked.response_type !== "code") return "unsupported_response_type";
  if (asked.code_challenge_method !== "S256" || !CHALLENGE.test(asked.code_challenge)) return "invalid_request";
  if (asked.resource !== undefined && !isMcp(asked.resource, request)) return "invalid_target";
  return undefined;
}

/** Whether a resource that a program names is /mcp of this host, with whatever narrows its list of tools. */
export const isMcp = (resource: string, request: Request): boolean => {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  return origin === issuerOf(request) && pathname === MCP_PATH;
};

/** Never more than the caller's rights. Words that name nothing here are left out, as OAuth allows. */
function scopesOf({ rights }: Scope, asked: string | undefined): AgentScope[] {
  const words = (asked ?? "").split(" ");
  const named = AGENT_SCOPES.filter((scope) => words.includes(scope));
  const wanted = named.length > 0 ? named : READING_SCOPES;
  return AGENT_SCOPES.filter((scope) => wanted.includes(scope) && rights.includes(scope));
}

/** The program's address with an answer, and with who has answered. */
export function answerUrl(
  { redirect_uri: address, state }: AuthorizationRequest,
  request: Request,
  answer: { code: string } | { error: Refusal },
): string {
  const url = new URL(address);
  const members = { ...answer, ...(state !== undefined && { state }), iss: issuerOf(request) };
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return url.href;
}
