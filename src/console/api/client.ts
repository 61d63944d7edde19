// The one way to the API: typed by its own document, with the session's cookie, and failures as `FjordProblem`.

import createClient from "openapi-fetch";
import { problemOf, type FjordProblem } from "./problem.ts";
import type { paths } from "./schema.d.ts";
import { announceSignedOut } from "./session.ts";

const UNAUTHENTICATED = 401;
const SIGN_IN_PATH = "/v4/session";

const client = createClient<paths>({ baseUrl: location.origin, credentials: "same-origin" });
client.use({
  async onResponse({ response }) {
    if (response.ok) return;
    throw await failureOf(response);
  },
});

export const api = client;

/** The body of an answer. openapi-fetch types it as possibly absent, which it never is where nothing was thrown. */
export async function bodyOf<Body>(answer: Promise<{ data?: Body }>): Promise<Body> {
  return (await answer).data as Body;
}

/** The `data` of an answer of version 4. */
export async function dataOf<Data>(answer: Promise<{ data?: { data: Data } }>): Promise<Data> {
  return (await bodyOf(answer)).data;
}

/** A request that openapi-fetch has no types for: a stream, or a file. Throws `FjordProblem`. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { credentials: "same-origin", ...init });
  if (response.ok) return response;
  throw await failureOf(response);
}

/** A credential that is refused, or a sign-in that nobody has begun, ends no session. */
async function failureOf(response: Response): Promise<FjordProblem> {
  const isSigningIn = new URL(response.url).pathname.startsWith(SIGN_IN_PATH);
  if (response.status === UNAUTHENTICATED && !isSigningIn) announceSignedOut();
  return problemOf(response);
}
