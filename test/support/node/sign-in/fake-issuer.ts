// Identity providers on this machine, by OpenID Connect over real HTTP, with real RS256, and a resolver of DNS over
// HTTPS. A test names an issuer of its own, and says whom it signs in and what it does wrong. The server is Cloudflare
// Access as well, and signs what it is sent.

import { createHash, createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `claims`: of the ID token, beside or instead of its own. `document`: of the discovery, likewise. */
type Behaviour = {
  claims?: Record<string, unknown>;
  document?: Record<string, unknown>;
  secret?: string;
  /** What is wrong with the token, its keys, or the way to them. */
  fault?: "foreign_key" | "no_signature" | "hmac" | "redirected" | "endless" | "none";
};
type Grant = { nonce: string; challenge: string; clientId: string; redirectUri: string };
/** What Access signs; the fault is as an issuer's. */
type Assertion = { claims: Record<string, unknown>; keyId?: string; fault?: Behaviour["fault"] };
type Issuer = Behaviour & { url: string; grants: Map<string, Grant>; requests: string[] };

const KEYS = {
  own: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  foreign: generateKeyPairSync("rsa", { modulusLength: 2048 }),
};
const PUBLIC_KEYS = [{ ...KEYS.own.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }];
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

export async function startFakeIssuer(): Promise<{ url: string; stop(): void }> {
  const issuers = new Map<string, Issuer>();
  const texts = new Map<string, string[]>();
  let base = "";
  let certsAsked = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", base);
    const [, kind = "", id = "", ...rest] = url.pathname.split("/");
    const body = await readBody(request);
    if (kind === "dns-query") return answerDns(response, texts, url.searchParams.get("name") ?? "");
    if (kind === "dns") return json(response, texts.set(id, JSON.parse(body) as string[]).size);
    if (url.pathname === "/cdn-cgi/access/certs") return json(response, { keys: PUBLIC_KEYS, asked: ++certsAsked });
    if (kind === "assertion")
      return json(response, { text: assertionOf(base, JSON.parse(body) as Assertion), certsAsked });
    const made = { url: `${base}/issuer/${id}`, grants: new Map<string, Grant>(), requests: [] as string[] };
    const issuer: Issuer = issuers.get(id) ?? made;
    issuers.set(id, issuer);
    if (kind === "control") {
      Object.assign(issuer, JSON.parse(body || "{}"));
      return json(response, { url: issuer.url, requests: issuer.requests });
    }
    issuer.requests.push(rest.join("/"));
    const answer = ANSWERS[rest.join("/")];
    return answer ? answer({ issuer, url, request, body }, response) : json(response, {}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type IssuerRequest = { issuer: Issuer; url: URL; request: IncomingMessage; body: string };

const ANSWERS: Record<string, (asked: IssuerRequest, response: ServerResponse) => void> = {
  ".well-known/openid-configuration": ({ issuer }, response) => {
    if (issuer.fault === "redirected")
      return void response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end();
    if (issuer.fault === "endless") return void response.end("x".repeat(2 * 1024 * 1024));
    json(response, {
      ...{
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
      },
      ...{ jwks_uri: `${issuer.url}/keys`, authorization_response_iss_parameter_supported: true },
      ...{ id_token_signing_alg_values_supported: ["RS256"], response_types_supported: ["code"] },
      ...issuer.document,
    });
  },

  authorize: ({ issuer, url: { searchParams } }, response) => {
    const asked = (name: string): string => searchParams.get(name) ?? "";
    const code = randomUUID();
    const [clientId, redirectUri] = [asked("client_id"), asked("redirect_uri")];
    issuer.grants.set(code, { nonce: asked("nonce"), challenge: asked("code_challenge"), clientId, redirectUri });
    const back = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, state: asked("state"), iss: issuer.url }))
      back.searchParams.set(name, value);
    response.writeHead(302, { location: back.toString() }).end();
  },

  token: ({ issuer, request, body }, response) => {
    const form = new URLSearchParams(body);
    const code = form.get("code") ?? "";
    const grant = issuer.grants.get(code);
    // A code is good once, and for whoever has begun it.
    issuer.grants.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isGood = grant?.challenge === challenge && grant.redirectUri === form.get("redirect_uri");
    if (!grant || !isGood) return void json(response, { error: "invalid_grant" }, 400);
    const basic = `Basic ${Buffer.from(`${grant.clientId}:${issuer.secret}`).toString("base64")}`;
    if (issuer.secret !== undefined && request.headers.authorization !== basic)
      return void json(response, { error: "invalid_client" }, 401);
    json(response, {
      access_token: randomUUID(),
      token_type: "Bearer",
      expires_in: 300,
      id_token: idToken(issuer, grant),
    });
  },

  keys: (_, response) => void json(response, { keys: PUBLIC_KEYS }),
};

function idToken({ url, claims, fault }: Issuer, { nonce, clientId }: Grant): string {
  const now = Math.floor(Date.now() / 1_000);
  const own = { iss: url, aud: clientId, sub: "subject", nonce, iat: now, exp: now + 300 };
  return tokenOf({ ...own, ...claims }, fault);
}

function assertionOf(base: string, { claims, keyId, fault }: Assertion): string {
  const now = Math.floor(Date.now() / 1_000);
  const own = { iss: base, aud: ["fjord-access"], type: "app", sub: "subject", iat: now, nbf: now, exp: now + 300 };
  return tokenOf({ ...own, ...claims }, fault, keyId);
}

/** With the public key for a secret where the fault is that: whoever takes it for one is taken in. */
function tokenOf(claims: object, fault: Behaviour["fault"], keyId = "one"): string {
  const alg = fault === "no_signature" ? "none" : fault === "hmac" ? "HS256" : "RS256";
  const text = `${base64url({ alg, kid: keyId, typ: "JWT" })}.${base64url(claims)}`;
  const signed = (key: KeyObject): string => sign("sha256", Buffer.from(text), key).toString("base64url");
  if (fault === "hmac") {
    const secret = KEYS.own.publicKey.export({ format: "pem", type: "spki" });
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  }
  const signature =
    fault === "no_signature" ? "" : signed(KEYS[fault === "foreign_key" ? "foreign" : "own"].privateKey);
  return `${text}.${signature}`;
}

function answerDns(response: ServerResponse, texts: Map<string, string[]>, name: string): void {
  const found = texts.get(name);
  const answers = (found ?? []).map((data) => ({ name, type: 16, TTL: 60, data }));
  json(response, { Status: found ? 0 : 3, ...(found && { Answer: answers }) });
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
  return text;
}
