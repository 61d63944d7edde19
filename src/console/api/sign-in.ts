// Signing in and out: a credential is exchanged for the session's cookie, which no script can read.

import { request } from "./client.ts";

export type Credential = { link: string } | { api_key: string };
/** The ways to sign in that are set up. */
export type Ways = { api_key: boolean; link: boolean; passkey: boolean; access: boolean };

const JSON_HEADERS = { "Content-Type": "application/json" };
const PATH = "/v4/session";

const post = (path: string, body: object): Promise<Response> =>
  request(path, { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(body) });

/** Throws `ApiProblem`: `auth_invalid_token` for a credential that is not valid, or no longer. */
export const signIn = async (credential: Credential): Promise<void> => void (await post(PATH, credential));

export const signOut = async (): Promise<void> => void (await request(PATH, { method: "DELETE" }));

/** The answer is the same whoever's the address is. */
export const mailLink = async (email: string): Promise<void> => void (await post(`${PATH}/links`, { email }));

export async function findWays(): Promise<Ways> {
  const { data } = (await (await request(`${PATH}/ways`)).json()) as { data: Ways };
  return data;
}
