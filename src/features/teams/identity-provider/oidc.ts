// OpenID Connect with a team's provider, by oauth4webapi: what a browser is sent with, and what the provider says of
// who came back. Everything that is asked of the provider goes to public hosts, within bounds, without redirects.

import * as oauth from "oauth4webapi";
import type { Needs } from "../../../clients/context.ts";
import { Email } from "../../../http/request/email.ts";
import { flawOfUrl } from "../../../platform/webhooks/flaw-of-url.ts";
import type { ProviderRow } from "./provider.ts";

type Deps = Needs<"fetchPublic" | "settings">;

/** What the library is told besides: how to ask, and that plain http will do, which is asked of this machine alone. */
const optionsOf = ({ fetchPublic }: Deps) => ({
  [oauth.customFetch]: (url: string, { method, headers, body }: oauth.CustomFetchOptions<"GET" | "POST", unknown>) =>
    fetchPublic(url, { method, headers, body: body == null ? undefined : String(body) }),
  [oauth.allowInsecureRequests]: true as const,
});

/** The issuer's own document. Throws for one that is not reached, or names another issuer than itself. */
export async function discoverIssuer(ctx: Deps, issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, optionsOf(ctx)));
  const { authorization_endpoint: page, jwks_uri: keys } = server;
  if (typeof page !== "string" || typeof keys !== "string")
    throw new Error("Its document names no page to sign in at, or no keys.");
  if (server.issuer !== issuer)
    throw new Error(`Its document names itself ${server.issuer.slice(0, 1_000)}, to the letter.`);
  // The browser is sent to the page, so it has to be one of the web.
  const flaw = flawOfUrl(ctx, page);
  if (flaw !== undefined) throw new Error(`The page that its document names won't do: ${flaw}`);
  return server;
}

/** How a provider's answer is known again. */
export type Expected = { state: string; nonce: string; verifier: string };

export const mintExpected = (): Expected => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

type Client = Pick<ProviderRow, "issuer" | "clientId"> & { redirectUri: string };

/** Where the browser goes to sign in at the provider. */
export async function authorizationUrl(
  ctx: Deps,
  { issuer, clientId, redirectUri }: Client,
  { state, nonce, verifier }: Expected,
): Promise<string> {
  const server = await discoverIssuer(ctx, issuer);
  const url = new URL(server.authorization_endpoint!);
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const parameters = {
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "openid email profile" },
    ...{ state, nonce, code_challenge: challenge, code_challenge_method: "S256" },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}

/** By OpenID Connect. */
const SUBJECT_CHARACTERS_MAX = 255;

/** Who signed in at the provider. `email` is there only where the provider has verified it. */
export type Account = { issuer: string; subject: string; email: string | null };

type Callback = { parameters: URLSearchParams; expected: Expected; secret: string | null };

/** Exchanges what the browser came back with. Throws for whatever is not as it should be; the error is for the log. */
export async function readAccount(
  ctx: Deps,
  client: Client,
  { parameters, expected, secret }: Callback,
): Promise<Account> {
  const server = await discoverIssuer(ctx, client.issuer);
  const { state, nonce, verifier } = expected;
  const party = { client_id: client.clientId };
  const answered = oauth.validateAuthResponse(server, party, parameters, state);
  const options = optionsOf(ctx);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([server, party, authenticationOf(server, secret), answered, client.redirectUri, verifier, options] as const),
  );
  const checks = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, party, response, checks);
  // By its keys too, and not only by the connection that it came on.
  await oauth.validateApplicationLevelSignature(server, response, options);
  const { sub, email, email_verified: isVerified } = oauth.getValidatedIdTokenClaims(tokens)!;
  if (sub === "" || sub.length > SUBJECT_CHARACTERS_MAX) throw new Error("The account has no name that can be kept.");
  const address = isVerified === true ? Email.safeParse(email).data : undefined;
  return { issuer: client.issuer, subject: sub, email: address ?? null };
}

function authenticationOf(server: oauth.AuthorizationServer, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported;
  const isByPost = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isByPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}
