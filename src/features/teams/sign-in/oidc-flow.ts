// A browser's way to a team's identity provider and back. What it has begun is in a cookie of that browser, signed, so
// that no other browser can be made to end it.

import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { Problem } from "../../../core/problem.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { readCookie, cookieOf } from "../../../http/sessions/cookie.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { authorizationUrl, mintExpected, readAccount, type Account } from "../identity-provider/oidc.ts";
import { callbackUrlOf, type ProviderRow } from "../identity-provider/provider.ts";
import { findProvider } from "../identity-provider/store.ts";
import type { OidcStart } from "../identities/identity.ts";
import { insertSpent, isUnspent } from "./store-challenges.ts";

const COOKIE = "oidc";

type Beginning = { request: Request; now: Date; userId: string | null };
type BeginDeps = Needs<"tokens" | "fetchPublic" | "settings">;

/** The page to go to, and the cookie read when the browser is back. Throws 503 for a provider that is away. */
export async function beginOidc(
  ctx: BeginDeps,
  provider: ProviderRow,
  { request, now, userId }: Beginning,
): Promise<{ value: OidcStart; cookie: string }> {
  const expected = mintExpected();
  const client = { ...provider, redirectUri: callbackUrlOf(request) };
  const url = await authorizationUrl(ctx, client, expected).catch((cause: unknown) => {
    throw new Problem("source_unavailable", "The identity provider does not answer.", [], { cause });
  });
  const expiresAt = now.getTime() + TEAM_LIMITS.oidcMs;
  const { id: providerId, issuer, clientId } = provider;
  const begun = { use: "oidc", providerId, issuer, clientId, userId, ...expected, expiresAt } as const;
  const token = await ctx.tokens.mint(begun);
  return { value: { url }, cookie: cookieOf(request, COOKIE, token, TEAM_LIMITS.oidcMs / 1_000) };
}

type EndDeps = BeginDeps & Needs<"db" | "vault">;
type Ending = Beginning & { parameters: string };

/** Who came back, from which provider; `isUnspent` is true in SQL until the statement has run. */
export type OidcReturn = {
  account: Account;
  provider: ProviderRow;
  isUnspent: SQL;
  spendStatement(): BatchItem<"sqlite">;
};

/** Undefined for whatever is not as it was begun, or as the provider has to answer: the log says what it was. */
export async function endOidc(
  ctx: EndDeps,
  { request, now, userId, parameters }: Ending,
): Promise<OidcReturn | undefined> {
  try {
    const begun = await ctx.tokens.read("oidc", readCookie(request, COOKIE) ?? "", now);
    if (begun.userId !== userId) throw new Error("Somebody else has begun this, or to do something else.");
    const provider = await findProvider(ctx.db, begun.providerId);
    // Another issuer is handed no code of this one's, and no verifier.
    if (provider?.issuer !== begun.issuer || provider.clientId !== begun.clientId)
      throw new Error("The provider is gone, or is another.");
    const { teamId, id, sealedSecret } = provider;
    const secret = sealedSecret && (await ctx.vault.unseal({ teamId, identityProviderId: id }, sealedSecret));
    const client = { ...provider, redirectUri: callbackUrlOf(request) };
    const { state, nonce, verifier, expiresAt } = begun;
    const callback = { parameters: new URLSearchParams(parameters), expected: { state, nonce, verifier }, secret };
    const account = await readAccount(ctx, client, callback);
    const hash = await sha256Hex(state);
    const spent = { challengeHash: hash, expiresAt: new Date(expiresAt).toISOString() };
    return { account, provider, isUnspent: isUnspent(hash), spendStatement: () => insertSpent(ctx.db, spent) };
  } catch (error) {
    console.error(JSON.stringify({ event: "oidc_refused", cause: String(error) }));
    return undefined;
  }
}
