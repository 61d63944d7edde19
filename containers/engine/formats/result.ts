// The meeting point of sources and formats: rows as cells of canonical text, columns that say what the text is.

import type { ColumnKind } from "../../../kernel/docs/draw/result-table.ts";
import type { PublicFailure } from "../../../kernel/wire/failure-text.ts";
import type { ResultOptions } from "../../../kernel/wire/engine.ts";
import type { Phases } from "../core/phases.ts";

/**
 * A column's kind says what its text is, hence how each format writes it.
 *
 * | kind | canonical text | in JSON |
 * |---|---|---|
 * | boolean | `true`, `false` | literal |
 * | integer | digits; at most 32 bits | number |
 * | bigint | digits; 64 bits and wider | number, or string with `numbers=string` |
 * | decimal | digits and a point, all of them; `NaN`, `Infinity`, `-Infinity` | number, or string with
 * `numbers=string`; the words are strings |
 * | float | shortest text that reads back as the same double; the three words | number; the words are strings |
 * | date, time, timestamp, timestamptz | ISO 8601 (`2026-01-31`, `10:00:00.5`, `2026-01-31T10:00:00`, `…Z` in UTC) |
 * string |
 * | binary | base64 | string |
 * | json | one JSON value, without raw line breaks | embedded |
 * | text | anything else as the source prints it: uuid, enum, interval, inet … | string |
 */
export type ValueKind = ColumnKind;

export type Column = {
  /** Unique within the result: a repeated name gets `_2`, `_3` … */
  name: string;
  /** The type in the source's own words: `numeric(38,9)`, `bigint unsigned`, `TIMESTAMP WITH TIME ZONE`. */
  type: string;
  kind: ValueKind;
  /** Digits of a decimal, where the source fixes them. */
  precision?: number;
  scale?: number;
};

/** One row: cell i is `bytes[starts[i] .. ends[i])`, and NULL where `ends[i]` is -1. Valid only during the call. */
export type Row = { bytes: Uint8Array; starts: Int32Array; ends: Int32Array };

/** Takes a result: its columns, then its rows, then its end. Columns may come once more before there was a row. */
export type RowTaker = {
  columns(columns: Column[]): void;
  /** A promise asks to wait; false, or a promise of it, says that no more rows are wanted. */
  row(row: Row): boolean | Promise<boolean>;
  end(): void | Promise<void>;
};

/** Takes rows, gives bytes of one format. Synchronous: whoever feeds it drains it and minds backpressure. */
export type RowWriter = {
  /** Appends a row to the pending output. False: the answer's cap is reached, the row was not taken, stop feeding. */
  write(row: Row): boolean;
  /** Bytes pending. */
  readonly pending: number;
  /** Takes what is pending; the caller owns the bytes. */
  take(): Uint8Array;
  /** Takes the rest, closing the document. */
  end(ending: Ending): Uint8Array;
};

/** How a result ended. Only JSON can hold a failure mid-stream; other formats break the connection instead. */
export type Ending = {
  durationMs: number;
  phases?: Phases;
  /** When the result was first read, where it came from the result cache. */
  cachedAt?: Date | undefined;
  /** Members of `meta` beside those of any result. */
  meta?: Record<string, unknown>;
  failure?: PublicFailure;
};

/** The options that a writer is made from. */
export type WriterOptions = {
  columns: Column[];
  result: ResultOptions;
  /** Echoed as `meta.requestId` of a JSON document. */
  requestId: string;
};

/** Gives every column a name of its own, keeping the first of each as it is. */
export function distinctNames(names: string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let n = 2;
    while (taken.has(`${name}_${n}`)) n++;
    taken.add(`${name}_${n}`);
    seen.add(`${name}_${n}`);
    return `${name}_${n}`;
  });
}
