// Google's OAuth service for one service account: a claim that its key signed is exchanged for an access token.

import { generateKeyPairSync, randomUUID, verify } from "node:crypto";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const TOKEN_URI = "https://oauth2.googleapis.com/token";

export const CLIENT_EMAIL = "reader@shop-analytics.iam.gserviceaccount.com";
export const PROJECT = "shop-analytics";

/** A service account's key file as Google makes it. */
export const KEY_FILE = {
  type: "service_account",
  project_id: PROJECT,
  private_key_id: "0123456789abcdef0123456789abcdef01234567",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  client_email: CLIENT_EMAIL,
  client_id: "123456789012345678901",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  token_uri: TOKEN_URI,
  auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
  client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${encodeURIComponent(CLIENT_EMAIL)}`,
  universe_domain: "googleapis.com",
};

export type TokenAnswer = { status: number; body: object };

export class FakeTokens {
  /** All that were given out; those that still hold. */
  readonly given: string[] = [];
  readonly #valid = new Set<string>();
  lifeSeconds = 3_600;

  exchange(form: string): TokenAnswer {
    const params = new URLSearchParams(form);
    const flaw = flawOf(params.get("grant_type"), params.get("assertion") ?? "");
    if (flaw !== undefined) return { status: 400, body: { error: "invalid_grant", error_description: flaw } };
    const token = `ya29.${randomUUID()}`;
    this.given.push(token);
    this.#valid.add(token);
    return { status: 200, body: { access_token: token, expires_in: this.lifeSeconds, token_type: "Bearer" } };
  }

  isValid(authorization: string | undefined): boolean {
    return this.#valid.has(authorization?.replace(/^Bearer /, "") ?? "");
  }

  /** From now on no token that was given out holds. */
  expireAll(): void {
    this.#valid.clear();
  }
}

type Claim = { iss: string; aud: string; iat: number; exp: number; scope: string };

function flawOf(grant: string | null, assertion: string): string | undefined {
  if (grant !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return "Not a grant type for service accounts.";
  const [header = "", claim = "", signature = "", ...rest] = assertion.split(".");
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${claim}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned || rest.length > 0) return "Invalid JWT Signature.";
  const { iss, aud, iat, exp, scope } = JSON.parse(Buffer.from(claim, "base64url").toString()) as Claim;
  const now = Date.now() / 1_000;
  if (iss !== CLIENT_EMAIL) return "Invalid grant: account not found";
  if (aud !== TOKEN_URI) return "Invalid JWT: failed audience check.";
  if (!(Math.abs(iat - now) < 300 && exp > now && exp - iat <= 3_600)) return "Invalid JWT: its time is not near.";
  return scope.split(" ").includes("https://www.googleapis.com/auth/bigquery") ? undefined : "invalid_scope";
}
