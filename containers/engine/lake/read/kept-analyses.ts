// The gate's analyses of statements are kept by the statements' readers and texts. An analysis goes by the text alone;
// but how long the gate took is told, and must not say that somebody with other rights sent this text.

import { LruMap } from "../../../../kernel/text/lru-map.ts";
import type { Analysis, TableRef } from "../sql/analysis.ts";
import type { AnalysisOptions } from "../sql/gate.ts";
import { outlineOf, type PlainPlace, type PlainValue } from "../sql/outline.ts";
import { LakeText } from "../sql/sql-text.ts";

/** Characters of the texts and of what is kept for them. */
const CHARACTERS_MAX = 8_000_000;

/** `values`: the plain values of the text that was analysed. */
type KeptAnalysis = { analysis: Analysis; values: readonly PlainValue[]; characters: number };

export class KeptAnalyses {
  readonly #kept = new LruMap<KeptAnalysis>(CHARACTERS_MAX, ({ characters }) => characters);

  /**
   * The analysis of before, or what `analyse` answers, of a text that `reader` sends. A refusal is not kept, nor is a
   * statement that reads earlier snapshots: `AT (TIMESTAMP => now() - …)` is another one each time. Texts that differ
   * only in plain values have one analysis between them, with the places as each text has them.
   */
  async of(
    { reader, sql, ...options }: AnalysisOptions & { reader: string; sql: string },
    analyse: () => Promise<Analysis>,
  ): Promise<Analysis> {
    const outline = isAsWritten(options) ? outlineOf(new LakeText(sql)) : undefined;
    const ofOutline = outline && keyOf({ reader, outline: outline.text }, options);
    const alike = ofOutline && this.#kept.get(ofOutline);
    const known = alike && withValues(alike, { sql, values: outline.values });
    if (known) return known;
    const ofText = keyOf({ reader, sql }, options);
    const kept = this.#kept.get(ofText);
    if (kept) return kept.analysis;
    const analysis = await analyse();
    if (analysis.tables.some(({ travel }) => travel)) return analysis;
    // Texts with one outline that are not alike are kept each by itself.
    const key = ofOutline && !alike && analysis.plain.length > 0 ? ofOutline : ofText;
    const values = outline?.values ?? [];
    const characters = key.length + JSON.stringify([analysis, values]).length;
    this.#kept.set(key, { analysis: frozen(analysis), values, characters });
    return analysis;
  }
}

/** Whether the statement runs as it is written: without values, and with its tables where it names them. */
const isAsWritten = ({ moved = [], values }: AnalysisOptions): boolean => moved.length === 0 && values === undefined;

/** The key holds only which of the bound values are texts: the statement's text depends on nothing else of them. */
const keyOf = (
  of: { reader: string; sql: string } | { reader: string; outline: string },
  { moved = [], values, isNumbered = false }: AnalysisOptions,
): string => JSON.stringify([of, moved, isNumbered, values?.map((value) => typeof value === "string")]);

/**
 * The analysis of `sql` by that of a text with the same outline; undefined where the two differ in anything but
 * constants of plain values.
 */
function withValues(
  { analysis, values: before }: KeptAnalysis,
  { sql, values }: { sql: string; values: readonly PlainValue[] },
): Analysis | undefined {
  const changed = values.flatMap((value, i) => (value.text === before[i]!.text ? [] : [{ value, was: before[i]! }]));
  if (changed.length === 0) return analysis;
  const places = new Map(analysis.plain.map((place) => [place.at, place]));
  if (!changed.every(({ was }) => places.has(was.at))) return undefined;
  // How much longer the text has become before a place of the text that was analysed.
  const shiftAt = (at: number): number =>
    changed.reduce((sum, { value, was }) => (was.at < at ? sum + value.text.length - was.text.length : sum), 0);
  const moved = (place: PlainPlace): PlainPlace => ({ ...place, at: place.at + shiftAt(place.at) });
  const lengths = new Map(values.map(({ at, text }) => [at, text.length]));
  const plain = analysis.plain.map(moved).map((place) => ({ ...place, length: lengths.get(place.at) ?? place.length }));
  const tables = analysis.tables.map(
    ({ position, ...table }): TableRef => ({
      ...table,
      position: position === undefined ? undefined : position + shiftAt(position - 1),
    }),
  );
  return { ...analysis, body: sql.slice(0, analysis.body.length + shiftAt(analysis.body.length)), tables, plain };
}

/** Freezes an analysis, as several statements share it. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
}
