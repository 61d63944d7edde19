// The tokens that a publication's callers are handed: JSON Web Tokens (RFC 7519), signed with HS256 alone.

import { isObject } from "../../../../kernel/text/is-object.ts";
import { fromBase64url } from "../../../core/encoding.ts";
import { PUBLICATION_LIMITS } from "../limits.ts";

/**
 * `sub` is the publication's id, `exp` in seconds since 1970; `parameters`, and `filters` of a dashboard, are bound, and
 * not the caller's to send.
 */
export type TokenClaims = { parameters: Record<string, unknown>; filters: Record<string, unknown> };

type Expected = { secrets: readonly string[]; publicationId: string; audience: string; now: Date };

/** The claims of a token that is signed with one of the secrets, and good here and now; undefined for any other. */
export async function readToken(
  text: string,
  { secrets, publicationId, audience, now }: Expected,
): Promise<TokenClaims | undefined> {
  const [header = "", payload = "", signature = "", ...more] =
    text.length > PUBLICATION_LIMITS.tokenCharactersMax ? [] : text.split(".");
  const bytes = /^[\w-]+$/.test(signature) ? fromBase64url(signature) : undefined;
  if (!bytes || more.length > 0 || !isHs256(objectOf(header))) return undefined;
  if (!(await isSigned(`${header}.${payload}`, bytes, secrets))) return undefined;
  const claims = objectOf(payload);
  if (!claims || claims["sub"] !== publicationId || claims["aud"] !== audience) return undefined;
  const { exp, nbf, parameters = {}, filters = {} } = claims;
  const seconds = now.getTime() / 1_000;
  if (typeof exp !== "number" || exp <= seconds || exp > seconds + PUBLICATION_LIMITS.tokenSecondsMax) return undefined;
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= seconds)) return undefined;
  return isObject(parameters) && isObject(filters) ? { parameters, filters } : undefined;
}

/** A header that asks for more than is understood here asks in vain. */
const isHs256 = (header: Record<string, unknown> | undefined): boolean =>
  header !== undefined && header["alg"] === "HS256" && !("crit" in header);

async function isSigned(
  text: string,
  signature: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  const encoder = new TextEncoder();
  const verified = await Promise.all(
    secrets.map(async (secret) => {
      const algorithm = { name: "HMAC", hash: "SHA-256" };
      const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
      return crypto.subtle.verify("HMAC", key, signature, encoder.encode(text));
    }),
  );
  return verified.includes(true);
}

function objectOf(part: string): Record<string, unknown> | undefined {
  try {
    const bytes = /^[\w-]+$/.test(part) ? fromBase64url(part) : undefined;
    const value: unknown =
      bytes && JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
