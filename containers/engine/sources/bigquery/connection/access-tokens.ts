// Access tokens of Google's OAuth service for a service account: a claim signed with its key is exchanged for each.

import { sign } from "node:crypto";
import { z } from "zod";
import { TOKEN_URL, type ServiceAccount } from "./service-account.ts";
import { GoogleError, parseJson, protocolViolation, readErrorBody } from "./errors.ts";
import type { GoogleHost } from "./google-host.ts";

/** Reading and running jobs; what the account may do is its roles' to say. */
const SCOPE = "https://www.googleapis.com/auth/bigquery";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const CLAIM_SECONDS = 3_600;
/** A token is renewed this long before it ends, so that none ends on its way. */
const MARGIN_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;

const TokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().max(86_400),
});

type Token = { text: string; endsAt: number };

export class AccessTokens {
  readonly #account: ServiceAccount;
  readonly #host: GoogleHost;
  #token: Token | undefined;

  constructor(account: ServiceAccount, host: GoogleHost) {
    this.#account = account;
    this.#host = host;
  }

  /** One that holds for some time yet; `refused` is one that the service no longer takes. */
  async get(signal: AbortSignal, refused?: string): Promise<string> {
    const token = this.#token;
    if (token && token.text !== refused && token.endsAt - MARGIN_MS > Date.now()) return token.text;
    return (this.#token = await this.#exchange(signal)).text;
  }

  /** Rejects with a GoogleError where the account, or its key, is not taken. */
  async #exchange(signal: AbortSignal): Promise<Token> {
    const askedAt = Date.now();
    const { status, body } = await this.#host.send({
      method: "POST",
      path: new URL(TOKEN_URL).pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: GRANT, assertion: signedClaim(this.#account, askedAt) }).toString(),
      signal,
      bytesMax: ANSWER_BYTES_MAX,
    });
    if (status !== 200) throw readErrorBody(status, body);
    const answer = TokenAnswer.safeParse(parseJson(body));
    if (!answer.success) return protocolViolation("its answer to the login is no access token");
    return { text: answer.data.access_token, endsAt: askedAt + answer.data.expires_in * 1_000 };
  }
}

/** A JWT, by RFC 7519 and Google's pages on service accounts. */
function signedClaim({ clientEmail, privateKey, privateKeyId }: ServiceAccount, now: number): string {
  const iat = Math.floor(now / 1_000);
  const header = { alg: "RS256", typ: "JWT", ...(privateKeyId === undefined ? {} : { kid: privateKeyId }) };
  const claim = { iss: clientEmail, scope: SCOPE, aud: TOKEN_URL, iat, exp: iat + CLAIM_SECONDS };
  const signed = [header, claim].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

export const isTokenRefused = (error: unknown): boolean => error instanceof GoogleError && error.status === 401;
