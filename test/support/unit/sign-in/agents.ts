// An agent's program as OAuth knows it: its document, what it asks with, and the tokens that it fetches.

import { exports } from "cloudflare:workers";
import { vi } from "vitest";
import { toBase64url } from "../../../../src/core/encoding.ts";
import { sha256 } from "../../../../src/platform/crypto/digest.ts";
import type { Answer } from "../http.ts";
import { callIn } from "./session.ts";

export type Session = Record<string, string>;

export const REDIRECT = "http://127.0.0.1:33418/callback";
export const VERIFIER = "a-verifier-that-nobody-else-knows-0123456789-abcdef";

/** A program whose document is at an address of its own, for as long as `fetch` is the one that is set here. */
export function newClient(changes: Record<string, unknown> = {}) {
  const id = `https://${crypto.randomUUID()}.example.com/client.json`;
  const document = { client_id: id, client_name: "Chat", redirect_uris: [REDIRECT, "https://chat.example.com/back"] };
  return { id, document: { ...document, ...changes } };
}
export type TestClient = ReturnType<typeof newClient>;

/** Has the documents' addresses answer; gives what was asked for. */
export function serveDocuments(answers: Record<string, () => Response>): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
    asked.push(String(url));
    return answers[String(url)]?.() ?? new Response("Not found", { status: 404 });
  });
  return asked;
}

export const serve = (client: TestClient): string[] =>
  serveDocuments({ [client.id]: () => Response.json(client.document) });

/** The request with which a program sends a person to the page. */
export const requestOf = async ({ id }: TestClient, changes: Record<string, string> = {}) => ({
  ...{ client_id: id, redirect_uri: REDIRECT, response_type: "code", state: "st", scope: "query catalog:read" },
  ...{ code_challenge: toBase64url(await sha256(VERIFIER)), code_challenge_method: "S256" },
  resource: "https://fjord.test/mcp",
  ...changes,
});

export const preview = async (session: Session, client: TestClient, changes: Record<string, string> = {}) =>
  callIn(session, "POST", "/v4/agent-authorizations/preview", { body: await requestOf(client, changes) });

export const give = async (
  session: Session,
  client: TestClient,
  { scopes = ["query"], ...changes }: Record<string, string> & { scopes?: string[] } = {} as never,
): Promise<Answer> =>
  callIn(session, "POST", "/v4/agent-authorizations", { body: { request: await requestOf(client, changes), scopes } });

/** The code of an answer that let the program act. */
export const codeOf = ({ body }: Answer): string => new URL(body.data.redirect_url).searchParams.get("code")!;

type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number };

/** Posts a form as programs do; answers the status and the document. */
export async function postForm(path: string, form: Record<string, string>) {
  const request = new Request(`https://fjord.test${path}`, { method: "POST", body: new URLSearchParams(form) });
  const response = await exports.default.fetch(request);
  const text = await response.text();
  const body = (text === "" ? {} : JSON.parse(text)) as Tokens & { error?: string };
  return { status: response.status, headers: response.headers, body };
}

export const exchange = ({ id }: TestClient, code: string, changes: Record<string, string> = {}) =>
  postForm("/oauth/token", {
    ...{ grant_type: "authorization_code", client_id: id, redirect_uri: REDIRECT, code_verifier: VERIFIER, code },
    ...changes,
  });

export const refresh = ({ id }: TestClient, refreshToken: string, changes: Record<string, string> = {}) =>
  postForm("/oauth/token", { grant_type: "refresh_token", client_id: id, refresh_token: refreshToken, ...changes });
