// A doc by its id, or the failure that says there is none.

import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import { reparse } from "./definition/parse.ts";
import type { Doc, Source } from "./doc.ts";
import { findDoc, findVersion } from "./store.ts";

/** A doc of another team answers exactly as one that does not exist. */
export async function requireDoc({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<Doc> {
  const doc = await findDoc(db, scope.teamId, id);
  if (!doc) throw notFound("Doc", id);
  return doc;
}

/** For what an archived doc takes no part in. */
export async function requireLiveDoc(ctx: Needs<"db"> & OfTeam, id: string): Promise<Doc> {
  const doc = await requireDoc(ctx, id);
  if (doc.archived_at !== null) throw notFound("Doc", id);
  return doc;
}

/** Reads the doc's newest source. */
export async function readSource({ scope, db }: Needs<"db"> & OfTeam, doc: Doc): Promise<Source> {
  const found = await findVersion(db, scope.teamId, doc.id, doc.version);
  if (!found) throw new Error(`Doc ${doc.id} lacks its version ${doc.version}.`);
  return { text: found.text, mediaType: found.media_type, definition: reparse(found.text, found.media_type) };
}
