// The keys by which Cloudflare Access signs its assertions, kept for a while: they change every few weeks.

import { isObject } from "../../../../kernel/text/is-object.ts";
import type { Needs } from "../../../clients/context.ts";

const KEPT_MS = 3_600_000;
/** A name that is not known may be of a new key, and is looked for again, but not for each assertion. */
const ASKED_AGAIN_MS = 60_000;
const KEYS_MAX = 20;
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

type Keys = ReadonlyMap<string, CryptoKey>;
const kept = new Map<string, { keys: Keys; readAt: number }>();

/** Forgets them, as a new isolate would have. */
export const forgetSigningKeys = (): void => kept.clear();

/** The key of this name; undefined where the issuer has none. Rejects where the issuer does not answer. */
export async function findSigningKey(
  ctx: Needs<"fetchPublic">,
  issuer: string,
  { keyId, now }: { keyId: string; now: Date },
): Promise<CryptoKey | undefined> {
  const known = kept.get(issuer);
  const ageMs = known ? now.getTime() - known.readAt : Infinity;
  if (known && ageMs < (known.keys.has(keyId) ? KEPT_MS : ASKED_AGAIN_MS)) return known.keys.get(keyId);
  const keys = await readKeys(ctx, issuer);
  kept.set(issuer, { keys, readAt: now.getTime() });
  return keys.get(keyId);
}

async function readKeys({ fetchPublic }: Needs<"fetchPublic">, issuer: string): Promise<Keys> {
  const headers = { accept: "application/json" };
  const response = await fetchPublic(`${issuer}/cdn-cgi/access/certs`, { method: "GET", headers });
  if (!response.ok) throw new Error(`It answers ${response.status}.`);
  const document: unknown = await response.json();
  const listed = isObject(document) && Array.isArray(document["keys"]) ? (document["keys"] as unknown[]) : [];
  const keys = await Promise.all(listed.slice(0, KEYS_MAX).map(importKey));
  return new Map(keys.flatMap((key) => key ?? []));
}

/** What is no key for RS256 signs nothing. */
async function importKey(jwk: unknown): Promise<[[string, CryptoKey]] | undefined> {
  if (!isObject(jwk)) return undefined;
  const { kid, kty, n, e } = jwk;
  if (kty !== "RSA" || typeof kid !== "string" || typeof n !== "string" || typeof e !== "string") return undefined;
  return [[kid, await crypto.subtle.importKey("jwk", { kty, n, e }, ALGORITHM, false, ["verify"])]];
}
