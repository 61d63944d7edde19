// A browser's way to a team's identity provider and back to the callback. The tab keeps why it went, and from where.

import { api, dataOf } from "../client.ts";
import { FjordProblem } from "../problem.ts";

/** `path` is where it was, below /app, with its query. */
type Trip = { purpose: "sign_in" | "bind"; path: string };

const KEY = "fjord-trip";
const BASE = "/app";
const CALLBACK = "/sign-in/callback";

export const isCallback = (path: string): boolean => path === CALLBACK;

/** The providers by which people of the address's domain sign in. */
export const findProviders = async (email: string) =>
  (await dataOf(api.POST("/v4/session/ways", { body: { email } }))).providers;

export const PROVIDER_KEY = ["identity-provider"];

/** The team's, of whoever is signed in. */
export const findProvider = () => dataOf(api.GET("/v4/team/identity-provider"));

/** The address at the provider that signs in. */
export const beginAtProvider = async (providerId: string): Promise<URL> =>
  new URL((await dataOf(api.POST("/v4/session/oidc", { body: { provider_id: providerId } }))).url);

/** Leaves the page for such an address. */
export const signInAt = (url: URL): void => leave(url.href, "sign_in");

/** Leaves the page, to bind one's own account at the team's provider. */
export async function bindAtProvider(): Promise<void> {
  const { url } = await dataOf(api.POST("/v4/identities/oidc", {}));
  leave(url, "bind");
}

function leave(url: string, purpose: Trip["purpose"]): void {
  const trip: Trip = { purpose, path: location.pathname.slice(BASE.length) + location.search };
  sessionStorage.setItem(KEY, JSON.stringify(trip));
  location.assign(url);
}

export type Return = Trip & { parameters: string };

/** Takes what the provider has sent out of the address, so that no history keeps it. */
export function takeReturn(): Return {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const trip: Trip = kept === null ? { purpose: "sign_in", path: "/" } : (JSON.parse(kept) as Trip);
  const parameters = location.search.slice(1);
  history.replaceState(history.state, "", location.pathname);
  return { ...trip, parameters };
}

/** Ends the way: signed in, or with the account bound. Throws `FjordProblem`, also where the provider has refused. */
export async function endReturn({ purpose, parameters }: Return): Promise<void> {
  const refusal = new URLSearchParams(parameters).get("error");
  if (refusal !== null) throw refusedThere(refusal);
  if (purpose === "bind") await dataOf(api.POST("/v4/identities", { body: { parameters } }));
  else await dataOf(api.POST("/v4/session", { body: { oidc: { parameters } } }));
}

/** OAuth's codes are words; what else stands in the address may be anybody's text, and is not shown. */
function refusedThere(refusal: string): FjordProblem {
  const code = /^[a-z_]{1,40}$/.test(refusal) ? refusal : "refused";
  return new FjordProblem(0, { message: refusal === "access_denied" ? DENIED : FAILED, error: { code } });
}

const DENIED = "Your organisation's sign-in let nobody in: it refused, or you went back there.";
const FAILED = "Your organisation's sign-in could not be finished there. Try again, or ask who runs it.";
