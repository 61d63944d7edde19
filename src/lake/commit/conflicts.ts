// The specification's conflict matrix: what a commit is about to do, against what other snapshots did since its base.
// Pure.

import type { Change } from "../format/change-text.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";

type TableIntent = {
  kind: "drop" | "alter" | "insert" | "delete" | "compact";
  schema: string;
  name: string;
  tableId: number;
};

/** What a commit is about to do, with the ids its names have now; what it makes itself has none yet. */
export type Intent =
  | { kind: "create_schema"; schema: string }
  | { kind: "drop_schema"; schema: string }
  | { kind: "create"; schema: string; schemaId: number | undefined; name: string }
  | TableIntent;

const DROPPED = { dropped_table: "dropped" };
const ALTERED = { altered_table: "altered" };
const DELETED = { deleted_from_table: "deleted from", inlined_delete: "deleted from" };
const INSERTED = { inserted_into_table: "inserted into", inlined_insert: "inserted into" };
/** The specification's name for it, and the two that DuckDB's own writers use. */
const COMPACTED = {
  compacted_table: "compacted",
  merge_adjacent: "compacted",
  rewrite_delete: "compacted",
  inline_flush: "compacted",
  flushed_inlined: "compacted",
};

/**
 * What stands against each intent on a table, by the kind of change another snapshot made to it. Everything else can be
 * re-based. That two commits delete from one data file is found from the files; and so is what another did to the files
 * of a compaction, which reads nothing else: in a table that is written to all day it would never come to its turn.
 */
const AGAINST: Record<TableIntent["kind"], Record<string, string>> = {
  drop: DROPPED,
  alter: { ...DROPPED, ...ALTERED },
  insert: { ...DROPPED, ...ALTERED, ...DELETED },
  delete: { ...DROPPED, ...ALTERED, ...INSERTED, ...COMPACTED },
  compact: DROPPED,
};

/** Says which other change stands against an intent, or undefined. */
export function findConflict(intents: readonly Intent[], others: readonly Change[]): string | undefined {
  for (const intent of intents) {
    for (const other of others) {
      const reason = against(intent, other);
      const what = "name" in intent ? `${intent.schema}.${intent.name}` : `The schema ${intent.schema}`;
      if (reason) return `${what} was ${reason} by another commit in the meantime.`;
    }
  }
  return undefined;
}

function against(intent: Intent, other: Change): string | undefined {
  if (intent.kind === "create_schema")
    return isSchema(other) && isSame(other.schema, intent.schema) ? "created" : undefined;
  if (intent.kind === "drop_schema")
    return "name" in other && isSame(other.schema, intent.schema) ? "given a table" : undefined;
  if (intent.kind === "create") return againstCreate(intent, other);
  if ("id" in other) return other.id === intent.tableId ? AGAINST[intent.kind][other.kind] : undefined;
  // A table made since the base is not the one the writer knew by this name.
  return "name" in other && isSame(other.schema, intent.schema) && isSame(other.name, intent.name)
    ? "replaced"
    : undefined;
}

function againstCreate(intent: Extract<Intent, { kind: "create" }>, other: Change): string | undefined {
  if ("id" in other)
    return other.kind === "dropped_schema" && other.id === intent.schemaId ? "left without its schema" : undefined;
  if (!("name" in other)) return undefined;
  return isSame(other.schema, intent.schema) && isSame(other.name, intent.name) ? "created" : undefined;
}

const isSchema = (change: Change): change is Extract<Change, { kind: "created_schema" }> =>
  change.kind === "created_schema" && !("name" in change);

const isSame = (left: string, right: string): boolean => foldName(left) === foldName(right);
