// One statement and the result cache: answered from it, or recorded for it while it runs.

import type { LakeDescription, LakeTable } from "../../../../../kernel/lake/lake.ts";
import type { LakeStatement } from "../../../core/statement.ts";
import { untilAborted } from "../../../core/until-aborted.ts";
import type { Column } from "../../../formats/result.ts";
import type { ResultFrame, RunResult, Taken } from "../../process/messages.ts";
import type { Analysis } from "../../sql/analysis.ts";
import {
  etagOf,
  hasZonedTimes,
  keyOf,
  tablesOf,
  versionsOf,
  type CachedResult,
  type ResultCache,
} from "./result-cache.ts";

/** Where the frames of a result go. */
export type FrameTaker = {
  /** A promise asks to wait; the frame's bytes must stay as they are until it settles, and may change then. */
  take(frame: ResultFrame): void | Promise<Taken>;
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

  /** Whether a description of the lake may be enough to answer the statement. */
  get mayBeKnown(): boolean {
    return this.#found !== undefined;
  }

  /** Gives the kept result to `taker`; undefined where there is none, or where the tables have changed since. */
  async answer(description: LakeDescription, taker: FrameTaker): Promise<{ truncated: boolean } | undefined> {
    const { phases, cacheUse } = this.#statement;
    const found = this.#found;
    const tables = found && tablesOf(found.names, description);
    if (!found || !tables || versionsOf(tables) !== found.versions) return undefined;
    cacheUse.hit(found.cachedAtMs);
    if (this.#isUnmodified(found.versions)) return { truncated: false };
    await taker.take({ kind: "columns", value: found.columns });
    await phases.time("write", () => taker.take({ kind: "data", bytes: found.bytes }));
    return { truncated: found.truncated };
  }

  /** Whether the statement's caller has the result that it would have; it need not run then. */
  isUnmodified(analysis: Analysis, description: LakeDescription): boolean {
    const versions = this.#versionsToKeep(analysis, description);
    return versions !== undefined && this.#isUnmodified(versions);
  }

  #isUnmodified(versions: string): boolean {
    const { cacheUse, ifNoneMatch } = this.#statement;
    return ifNoneMatch !== undefined && cacheUse.compare(etagOf(this.#key, versions), ifNoneMatch);
  }

  /** The running execution of the same statement over the same tables, whose result this one may use. */
  running(analysis: Analysis, description: LakeDescription): Promise<void> | undefined {
    const versions = this.#statement.invalidate ? undefined : this.#versionsToKeep(analysis, description);
    return versions === undefined ? undefined : this.#cache.flights.get(this.#flightOf(versions));
  }

  /**
   * Waits until `running` has ended, well or not, and answers as {@link answer} does. Rejects with the signal's reason.
   */
  async answerAfter(
    running: Promise<void>,
    description: LakeDescription,
    taker: FrameTaker,
    signal: AbortSignal,
  ): Promise<{ truncated: boolean } | undefined> {
    await this.#statement.phases.time("wait", () => untilAborted(running, signal));
    this.#found = this.#cache.get(this.#key);
    return this.answer(description, taker);
  }

  /** A taker that keeps the run's frames on their way to `taker`. Undefined where the result is not to be kept. */
  record(analysis: Analysis, description: LakeDescription, taker: FrameTaker): Recording | undefined {
    const { cacheUse, invalidate, persist } = this.#statement;
    const versions = this.#versionsToKeep(analysis, description);
    cacheUse.forward(versions === undefined ? "bypass" : invalidate ? "request" : this.#found ? "stale" : "miss");
    if (versions === undefined || persist === false) return undefined;
    return new Recording({
      taker,
      bytesMax: this.#cache.resultBytesMax,
      keep: (recorded) =>
        this.#cache.set(this.#key, { names: analysis.tables, versions, cachedAtMs: this.#beganAtMs, ...recorded }),
      land: this.#cache.flights.begin(this.#flightOf(versions)),
    });
  }

  #flightOf(versions: string): string {
    return `${this.#key} ${versions}`;
  }

  /** The tables' versions; undefined where the result is not to be kept. */
  #versionsToKeep(analysis: Analysis, description: LakeDescription): string | undefined {
    const tables = this.#cache.resultBytesMax > 0 ? tablesOf(analysis.tables, description) : undefined;
    return tables && mayBeKept(analysis, tables) ? versionsOf(tables) : undefined;
  }
}

/**
 * Whether the text and the tables that it names decide its result. Where more than one answer is right (rows in no
 * order, of which some are taken; the sum of floats), any of them stays right.
 */
function mayBeKept(analysis: Analysis, tables: readonly LakeTable[]): boolean {
  const { isSteady, explain, readsMetadata, driveFiles } = analysis;
  // A plan's text is of the moment; metadata is of all tables; files of the drive have no versions.
  if (!isSteady || explain !== undefined || readsMetadata || driveFiles.length > 0) return false;
  // Earlier snapshots expire, and then may not be read any more.
  return analysis.tables.every(({ travel }) => !travel) && !tables.some(hasZonedTimes);
}

/** How long others wait for a run after its first rows: from then on a result may take as long as its reader likes. */
const READER_MS_MAX = 1_000;

type RecordingParts = {
  taker: FrameTaker;
  bytesMax: number;
  keep: (recorded: Pick<CachedResult, "columns" | "bytes" | "truncated">) => void;
  /** See {@link Flights.begin}. */
  land: () => void;
};

/** A copy of a result that is on its way, as long as it is small enough. */
export class Recording implements FrameTaker {
  readonly #taker: FrameTaker;
  readonly #bytesMax: number;
  readonly #keep: RecordingParts["keep"];
  readonly #land: () => void;
  #landing: NodeJS.Timeout | undefined;
  #columns: Column[] | undefined;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor({ taker, bytesMax, keep, land }: RecordingParts) {
    this.#taker = taker;
    this.#bytesMax = bytesMax;
    this.#keep = keep;
    this.#land = land;
  }

  get hasStarted(): boolean {
    return this.#taker.hasStarted;
  }

  take(frame: ResultFrame): void | Promise<Taken> {
    if (frame.kind === "columns") this.#begin(frame.value);
    else this.#add(frame.bytes);
    return this.#taker.take(frame);
  }

  /** The whole result has gone to its taker. */
  end(truncated: boolean): void {
    if (!this.#columns || this.#bytes > this.#bytesMax) return;
    this.#keep({ columns: this.#columns, bytes: Buffer.concat(this.#pieces), truncated });
  }

  /** Called in the end, whether or not the run succeeded. */
  leave(): void {
    clearTimeout(this.#landing);
    this.#land();
  }

  /** Each run begins with the columns, also a run that replaces another. */
  #begin(columns: Column[]): void {
    this.#columns = columns;
    this.#pieces = [];
    this.#bytes = 0;
  }

  /** A frame is copied, as its memory is used again. */
  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#landing ??= setTimeout(this.#land, READER_MS_MAX).unref();
    if (this.#bytes <= this.#bytesMax) this.#pieces.push(Uint8Array.from(bytes));
    else {
      this.#pieces = [];
      this.#land();
    }
  }
}
