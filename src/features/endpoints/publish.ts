// An endpoint is published where its question is kept.

import { invalidAt, missingAt } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { Published } from "../publications/publication.ts";
import { getSavedQuery } from "../saved-queries/get.ts";
import { questionOf } from "../saved-queries/saved-query.ts";
import { getSavedQueryVersion } from "../saved-queries/versions/get.ts";

/** The saved query at a version, or at its newest. Throws `validation_failed` where there is none. */
export async function readPublished(ctx: Needs<"scope" | "db">, id: string, version?: number): Promise<Published> {
  const query = await getSavedQuery(ctx, id).catch(missingAt("/query_id"));
  if (query.archived_at !== null) {
    const message = "This saved query is archived; restore it first.";
    throw invalidAt("/query_id", message);
  }
  const subjectVersion = version ?? query.version;
  const found =
    subjectVersion === query.version
      ? query
      : await getSavedQueryVersion(ctx, id, String(subjectVersion)).catch(missingAt("/query_version"));
  return { subjectId: query.id, subjectVersion, content: JSON.stringify(questionOf(found)) };
}
