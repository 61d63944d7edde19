import type { Name } from "../../parse/tree.ts";
import { Refusal } from "../../refusal.ts";

/** Throws where a column is named twice, which none may be. */
export function requireOnce(columns: readonly Name[]): void {
  const seen = new Set<string>();
  for (const { text, at } of columns) {
    const name = text.toLowerCase();
    if (seen.has(name))
      throw new Refusal("DUPLICATE_COLUMN_NAME", `Column name '${name}' specified more than once`, at);
    seen.add(name);
  }
}
