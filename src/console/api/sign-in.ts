// Signing in and out: a credential is exchanged for the session's cookie, which no script can read.

import { api, dataOf } from "./client.ts";

export type Credential = { link: string } | { api_key: string };

/** Throws `ApiProblem`: `auth_invalid_token` for a credential that is not valid, or no longer. */
export const signIn = (credential: Credential) => dataOf(api.POST("/v4/session", { body: credential }));

export const signOut = async (): Promise<void> => void (await api.DELETE("/v4/session"));

/** The answer is the same whoever's the address is. */
export const mailLink = (email: string) => dataOf(api.POST("/v4/session/links", { body: { email } }));

/** The ways to sign in that are set up. */
export const findWays = () => dataOf(api.GET("/v4/session/ways"));
