import { sql } from "drizzle-orm";
import { newId } from "../../../core/ids.ts";
import { Problem } from "../../../core/problem.ts";
import { rightsOfCaller } from "../../../core/scope.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { getMe } from "../me.ts";
import { findSessionHolder } from "../store-callers.ts";
import {
  auditedSession,
  idleSince,
  mintSessionToken,
  sessionEndOf,
  userAgentOf,
  type SignedIn,
} from "../sessions/session.ts";
import { endSurplusSessions, hasSession, insertSession, sessionOf, type SessionRow } from "../sessions/store.ts";
import type { Proof } from "./proof.ts";

/** What a sign-in knows of its request. */
export type SignInRequest = { request: Request; requestId: string; now: Date };

export type OpenedSession = { signedIn: SignedIn; token: string; maxAgeSeconds: number };

/** Writes a session down and answers what its cookie holds. Throws 401 where the proof is good no more. */
export async function openSession(
  { db }: Needs<"db">,
  proof: Proof,
  { request, requestId, now }: SignInRequest,
): Promise<OpenedSession> {
  const { token, tokenHash } = await mintSessionToken();
  const at = now.toISOString();
  const session: SessionRow = {
    id: newId(now),
    teamId: proof.teamId,
    userId: proof.userId,
    keyId: proof.key?.id ?? null,
    tokenHash,
    method: proof.method,
    userAgent: userAgentOf(request),
    createdAt: at,
    usedAt: at,
    expiresAt: sessionEndOf(now, proof.key?.expiresAt ?? null),
    endedAt: null,
  };
  const audit = { teamId: proof.teamId, userId: proof.userId, keyId: session.keyId ?? session.id, requestId, now };
  await db.batch([
    insertSession(db, session, proof.when ?? sql`true`),
    endSurplusSessions(db, session, TEAM_LIMITS.sessionsPerUserMax),
    recordAuditIf(db, audit, {
      action: "session.create",
      subjectId: session.id,
      when: hasSession(session),
      after: auditedSession(proof.userId, sessionOf(session, session.id)),
    }),
    ...(proof.spend?.(session, audit) ?? []),
  ]);
  const holder = await findSessionHolder(db, tokenHash, { at, idleSince: idleSince(now) });
  if (!holder) throw notSignedIn();
  const { caller } = holder;
  const me = getMe({ ...caller, rights: rightsOfCaller(caller) });
  return {
    signedIn: { kind: "signed_in", ...me, session: sessionOf(session, session.id) },
    token,
    maxAgeSeconds: Math.ceil((Date.parse(session.expiresAt) - now.getTime()) / 1_000),
  };
}

/** One failure whatever is the matter, so that nobody learns what was nearly right. */
export const notSignedIn = (): Problem =>
  new Problem(
    "auth_invalid_token",
    "This does not sign anybody in, or no longer. Ask for a new link, or use another way.",
  );
