// Which statements may have the same locked database, one after the other.

import { createHash } from "node:crypto";
import type { LakeGrant } from "../../contract/protocol.ts";

/**
 * What a locked database is: whose it is and under what rights, for nothing of anybody may come near another; and all
 * that is in it, the relations (with what they hide) and the files, whose paths are never given to another content.
 * Of the snapshot only that counts, so that a commit to other tables changes nothing.
 */
export const databaseKey = (
  { teamId, lakeId, scope, token }: LakeGrant,
  setup: readonly string[],
  paths: readonly string[],
): string =>
  createHash("sha256")
    .update(JSON.stringify([teamId, lakeId, scope ?? { token }, setup, paths]))
    .digest("base64");
