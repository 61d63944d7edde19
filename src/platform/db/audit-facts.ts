// An audit event keeps these facts of a thing before and after a change. Pure.

/** An event keeps so much of a thing before a change, and so much of it after. */
export const AUDIT_FACTS_BYTES_MAX = 4_096;

/**
 * Named fields, as JSON. Whoever makes them names each field that may be read by the team's admins for as long as the
 * log is kept: what is secret, or may hold something that is, is told by its size or its version.
 */
export type AuditFacts = Readonly<Record<string, unknown>>;

export type Change = { before?: AuditFacts | undefined; after?: AuditFacts | undefined };

/**
 * JSON as it is stored. A field that is cut is `{"cut": true, "bytes": <of its JSON>}`; how many more there were, once
 * not even that fits, is under the name `…`.
 */
export type PackedChange = { before: string | null; after: string | null };

/** Keeps the fields that differ between two sides, or all of a single side. Each is bounded; what is cut says so. */
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
  const fields = Object.entries(facts).filter(([name, value]) => value !== undefined && (names?.has(name) ?? true));
  const kept: [string, unknown][] = [];
  let left: number = AUDIT_FACTS_BYTES_MAX;
  let leftOut = 0;
  for (const [name, value] of fields) {
    const cut = { cut: true, bytes: bytesOf(value) };
    const shown = [value, cut].find((each) => bytesOf(each) + bytesOf(name) <= left);
    if (shown === undefined) leftOut++;
    else {
      kept.push([name, shown]);
      left -= bytesOf(shown) + bytesOf(name);
    }
  }
  return JSON.stringify(Object.fromEntries(leftOut === 0 ? kept : [...kept, ["…", { cut: true, fields: leftOut }]]));
}

const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;
