// An assertion of Cloudflare Access says, in a header of every request that came through it, who has signed in there.

import { parseJsonWebToken, type JsonWebToken } from "../../../core/json-web-token.ts";
import { Email } from "../../../http/request/email.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AccessSettings } from "../../../platform/settings.ts";
import { findSigningKey } from "./signing-keys.ts";

const HEADER = "cf-access-jwt-assertion";
const CHARACTERS_MAX = 8_192;
/** Clocks may differ by so much. */
const SKEW_SECONDS = 60;

export const bringsAssertion = ({ headers }: Request): boolean => headers.has(HEADER);

/**
 * The address of whoever signed in at Access, in lower case. Undefined for an assertion that is absent, not of this
 * application, over, or not signed by its issuer, and for one of a program. Rejects where the issuer's keys are away.
 */
export async function readAssertion(
  ctx: Needs<"fetchPublic">,
  access: AccessSettings,
  { request, now }: { request: Request; now: Date },
): Promise<string | undefined> {
  const text = request.headers.get(HEADER) ?? "";
  const token = parseJsonWebToken(text, { algorithm: "RS256", charactersMax: CHARACTERS_MAX });
  // What is not of this application asks the issuer for nothing.
  if (!token || !isMeant(token.claims, access, now)) return undefined;
  const keyId = token.header["kid"];
  const key = typeof keyId === "string" && (await findSigningKey(ctx, access.issuer, { keyId, now }));
  if (!key || !(await isSigned(token, key))) return undefined;
  return Email.safeParse(token.claims["email"]).data;
}

function isMeant(
  { iss, aud, exp, nbf = 0, iat = 0 }: Record<string, unknown>,
  { issuer, audience }: AccessSettings,
  now: Date,
): boolean {
  const seconds = now.getTime() / 1_000;
  const hasBegun = (at: unknown): boolean => typeof at === "number" && at <= seconds + SKEW_SECONDS;
  const isForUs = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
  return iss === issuer && isForUs && typeof exp === "number" && exp > seconds && hasBegun(nbf) && hasBegun(iat);
}

const isSigned = ({ signedText, signature }: JsonWebToken, key: CryptoKey): Promise<boolean> =>
  crypto.subtle.verify(key.algorithm.name, key, signature, new TextEncoder().encode(signedText));
