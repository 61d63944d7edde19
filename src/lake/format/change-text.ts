// A snapshot's changes are a text in `ducklake_snapshot_changes`, which is written, and read back to find conflicts.
// Pure.

import { quoteIdentifier } from "./names.ts";

export type Change =
  | { kind: "created_schema"; schema: string }
  | { kind: "created_table" | "created_view"; schema: string; name: string }
  /** Every other kind names a table, view or schema by id: `inserted_into_table`, `dropped_table`, `altered_table` … */
  | { kind: string; id: number };

export const formatChanges = (changes: readonly Change[]): string => changes.map(formatChange).join(",");

function formatChange(change: Change): string {
  if ("id" in change) return `${change.kind}:${change.id}`;
  if ("name" in change) return `${change.kind}:${quoteIdentifier(change.schema)}.${quoteIdentifier(change.name)}`;
  return `${change.kind}:${quoteIdentifier(change.schema)}`;
}

const ENTRY = /([a-z_]+):(?:(\d+)|"((?:[^"]|"")*)"(?:\."((?:[^"]|"")*)")?)(?:,|$)/y;

/** Throws for a text that is not of the specification's form: a conflict must never be missed for want of reading. */
export function parseChanges(text: string): Change[] {
  const changes: Change[] = [];
  let at = 0;
  while (at < text.length) {
    ENTRY.lastIndex = at;
    const match = ENTRY.exec(text);
    if (!match) throw new Error("A snapshot's changes are not readable.");
    changes.push(changeOf(match));
    at = ENTRY.lastIndex;
  }
  return changes;
}

function changeOf([, kind = "", id, first, second]: RegExpExecArray): Change {
  const unquote = (name: string): string => name.replaceAll('""', '"');
  if (id !== undefined) return { kind, id: Number(id) };
  if (second !== undefined)
    return { kind: kind as "created_table", schema: unquote(first ?? ""), name: unquote(second) };
  return { kind: "created_schema", schema: unquote(first ?? "") };
}
