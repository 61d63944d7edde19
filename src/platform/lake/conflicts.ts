// The specification's conflict rules for what a commit here can do, against what other snapshots did since its base. Pure.

import type { Change } from "./change-text.ts";
import { foldName } from "./names.ts";

/** What a commit is about to do, with the ids its names have now; a table of its own making has none yet. */
export type Intent =
  | { kind: "create"; schema: string; schemaId: number | undefined; name: string }
  | { kind: "append"; schema: string; name: string; tableId: number };

/** Says which other change stands against an intent, or undefined. Everything not named here can be re-based. */
export function findConflict(intents: readonly Intent[], others: readonly Change[]): string | undefined {
  for (const intent of intents) {
    for (const other of others) {
      const reason = intent.kind === "create" ? againstCreate(intent, other) : againstAppend(intent, other);
      if (reason) return `${intent.schema}.${intent.name} was ${reason} by another commit in the meantime.`;
    }
  }
  return undefined;
}

function againstCreate(intent: Extract<Intent, { kind: "create" }>, other: Change): string | undefined {
  if ("id" in other) return other.kind === "dropped_schema" && other.id === intent.schemaId ? "left without its schema" : undefined;
  if (!("name" in other)) return undefined;
  return isSame(other.schema, intent.schema) && isSame(other.name, intent.name) ? "created" : undefined;
}

/** An append commutes with appends and compactions, and with nothing that changes the table or the rows it has. */
const AGAINST_APPEND: Record<string, string> = {
  dropped_table: "dropped",
  altered_table: "altered",
  deleted_from_table: "deleted from",
  inlined_delete: "deleted from",
};

function againstAppend(intent: Extract<Intent, { kind: "append" }>, other: Change): string | undefined {
  if ("id" in other) return other.id === intent.tableId ? AGAINST_APPEND[other.kind] : undefined;
  // A table made since the base is not the one the writer knew by this name.
  if ("name" in other && isSame(other.schema, intent.schema) && isSame(other.name, intent.name)) return "replaced";
  return undefined;
}

const isSame = (left: string, right: string): boolean => foldName(left) === foldName(right);
