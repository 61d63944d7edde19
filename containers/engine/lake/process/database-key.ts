// Statements with one key may have the same locked database, one after the other.

import { createHash } from "node:crypto";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { readerOf } from "../catalog/reader-of.ts";

/**
 * The identity of a locked database: its owner and rights, as nothing of one caller may come near another, and its
 * whole content: the relations (with what they hide) and the files, whose paths are never given to other content. The
 * snapshot's number is not part of it, so that a commit to other tables changes nothing.
 */
export const databaseKey = (grant: LakeGrant, setup: readonly string[], paths: readonly string[]): string =>
  createHash("sha256")
    .update(JSON.stringify([grant.teamId, readerOf(grant), setup, paths]))
    .digest("base64");
