// A file of the drive lies in the bucket under this key.

import { DRIVE_LIMITS } from "./limits.ts";
import { sha256Hex } from "../../platform/crypto/digest.ts";

/** The prefix of the keys that hold their paths. */
export const driveKeyPrefix = (teamId: string): string => `${teamId}/drive/`;

/** The prefix of all keys of a team's drive: those that hold their paths, and the others. */
export const driveObjectsPrefix = (teamId: string): string => `${teamId}/drive`;

/** `isLong`: the path is not in the key, and has to be kept beside it. */
export type ObjectKey = { key: string; isLong: boolean };

/** A path always has one key. Paths that a key can't hold lie under a digest, with a prefix of their own. */
export async function objectKeyOf(teamId: string, path: string): Promise<ObjectKey> {
  const plain = driveKeyPrefix(teamId) + path;
  if (new TextEncoder().encode(plain).length <= DRIVE_LIMITS.objectKeyBytesMax) return { key: plain, isLong: false };
  return { key: `${teamId}/drive-long/${await sha256Hex(path)}`, isLong: true };
}
