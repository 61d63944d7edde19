// A doc by its id, or the failure that says there is none.

import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import { reparse } from "./definition/parse.ts";
import type { Doc, DocVersionDetail, Source } from "./doc.ts";
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

/** The doc's newest version, as it was saved. */
export async function requireSource({ scope, db }: Needs<"db"> & OfTeam, doc: Doc): Promise<DocVersionDetail> {
  const found = await findVersion(db, scope.teamId, doc.id, doc.version);
  if (!found) throw new Error(`Doc ${doc.id} lacks its version ${doc.version}.`);
  return found;
}

/** Reads the doc's newest source. */
export async function readSource(ctx: Needs<"db"> & OfTeam, doc: Doc): Promise<Source> {
  const { text, media_type: mediaType } = await requireSource(ctx, doc);
  return { text, mediaType, definition: reparse(text, mediaType) };
}
