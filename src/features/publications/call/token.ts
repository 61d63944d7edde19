// The tokens that a publication's callers are handed: JSON Web Tokens (RFC 7519), signed with HS256 alone.

import { isObject } from "../../../../kernel/text/is-object.ts";
import { parseJsonWebToken, type JsonWebToken } from "../../../core/json-web-token.ts";
import { PUBLICATION_LIMITS } from "../limits.ts";

/**
 * `sub` is the publication's id, `exp` in seconds since 1970; `parameters`, and `filters` of a dashboard, are bound,
 * and not the caller's to send.
 */
export type TokenClaims = { parameters: Record<string, unknown>; filters: Record<string, unknown> };

type Expected = { secrets: readonly string[]; publicationId: string; audience: string; now: Date };

/** The claims of a token that is signed with one of the secrets, and good here and now; undefined for any other. */
export async function readToken(
  text: string,
  { secrets, publicationId, audience, now }: Expected,
): Promise<TokenClaims | undefined> {
  const charactersMax = PUBLICATION_LIMITS.tokenCharactersMax;
  const token = parseJsonWebToken(text, { algorithm: "HS256", charactersMax });
  if (!token || !(await isSigned(token, secrets))) return undefined;
  const { claims } = token;
  if (claims["sub"] !== publicationId || claims["aud"] !== audience) return undefined;
  const { exp, nbf, parameters = {}, filters = {} } = claims;
  const seconds = now.getTime() / 1_000;
  if (typeof exp !== "number" || exp <= seconds || exp > seconds + PUBLICATION_LIMITS.tokenSecondsMax) return undefined;
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= seconds)) return undefined;
  return isObject(parameters) && isObject(filters) ? { parameters, filters } : undefined;
}

async function isSigned({ signedText, signature }: JsonWebToken, secrets: readonly string[]): Promise<boolean> {
  const encoder = new TextEncoder();
  const verified = await Promise.all(
    secrets.map(async (secret) => {
      const algorithm = { name: "HMAC", hash: "SHA-256" };
      const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
      return crypto.subtle.verify("HMAC", key, signature, encoder.encode(signedText));
    }),
  );
  return verified.includes(true);
}
