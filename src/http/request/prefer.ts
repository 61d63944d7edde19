// A request says what it prefers of its answer (RFC 7240).

/** `waitMs`: how long the caller waits before it would have a 202. Without `respond-async` there is no preference. */
export type Preference = { isAsync: boolean; waitMs: number };

/** A preference with its value; parameters behind a semicolon say nothing of those that are known here. */
const PREFERENCE = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"([^"\\]*)"|([^\s;"]*)))?\s*(?:;.*)?$/;
/** A comma in a quoted value parts nothing. */
const PARTS = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;

/** A preference that is named twice counts as it is first; what can't be read is ignored, as what is not known. */
export function readPreference(header: string | null | undefined): Preference {
  const named = new Map<string, string>();
  for (const [part] of (header ?? "").matchAll(PARTS)) {
    const [, name, quoted, plain] = PREFERENCE.exec(part) ?? [];
    if (name !== undefined && !named.has(name.toLowerCase())) named.set(name.toLowerCase(), quoted ?? plain ?? "");
  }
  const wait = named.get("wait") ?? "";
  return { isAsync: named.get("respond-async") === "", waitMs: /^\d{1,6}$/.test(wait) ? Number(wait) * 1_000 : 0 };
}
