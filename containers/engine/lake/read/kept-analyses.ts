// The gate's analyses of statements are kept by the statements' readers and texts. An analysis goes by the text alone;
// but how long the gate took is told, and must not say that somebody with other rights sent this text.

import { LruMap } from "../../../../kernel/text/lru-map.ts";
import type { Analysis } from "../sql/analysis.ts";
import type { AnalysisOptions } from "../sql/gate.ts";

/** Characters of the texts and of what is kept for them. */
const CHARACTERS_MAX = 8_000_000;

type KeptAnalysis = { analysis: Analysis; characters: number };

export class KeptAnalyses {
  readonly #kept = new LruMap<KeptAnalysis>(CHARACTERS_MAX, ({ characters }) => characters);

  /**
   * The analysis of before, or what `analyse` answers, of a text that `reader` sends. A refusal is not kept, nor is a
   * statement that reads earlier snapshots: `AT (TIMESTAMP => now() - …)` is another one each time.
   */
  async of(
    { reader, sql, ...options }: AnalysisOptions & { reader: string; sql: string },
    analyse: () => Promise<Analysis>,
  ): Promise<Analysis> {
    const key = keyOf(reader, sql, options);
    const kept = this.#kept.get(key);
    if (kept) return kept.analysis;
    const analysis = await analyse();
    if (analysis.tables.every(({ travel }) => !travel))
      this.#kept.set(key, { analysis: frozen(analysis), characters: key.length + JSON.stringify(analysis).length });
    return analysis;
  }
}

/** The key holds only which of the bound values are texts: the statement's text depends on nothing else of them. */
const keyOf = (reader: string, sql: string, { moved = [], values, isNumbered = false }: AnalysisOptions): string =>
  JSON.stringify([reader, sql, moved, isNumbered, values?.map((value) => typeof value === "string")]);

/** Freezes an analysis, as several statements share it. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
}
