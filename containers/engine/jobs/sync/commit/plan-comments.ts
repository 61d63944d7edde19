// The source's comments on their way into the lake: with the table's commit, where they are not what the last one
// brought.

import { createHash } from "node:crypto";
import { sameName } from "../../../duckdb/names.ts";
import { COMMENT_CHARACTERS_MAX, type LakeChange } from "../../../../../kernel/lake/commit.ts";
import { note } from "../progress/progress.ts";
import type { PreparedTable } from "../sync-run.ts";

/** Characters of all comments of one table: they share a message with its files. */
const CHARACTERS_MAX = 1_000_000;

/** `fingerprint`: the digest of all the comments, for the checkpoint; empty where there are none. */
export type PlannedComments = { changes: LakeChange[]; fingerprint: string };

/** Columns that are gone at the source and stay in the lake keep theirs. A table made anew has none, and gets all. */
export function planComments({
  run,
  source,
  table,
  lake,
  checkpoint,
  columnPlan,
  progress,
}: PreparedTable): PlannedComments {
  const bounded = new Bounded();
  const comments = [
    { columnId: null as number | null, comment: bounded.take("The table", table.comments.table) },
    ...table.columns.map(({ name, lake: { name: inLake } }) => ({
      columnId: columnPlan.columns.find((column) => sameName(column.name, inLake))!.id,
      comment: bounded.take(`Column ${name}`, table.comments.columns.get(name) ?? null),
    })),
  ];
  const hasAny = comments.some(({ comment }) => comment !== null);
  const fingerprint = hasAny ? createHash("sha256").update(JSON.stringify(comments)).digest("hex") : "";
  const isMade = columnPlan.kind === "create" || !lake;
  if (fingerprint === (isMade ? "" : (checkpoint?.comments ?? ""))) return { changes: [], fingerprint };
  for (const text of bounded.notes) note(progress, text);
  const name = { schema: run.work.destSchema, name: source.name };
  return {
    changes: [{ kind: "set_comments", ...name, ...(isMade ? {} : { expect: { tableId: lake.tableId } }), comments }],
    fingerprint,
  };
}

class Bounded {
  readonly notes: string[] = [];
  #left = CHARACTERS_MAX;

  take(of: string, text: string | null): string | null {
    const comment = text?.replaceAll("\0", "") ?? "";
    if (comment === "") return null;
    if (this.#left < COMMENT_CHARACTERS_MAX) {
      this.notes.push("The comments of the table are so long that the lake keeps only those of its first columns.");
      return null;
    }
    const isLong = comment.length > COMMENT_CHARACTERS_MAX;
    if (isLong)
      this.notes.push(
        `${of} has a comment of more than ${COMMENT_CHARACTERS_MAX} characters: the lake keeps its beginning.`,
      );
    // Half of a surrogate pair may be left over at the cut.
    const kept = isLong ? `${comment.slice(0, COMMENT_CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…` : comment;
    this.#left -= kept.length;
    return kept;
  }
}
