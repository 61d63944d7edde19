// A person is asked whether a program may act in their name, and lets it.

import { newId } from "../../../core/ids.ts";
import { invalidAt } from "../../../core/problem.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireSession, sessionIsOver, type PersonalSession } from "../sessions/own-session.ts";
import { isWorkingSession } from "../sessions/store.ts";
import {
  auditedAuthorization,
  type AuthorizationPreview,
  type AuthorizationRequest,
  type NewAgentAuthorization,
} from "./authorization.ts";
import { answerUrl, judgeRequest } from "./request.ts";
import {
  authorizationOf,
  deleteSurplusAuthorizations,
  hasAuthorization,
  insertAuthorization,
  type AuthorizationRow,
} from "./store.ts";

type Deps = Needs<"scope" | "db" | "fetchPublic">;

/** What the person reads before they decide. Nothing is written. */
export async function previewAuthorization(
  ctx: Deps,
  asked: AuthorizationRequest,
  request: Request,
): Promise<AuthorizationPreview> {
  const personal = await requireSession(ctx);
  const { client, scopes, refusal } = await judgeRequest(ctx, asked, request);
  const { protocol, host } = new URL(asked.redirect_uri);
  // The host of a program's own scheme is a word that the program has chosen.
  const isWeb = protocol === "https:" || protocol === "http:";
  return {
    client: { id: client.id, name: client.name, host: client.host },
    redirect_host: isWeb ? host : protocol,
    scopes,
    ends_with_session: !lastsBeyond(personal),
    cancel_url: answerUrl(asked, request, { error: "access_denied" }),
    refusal_url: refusal ? answerUrl(asked, request, { error: refusal }) : null,
  };
}

/** Throws 422 for a request that the preview refuses, and for scopes that it does not name. */
export async function createAuthorization(
  ctx: Deps & Needs<"tokens">,
  { request: asked, scopes }: NewAgentAuthorization,
  request: Request,
): Promise<{ redirect_url: string }> {
  const { scope, db, tokens } = ctx;
  const personal = await requireSession(ctx);
  const { session, when } = personal;
  const judged = await judgeRequest(ctx, asked, request);
  if (judged.refusal) throw invalidAt("/request", `The request can't be granted: ${judged.refusal}.`);
  const beyond = scopes.find((each) => !judged.scopes.includes(each));
  if (beyond !== undefined)
    throw invalidAt("/scopes", `The program does not ask for ${beyond}, or you may not give it.`);
  const { teamId, userId, now } = scope;
  const expiresAt = now.getTime() + TEAM_LIMITS.agentCodeMs;
  const row: AuthorizationRow = {
    ...{ id: newId(now), teamId, userId, sessionId: lastsBeyond(personal) ? null : session.id },
    ...{ clientId: judged.client.id, clientName: judged.client.name, scopes: [...new Set(scopes)], generation: 0 },
    ...{ createdAt: now.toISOString(), usedAt: null, expiresAt: new Date(expiresAt).toISOString() },
  };
  const [inserted] = await db.batch([
    insertAuthorization(db, row, isWorkingSession(session.id, when)),
    deleteSurplusAuthorizations(db, row, TEAM_LIMITS.agentsPerUserMax),
    recordAuditIf(db, scope, {
      action: "agent_authorization.create",
      subjectId: row.id,
      when: hasAuthorization(row),
      after: auditedAuthorization(userId, authorizationOf(row)),
    }),
  ]);
  if (inserted.length === 0) throw sessionIsOver();
  const code = await tokens.mint({
    ...{ use: "agent_code", teamId, userId, authorizationId: row.id, challenge: asked.code_challenge },
    ...{ asker: await askerHash(asked), expiresAt },
  });
  return { redirect_url: answerUrl(asked, request, { code }) };
}

/** Which program asked, and where it is answered: what comes for tokens has to know both. */
export const askerHash = (asked: Pick<AuthorizationRequest, "client_id" | "redirect_uri">): Promise<string> =>
  sha256Hex(JSON.stringify([asked.client_id, asked.redirect_uri]));

/**
 * What is given in a session that was made at the team's identity provider, or by a key that ends or has scopes, ends
 * with that session: it would outlive the account, or the key.
 */
const lastsBeyond = ({ session, isOfEndingKey }: PersonalSession): boolean =>
  session.method !== "oidc" && !isOfEndingKey;
