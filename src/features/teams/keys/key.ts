// The noun: an API key, `<user_id>-<suffix>`. The suffix is known to its holder alone; we keep its hash.

import { z } from "@hono/zod-openapi";
import { isUuid, newId } from "../../../core/ids.ts";
import { TEAM_LIMITS } from "../limits.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import { RIGHTS, type Right, type Scope } from "../../../core/scope.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { Name } from "../team.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";

const Scopes = z
  .array(z.enum(RIGHTS))
  .min(1)
  .refine((scopes) => new Set(scopes).size === scopes.length, "Name each right once.");

export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    hint: z.string().openapi({ description: "The key's last four characters." }),
    scopes: z
      .array(z.enum(RIGHTS))
      .nullable()
      .openapi({ description: "What it may use of its user's rights; null: all of them." }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When it was last used, to about a minute; null: never yet." }),
    successor_id: z.uuid().nullable().openapi({ description: "The key that was made instead of it." }),
  })
  .openapi("ApiKey");
export type ApiKey = z.infer<typeof ApiKey>;

export const MintedKey = ApiKey.extend({
  key: z.string().openapi({ description: "The key itself. It is shown this once." }),
}).openapi("MintedKey");
export type MintedKey = z.infer<typeof MintedKey>;

export const RotatedKey = MintedKey.extend({
  replaces: ApiKey.openapi({ description: "The key before, which works until `expires_at`." }),
}).openapi("RotatedKey");
export type RotatedKey = z.infer<typeof RotatedKey>;

const KeyScopes = Scopes.nullable()
  .default(null)
  .openapi({ description: "What it may use of its user's rights. Absent: all of them, as they are each time." });
const ExpiresAt = z.iso.datetime({ offset: true }).nullable();

export const NewKey = z
  .strictObject({ name: Name, expires_at: ExpiresAt.default(null), scopes: KeyScopes })
  .openapi("NewKey", { example: { name: "Dashboards", expires_at: null, scopes: ["query", "catalog:read"] } });
export type NewKey = z.infer<typeof NewKey>;

export const NewOwnKey = z
  .strictObject({ name: Name, expires_at: z.iso.datetime({ offset: true }), scopes: KeyScopes })
  .openapi("NewOwnKey", {
    example: { name: "fjord on Ada's laptop", expires_at: "2026-03-01T00:00:00Z", scopes: ["query", "catalog:read"] },
  });
export type NewOwnKey = z.infer<typeof NewOwnKey>;

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(TEAM_LIMITS.keyOverlapSecondsMax)
      .openapi({ description: "For how long the key that is there goes on working. 0: it ends now." }),
    expires_at: ExpiresAt.optional().openapi({ description: "Of the new key. Absent: that of the one before." }),
  })
  .openapi("KeyRotation", { example: { overlap_seconds: 3600 } });
export type KeyRotation = z.infer<typeof KeyRotation>;

/** Throws 422 for an end that has passed. */
export function requireFuture(expiresAt: string | null, now: Date): void {
  if (expiresAt === null || Date.parse(expiresAt) > now.getTime()) return;
  throw invalidAt("/expires_at", "Send an instant in the future.", "One or more fields are not valid.");
}

/** Throws 403 where a key with scopes would make one that may more than itself. */
export function requireNoWider({ scopes }: Pick<Scope, "scopes">, wanted: readonly Right[] | null): void {
  if (scopes === undefined || wanted?.every((right) => scopes.includes(right))) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    `A key with scopes makes only keys whose scopes are among its own: ${scopes.join(", ")}.`,
  );
}

/** The audit log's facts of a key. */
export const auditedKey = (userId: string, { name, hint, scopes, expires_at }: ApiKey): AuditFacts => ({
  user_id: userId,
  name,
  hint,
  scopes,
  expires_at,
});

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 32 characters of 62: 190 bits, so that a fast unsalted hash is enough. */
const SUFFIX_CHARACTERS = 32;
const HINT_CHARACTERS = 4;

/** `scopes` absent: all that its user may. */
export type KeyTerms = Pick<NewKey, "name" | "expires_at"> & Partial<Pick<NewKey, "scopes">>;

/** Makes a key, and the row that is stored of it. */
export async function mintKey(
  now: Date,
  userId: string,
  { name, expires_at, scopes }: KeyTerms,
): Promise<{ minted: MintedKey; suffixHash: string }> {
  const { suffix, suffixHash } = await mintSuffix();
  const minted: MintedKey = {
    id: newId(now),
    name,
    hint: suffix.slice(-HINT_CHARACTERS),
    // One order, so that equal scopes are equal lists.
    scopes: scopes ? RIGHTS.filter((right) => scopes.includes(right)) : null,
    created_at: now.toISOString(),
    // One spelling of the instant, so that stored text compares in the order of time.
    expires_at: expires_at && new Date(expires_at).toISOString(),
    last_used_at: null,
    successor_id: null,
    key: `${userId}-${suffix}`,
  };
  return { minted, suffixHash };
}

/** The secret part of any key, and what is stored of it. */
export async function mintSuffix(): Promise<{ suffix: string; suffixHash: string }> {
  const suffix = randomText(SUFFIX_CHARACTERS);
  return { suffix, suffixHash: await hashSuffix(suffix) };
}

/** A user id has dashes too: the last one parts it from the suffix. Anything that is no key's shape is undefined. */
export function parseKey(key: string): { userId: string; suffix: string } | undefined {
  const at = key.length - SUFFIX_CHARACTERS - 1;
  const [userId, suffix] = [key.slice(0, at).toLowerCase(), key.slice(at + 1)];
  return key[at] === "-" && isUuid(userId) && /^[A-Za-z0-9]+$/.test(suffix) ? { userId, suffix } : undefined;
}

/** SHA-256, in hex. */
export const hashSuffix = (suffix: string): Promise<string> => sha256Hex(suffix);

/** Bytes past the alphabet's last whole multiple are thrown away, so that every character is equally likely. */
function randomText(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
