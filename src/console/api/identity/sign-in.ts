// Signing in and out: a credential is exchanged for the session's cookie, which no script can read.

import { api, dataOf } from "../client.ts";

export type Credential = { link: string } | { api_key: string };

const SIGNED_OUT = "fjord-signed-out";

/** Throws `FjordProblem`: `auth_invalid_token` for a credential that is not valid, or no longer. */
export const signIn = (credential: Credential) => dataOf(api.POST("/v4/session", { body: credential }));

/** Whom the credential would sign in; a link stays unused. Throws as {@link signIn} does. */
export const previewSignIn = (credential: Credential) => dataOf(api.POST("/v4/session/preview", { body: credential }));

/** By what Cloudflare Access says of this browser; answers a choice where users of several teams have the address. */
export const signInByAccess = (teamId?: string) =>
  dataOf(api.POST("/v4/session", { body: { access: true, ...(teamId !== undefined && { team_id: teamId }) } }));

export async function signOut(): Promise<void> {
  await api.DELETE("/v4/session");
  sessionStorage.setItem(SIGNED_OUT, "yes");
}

/** Whether this tab has signed out: then nobody is signed in again without being asked. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(SIGNED_OUT) !== null;

/** The answer is the same whoever's the address is. */
export const mailLink = (email: string) => dataOf(api.POST("/v4/session/links", { body: { email } }));

/** The ways to sign in that are set up. */
export const findWays = () => dataOf(api.GET("/v4/session/ways"));
