// Tokens are handed out for a code, and anew for each refresh token. A code or a refresh token that comes a second time
// has been copied, so that the whole authorization ends.

import { TEAM_LIMITS } from "../limits.ts";
import { toBase64url } from "../../../core/encoding.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256 } from "../../../platform/crypto/digest.ts";
import type { AgentCodeToken, AgentRefreshToken } from "../../../platform/crypto/token.ts";
import { idleSince } from "../sessions/session.ts";
import { askerHash } from "./authorize.ts";
import { endAuthorization } from "./end.ts";
import { isMcp } from "./request.ts";
import { advanceGeneration, findAuthorization, type AuthorizationRow } from "./store.ts";

type Deps = Needs<"db" | "tokens">;

/** OAuth's words for a failure, which programs tell apart. */
export type TokenFailure = {
  error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_target" | "unsupported_grant_type";
  error_description: string;
};
export type TokenAnswer = {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  scope: string;
};

type Call = { form: URLSearchParams; request: Request; requestId: string; now: Date };

/** What the token endpoint answers to a form. */
export async function grantTokens(ctx: Deps, call: Call): Promise<TokenAnswer | TokenFailure> {
  const { form, request } = call;
  const names = [...form.keys()];
  if (new Set(names).size !== names.length) return failed("invalid_request", "A parameter is sent twice.");
  if (!form.get("client_id")) return failed("invalid_client", "Send client_id.");
  const resource = form.get("resource");
  if (resource !== null && !isMcp(resource, request)) return failed("invalid_target", "There is /mcp alone.");
  const type = form.get("grant_type");
  if (type === "authorization_code") return exchangeCode(ctx, call);
  if (type === "refresh_token") return refreshTokens(ctx, call);
  return failed("unsupported_grant_type", "There are authorization_code and refresh_token.");
}

async function exchangeCode(ctx: Deps, call: Call): Promise<TokenAnswer | TokenFailure> {
  const { form, now } = call;
  const text = (name: string): string => form.get(name) ?? "";
  const code = await ctx.tokens.find("agent_code", text("code"), now);
  const asker = await askerHash({ client_id: text("client_id"), redirect_uri: text("redirect_uri") });
  const challenge = toBase64url(await sha256(text("code_verifier")));
  if (code?.asker !== asker || code.challenge !== challenge) return failed("invalid_grant", REFUSED);
  return handOut(ctx, call, code, 0);
}

async function refreshTokens(ctx: Deps, call: Call): Promise<TokenAnswer | TokenFailure> {
  const refresh = await ctx.tokens.find("agent_refresh", call.form.get("refresh_token") ?? "", call.now);
  if (!refresh) return failed("invalid_grant", REFUSED);
  return handOut(ctx, call, refresh, refresh.generation);
}

/** The tokens after those of a generation. */
async function handOut(
  ctx: Deps,
  call: Call,
  holder: AgentCodeToken | AgentRefreshToken,
  generation: number,
): Promise<TokenAnswer | TokenFailure> {
  const { now, form } = call;
  const { teamId, userId, authorizationId } = holder;
  const name = { teamId, id: authorizationId };
  const found = await findAuthorization(ctx.db, teamId, authorizationId);
  if (found?.clientId !== form.get("client_id")) return failed("invalid_grant", REFUSED);
  const when = { at: now.toISOString(), idleSince: idleSince(now) };
  const expiresAt = now.getTime() + TEAM_LIMITS.agentIdleMs;
  const next = { generation, when, expiresAt: new Date(expiresAt).toISOString() };
  const [row] = await advanceGeneration(ctx.db, name, next);
  if (!row) return endCopied(ctx, call, found);
  const claims = { teamId, userId, authorizationId };
  const accessMs = TEAM_LIMITS.agentAccessMs;
  const [access_token, refresh_token] = await Promise.all([
    ctx.tokens.mint({ use: "agent", ...claims, expiresAt: now.getTime() + accessMs }),
    ctx.tokens.mint({ use: "agent_refresh", ...claims, generation: row.generation, expiresAt }),
  ]);
  const scope = row.scopes.join(" ");
  return { access_token, token_type: "Bearer", expires_in: accessMs / 1_000, refresh_token, scope };
}

/** What was handed out already, or is over: either way nothing of the authorization is good any more. */
async function endCopied(ctx: Deps, call: Call, row: AuthorizationRow): Promise<TokenFailure> {
  await endByProgram(ctx, call, row);
  return failed("invalid_grant", REFUSED);
}

/** Ends what a token belongs to. A token that is none of ours, or is over, ends nothing. */
export async function revokeToken(ctx: Deps, call: Call): Promise<void> {
  const token = await ctx.tokens.find(["agent", "agent_refresh"], call.form.get("token") ?? "", call.now);
  const row = token && (await findAuthorization(ctx.db, token.teamId, token.authorizationId));
  if (row) await endByProgram(ctx, call, row);
}

/** Ended by the program, or because of it: what is audited is audited of its person. */
const endByProgram = ({ db }: Deps, { requestId, now }: Call, row: AuthorizationRow): Promise<void> =>
  endAuthorization(db, { teamId: row.teamId, userId: row.userId, keyId: row.id, requestId, now }, row);

const REFUSED = "It is not good, or no longer, or was used before.";

const failed = (error: TokenFailure["error"], error_description: string): TokenFailure => ({
  error,
  error_description,
});
