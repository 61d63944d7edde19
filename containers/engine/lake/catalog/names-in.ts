// Words of a statement that may be names of tables, found without reading it: to ask the platform of them at once.

import { FORESEEN } from "../../../../kernel/lake/constants.ts";
import { foldName } from "../../duckdb/names.ts";

const CHARACTERS_MAX = 50_000;
const WORDS = /[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")+"/gu;

/** Words of the statement, folded, each once; only the first ones of a long statement. Many of them name no table. */
export function namesIn(sql: string): string[] {
  const names = new Set<string>();
  for (const [word] of sql.slice(0, CHARACTERS_MAX).matchAll(WORDS)) {
    names.add(foldName(word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word));
    if (names.size === FORESEEN.namesMax) break;
  }
  return [...names];
}
