// Signing in as a page of the platform does, and asking in the session that comes of it.

import { expect } from "vitest";
import { call, type Answer, type Call } from "../http.ts";

/** What a browser says of a request of the platform's own pages. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin" };

/** The cookie of an answer, as a browser sends it back. */
export const cookieOf = ({ headers }: Pick<Answer, "headers">): string => headers.get("set-cookie")!.split(";")[0]!;

/** Each browser is somewhere else, unless it says where: attempts of one place are bounded. */
export const somewhere = () => ({
  "cf-connecting-ip": `2001:db8:${crypto.randomUUID().slice(9, 18).replace("-", ":")}::1`,
});

export const postSession = (body: unknown, headers: Record<string, string> = OWN_PAGE): Promise<Answer> =>
  call("POST", "/v4/session", { body, headers: { ...somewhere(), ...headers } });

/** The headers of a request that comes in a new session of this proof. */
export async function signIn(proof: unknown): Promise<Record<string, string>> {
  const answer = await postSession(proof);
  expect(answer.status).toBe(200);
  return { ...OWN_PAGE, cookie: cookieOf(answer) };
}

/** Sends what {@link call} sends, in a session. */
export const callIn = (session: Record<string, string>, method: string, path: string, options: Call = {}) =>
  call(method, path, { ...options, headers: { ...session, ...options.headers } });
