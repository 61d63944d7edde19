// The noun: an API key, `<user_id>-<suffix>`. The suffix is known to its holder alone; we keep its hash.

import { z } from "@hono/zod-openapi";
import { isUuid, newId } from "../../../core/ids.ts";
import { Name } from "../team.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";

export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    hint: z.string().openapi({ description: "The key's last four characters." }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
  })
  .openapi("ApiKey");
export type ApiKey = z.infer<typeof ApiKey>;

export const MintedKey = ApiKey.extend({
  key: z.string().openapi({ description: "The key itself. It is shown this once." }),
}).openapi("MintedKey");
export type MintedKey = z.infer<typeof MintedKey>;

export const NewKey = z
  .strictObject({ name: Name, expires_at: z.iso.datetime({ offset: true }).nullable().default(null) })
  .openapi("NewKey", { example: { name: "Laptop", expires_at: null } });
export type NewKey = z.infer<typeof NewKey>;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 32 characters of 62: 190 bits, so that a fast unsalted hash is enough. */
const SUFFIX_CHARACTERS = 32;
const HINT_CHARACTERS = 4;

/** What is stored of a key, and the key itself. */
export async function mintKey(
  now: Date,
  userId: string,
  { name, expires_at }: NewKey,
): Promise<{ minted: MintedKey; suffixHash: string }> {
  const { suffix, suffixHash } = await mintSuffix();
  const minted: MintedKey = {
    id: newId(now),
    name,
    hint: suffix.slice(-HINT_CHARACTERS),
    created_at: now.toISOString(),
    // One spelling of the instant, so that stored text compares in the order of time.
    expires_at: expires_at && new Date(expires_at).toISOString(),
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
