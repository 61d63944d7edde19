// A series of buckets as the text of its JSON, column by column. Pure.

import { addSummary, percentilesOf, type DurationSummary } from "../../core/events/duration-summary.ts";
import type { RollupRow, SeriesName } from "./store.ts";
import type { Window } from "./window.ts";

const COLUMNS = ["average_ms", "min_ms", "max_ms", "p50_ms", "p95_ms", "p99_ms"];
const SHARES = [0.5, 0.95, 0.99];

/** The cells of a bucket, in the order of the columns. */
const cellsOf = (bucket: DurationSummary): number[] => [
  bucket.sumMs / bucket.count,
  bucket.minMs,
  bucket.maxMs,
  ...percentilesOf(bucket, SHARES),
];

/** Writes series of one window. The columns of those without events are all the same, and made once. */
export class SeriesWriter {
  readonly #window: Window;
  readonly #noCounts: string;
  readonly #nothing: string;

  constructor(window: Window) {
    this.#window = window;
    this.#noCounts = `"count":[${repeated("0", window.buckets)}]`;
    const nulls = repeated("null", window.buckets);
    this.#nothing = COLUMNS.map((name) => `,"${name}":[${nulls}]`).join("");
  }

  /** `rows` in any order, all of this series. */
  write({ teamId, type }: SeriesName, rows: readonly RollupRow[]): string {
    const named = `{"team_id":${JSON.stringify(teamId)},"type":"${type}",`;
    if (rows.length === 0) return `${named}${this.#noCounts}${this.#nothing}}`;
    const buckets = this.#bucketsOf(rows);
    const counts = buckets.map((bucket) => bucket?.count ?? 0).join();
    const cells = buckets.map((bucket) => bucket && cellsOf(bucket));
    const columns = COLUMNS.map((name, at) => `,"${name}":[${cells.map((row) => row?.[at] ?? "null").join()}]`);
    return `${named}"count":[${counts}]${columns.join("")}}`;
  }

  #bucketsOf(rows: readonly RollupRow[]): (DurationSummary | undefined)[] {
    const { startMinute, bucketMinutes, buckets: length } = this.#window;
    const buckets = new Array<DurationSummary | undefined>(length).fill(undefined);
    for (const [, minute, count, sumMs, minMs, maxMs, histogram] of rows) {
      const at = Math.floor((minute - startMinute) / bucketMinutes);
      const rollup = { count, sumMs, minMs, maxMs, histogram: JSON.parse(histogram) as Record<string, number> };
      const bucket = buckets[at];
      if (bucket) addSummary(bucket, rollup);
      else buckets[at] = rollup;
    }
    return buckets;
  }
}

const repeated = (text: string, times: number): string => `${`${text},`.repeat(times - 1)}${text}`;
