// One statement and the result cache: answered from it, or recorded for it while it runs.

import type { LakeDescription, LakeTable } from "../../../contract/lake.ts";
import type { LakeStatement } from "../../../core/statement.ts";
import type { Column } from "../../../formats/result.ts";
import type { Frame, RunResult } from "../../process/messages.ts";
import type { Analysis } from "../../sql/analysis.ts";
import { hasZonedTimes, keyOf, tablesOf, versionsOf, type CachedResult, type ResultCache } from "./result-cache.ts";

export type ResultFrame = Extract<Frame, { kind: "columns" | "data" | "part" }>;

/** Where the frames of a result go. */
export type FrameTaker = {
  take(frame: ResultFrame): void | Promise<void>;
  /** Whether a part of the result is gone for good: until then the statement can be run anew. */
  readonly hasStarted: boolean;
};

export class CachedStatement {
  readonly #cache: ResultCache;
  readonly #statement: LakeStatement;
  readonly #key: string;
  readonly #beganAtMs = Date.now();
  #found: CachedResult | undefined;

  constructor(cache: ResultCache, statement: LakeStatement, result: RunResult) {
    this.#cache = cache;
    this.#statement = statement;
    this.#key = keyOf(statement, result);
    if (statement.invalidate) cache.delete(this.#key);
    else this.#found = cache.get(this.#key);
  }

  /** Whether a description of the lake is all that it may take to answer it. */
  get mayBeKnown(): boolean {
    return this.#found !== undefined;
  }

  /** Gives what is kept of it to `taker`; undefined where nothing is, or where the tables have changed since. */
  async answer(description: LakeDescription, taker: FrameTaker): Promise<{ truncated: boolean } | undefined> {
    const { phases, cacheUse } = this.#statement;
    const found = this.#found;
    const tables = found && tablesOf(found.names, description);
    if (!found || !tables || versionsOf(tables) !== found.versions) return undefined;
    cacheUse.hit(found.cachedAtMs);
    await taker.take({ kind: "columns", value: found.columns });
    await phases.time("write", () => taker.take({ kind: "data", bytes: found.bytes }));
    return { truncated: found.truncated };
  }

  /** Takes the frames of its run on their way to `taker`. Undefined where its result is not to be kept. */
  record(analysis: Analysis, description: LakeDescription, taker: FrameTaker): Recording | undefined {
    const { cacheUse, invalidate, persist } = this.#statement;
    const names = analysis.tables;
    const tables = tablesOf(names, description);
    const isCacheable = this.#cache.resultBytesMax > 0 && tables !== undefined && mayBeKept(analysis, tables);
    cacheUse.forward(!isCacheable ? "bypass" : invalidate ? "request" : this.#found ? "stale" : "miss");
    if (!isCacheable || persist === false) return undefined;
    const versions = versionsOf(tables);
    return new Recording(taker, this.#cache.resultBytesMax, (recorded) =>
      this.#cache.set(this.#key, { names, versions, cachedAtMs: this.#beganAtMs, ...recorded }),
    );
  }
}

/**
 * Whether the text and the tables that it names decide its result. Where more than one answer is right (rows in no
 * order, of which some are taken; the sum of floats), any of them stays right.
 */
function mayBeKept(analysis: Analysis, tables: readonly LakeTable[]): boolean {
  const { isSteady, explain, readsMetadata, driveFiles } = analysis;
  // What a plan tells is of the moment; metadata is of all tables; files of the drive have no versions.
  if (!isSteady || explain !== undefined || readsMetadata || driveFiles.length > 0) return false;
  // Earlier snapshots expire, and then may not be read any more.
  return analysis.tables.every(({ at }) => at === undefined) && !tables.some(hasZonedTimes);
}

/** A copy of a result that is on its way, as long as it is small enough. */
export class Recording implements FrameTaker {
  readonly #taker: FrameTaker;
  readonly #bytesMax: number;
  readonly #keep: (recorded: Pick<CachedResult, "columns" | "bytes" | "truncated">) => void;
  #columns: Column[] | undefined;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(
    taker: FrameTaker,
    bytesMax: number,
    keep: (recorded: Pick<CachedResult, "columns" | "bytes" | "truncated">) => void,
  ) {
    this.#taker = taker;
    this.#bytesMax = bytesMax;
    this.#keep = keep;
  }

  get hasStarted(): boolean {
    return this.#taker.hasStarted;
  }

  take(frame: ResultFrame): void | Promise<void> {
    if (frame.kind === "columns") this.#begin(frame.value);
    else this.#add(frame.bytes);
    return this.#taker.take(frame);
  }

  /** The whole result has gone to its taker. */
  end(truncated: boolean): void {
    if (!this.#columns || this.#bytes > this.#bytesMax) return;
    this.#keep({ columns: this.#columns, bytes: Buffer.concat(this.#pieces), truncated });
  }

  /** Each run begins with the columns, also one that stands in for another. */
  #begin(columns: Column[]): void {
    this.#columns = columns;
    this.#pieces = [];
    this.#bytes = 0;
  }

  /** A frame may be a small part of the memory that it came in, and belongs to its taker: it is copied. */
  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes <= this.#bytesMax) this.#pieces.push(Uint8Array.from(bytes));
    else this.#pieces = [];
  }
}
