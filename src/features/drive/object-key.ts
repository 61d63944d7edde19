// Where a file of the drive lies in the bucket.

import { LIMITS } from "../../core/limits.ts";

/** The prefix of the keys that hold their paths. */
export const driveKeyPrefix = (teamId: string): string => `${teamId}/drive/`;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** `isLong`: the path is not in the key, and has to be kept beside it. */
export type ObjectKey = { key: string; isLong: boolean };

/**
 * The same path always has the same key. Paths that a key can't hold lie under a digest, with a prefix of their own.
 */
export async function objectKeyOf(teamId: string, path: string): Promise<ObjectKey> {
  const plain = driveKeyPrefix(teamId) + path;
  if (bytesOf(plain).length <= LIMITS.objectKeyBytesMax) return { key: plain, isLong: false };
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(path)));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { key: `${teamId}/drive-long/${hex}`, isLong: true };
}
