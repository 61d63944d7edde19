// What an audit event keeps of a thing before and after a change. Pure.

import { LIMITS } from "../../core/limits.ts";

/**
 * Named fields, as JSON. Whoever makes them names each field that may be read by the team's admins for as long as the
 * log is kept: what is secret, or may hold something that is, is told by its size or its version.
 */
export type AuditFacts = Readonly<Record<string, unknown>>;

export type Change = { before?: AuditFacts | undefined; after?: AuditFacts | undefined };

/** JSON as it is stored. A field that is cut is `{"cut": true, "bytes": <of its JSON>}`. */
export type PackedChange = { before: string | null; after: string | null };

/** Of two sides only the fields that differ are kept, of one side all. Each is bounded; what is cut says so. */
export function packChange({ before, after }: Change): PackedChange {
  const names = before && after ? namesThatDiffer(before, after) : undefined;
  return { before: before ? pack(before, names) : null, after: after ? pack(after, names) : null };
}

function namesThatDiffer(before: AuditFacts, after: AuditFacts): Set<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return new Set([...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])));
}

const encoder = new TextEncoder();

function pack(facts: AuditFacts, names: Set<string> | undefined): string {
  let left: number = LIMITS.auditFactsBytesMax;
  const kept = Object.entries(facts)
    .filter(([name, value]) => value !== undefined && (names?.has(name) ?? true))
    .map(([name, value]) => {
      const bytes = encoder.encode(JSON.stringify(value)).length;
      if (bytes > left) return [name, { cut: true, bytes }];
      left -= bytes;
      return [name, value];
    });
  return JSON.stringify(Object.fromEntries(kept));
}
