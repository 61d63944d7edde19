import type { Needs } from "../../../clients/context.ts";
import { clearedCookie, readSessionCookie } from "../../../http/sessions/cookie.ts";
import { requireSameOrigin } from "../../../http/sessions/same-origin.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { endSession } from "./end.ts";
import type { SignInRequest } from "../sign-in/open-session.ts";
import { idleSince } from "./session.ts";
import { findSessionByToken } from "./store.ts";

/** Ends the session of the request, if it comes in one, and its cookie in any case. */
export async function signOut(
  ctx: Needs<"db">,
  asking: SignInRequest,
): Promise<{ value: undefined; cookie: string | null }> {
  requireSameOrigin(asking.request);
  const hadCookie = await endOwnSession(ctx, asking);
  return { value: undefined, cookie: hadCookie ? clearedCookie(asking.request) : null };
}

/** Ends the session that the request comes in, if it does; answers whether it has the cookie of one. */
export async function endOwnSession({ db }: Needs<"db">, { request, requestId, now }: SignInRequest): Promise<boolean> {
  const token = readSessionCookie(request);
  if (token === undefined) return false;
  const when = { at: now.toISOString(), idleSince: idleSince(now) };
  const session = await findSessionByToken(db, await sha256Hex(token), when);
  if (session) {
    const { teamId, userId, keyId, id } = session;
    await endSession(db, { teamId, userId, keyId: keyId ?? id, requestId, now }, session);
  }
  return true;
}
