import type { Needs } from "../../../clients/context.ts";
import { cookieOf, requireCookies } from "../../../http/sessions/cookie.ts";
import { requireSameOrigin } from "../../../http/sessions/same-origin.ts";
import { proveByAccess } from "../cloudflare-access/prove.ts";
import { proveByKey } from "./by-key.ts";
import { proveByLink } from "./by-link.ts";
import { proveByOidc } from "./by-oidc.ts";
import { proveByPasskey } from "./by-passkey.ts";
import type { SignInAnswer, TeamChoice } from "../sessions/session.ts";
import { endOwnSession } from "../sessions/sign-out.ts";
import { openSession, type SignInRequest } from "./open-session.ts";
import type { NewSession, Proof } from "./proof.ts";
import { requireSignInTry } from "./tries/require-try.ts";

type Deps = Needs<"db" | "tokens" | "vault" | "fetchPublic" | "settings">;
type SignIn = SignInRequest & { proof: NewSession };

/**
 * Signs a person in: a session in the place of the one that the request came in, and the cookie that names it; or,
 * without either, the choice of teams that they have to make first. Throws 401 for what proves nobody.
 */
export async function createSession(
  ctx: Deps,
  { proof: sent, ...asking }: SignIn,
): Promise<{ value: SignInAnswer; cookie: string | null }> {
  const { request } = asking;
  requireSameOrigin(request);
  requireCookies(request);
  await requireSignInTry(ctx, asking);
  const proof = await prove(ctx, sent, asking);
  if ("kind" in proof) return { value: proof, cookie: null };
  const { signedIn, token, maxAgeSeconds } = await openSession(ctx, proof, asking);
  // The new cookie takes the place of the old one, whose session nobody could use or end any more.
  await endOwnSession(ctx, asking);
  return { value: signedIn, cookie: cookieOf(request, "session", token, maxAgeSeconds) };
}

function prove(ctx: Deps, sent: NewSession, asking: SignInRequest): Promise<Proof | TeamChoice> {
  if ("api_key" in sent) return proveByKey(ctx, sent.api_key, asking.now);
  if ("link" in sent) return proveByLink(ctx, sent.link, asking.now);
  if ("passkey" in sent) return proveByPasskey(ctx, sent.passkey, asking);
  if ("access" in sent) return proveByAccess(ctx, sent.team_id, asking);
  return proveByOidc(ctx, sent.oidc, asking);
}
