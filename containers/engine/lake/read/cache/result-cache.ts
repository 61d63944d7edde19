// Results of lake statements, kept in memory under all that decides them: an equal statement is answered without
// running.

import { hash } from "node:crypto";
import type { LakeColumn, LakeDescription, LakeTable } from "../../../../../kernel/lake/lake.ts";
import { PROTOCOL } from "../../../../../kernel/wire/engine-program.ts";
import { Failure } from "../../../core/failure.ts";
import { LruMap } from "../../../../../kernel/text/lru-map.ts";
import type { LakeStatement } from "../../../core/statement.ts";
import type { Column } from "../../../formats/result.ts";
import type { RunResult } from "../../process/messages.ts";
import type { TableRef } from "../../sql/analysis.ts";
import { resolveTables } from "../../sql/relations.ts";
import { Flights } from "./flights.ts";
import { readerOf } from "../../catalog/reader-of.ts";

/** A larger result is not kept: what it takes to write it again is little beside what it takes to read it. */
const RESULT_BYTES_MAX = 1024 * 1024;
/** One result is at most this part of the cache. */
const RESULTS_MIN = 8;
/** Bytes of an entry besides its counted parts. */
const ENTRY_BYTES = 1024;

export type CachedResult = {
  /** The tables that the statement reads, as it names them, and what these names meant. */
  names: readonly TableRef[];
  versions: string;
  columns: Column[];
  /** The bytes after the columns, as the query process wrote them: nothing in them belongs to one request. */
  bytes: Uint8Array;
  truncated: boolean;
  /** When the statement was begun. */
  cachedAtMs: number;
};

export class ResultCache {
  /** The most bytes of a kept result; none is kept where it is 0. */
  readonly resultBytesMax: number;
  readonly flights = new Flights();
  readonly #results: LruMap<CachedResult>;

  constructor(bytesMax: number) {
    this.resultBytesMax = Math.min(RESULT_BYTES_MAX, Math.floor(bytesMax / RESULTS_MIN));
    this.#results = new LruMap(bytesMax, sizeOf);
  }

  get(key: string): CachedResult | undefined {
    return this.#results.get(key);
  }

  /** Keeps a result, in place of the one under the same key. */
  set(key: string, result: CachedResult): void {
    if (sizeOf(result) <= this.resultBytesMax) this.#results.set(key, result);
    else this.#results.delete(key);
  }

  delete(key: string): void {
    this.#results.delete(key);
  }
}

const sizeOf = ({ bytes, names, versions, columns }: CachedResult): number =>
  ENTRY_BYTES + bytes.length + 2 * (versions.length + JSON.stringify([names, columns]).length);

/**
 * Names all that decides a result but what is in the tables:
 *
 * - whose lake it is, and its reader: equal readers see the same of it;
 * - the text, and what is bound to it: a text that was bound to nothing is another, even where it has no parameters;
 * - how the result is written, under which names, and where it is cut.
 *
 * The settings of the engine and of its databases are the same for all that it runs, and end with it as the cache does.
 */
export function keyOf({ sql, values, target: { lake } }: LakeStatement, result: RunResult): string {
  const { format, numbers, rowsMax, bytesMax, isLists = false, shown = null } = result;
  const form = [format, numbers, isLists, rowsMax, bytesMax, shown];
  const parts = [lake.teamId, readerOf(lake), sql, values ?? null, ...form];
  return hash("sha256", JSON.stringify(parts));
}

/**
 * Names a result: by what decides it, the tables' versions and how this release writes results. Weak, since an answer
 * has its own request's id and times beside the rows.
 */
export const etagOf = (key: string, versions: string): string =>
  `W/"${hash("sha256", JSON.stringify([PROTOCOL, key, versions])).slice(0, 40)}"`;

/** The tables that `names` mean to the reader of a description; undefined where one of them means nothing. */
export function tablesOf(names: readonly TableRef[], description: LakeDescription): LakeTable[] | undefined {
  try {
    return resolveTables(names, description);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export const versionsOf = (tables: readonly LakeTable[]): string =>
  JSON.stringify(tables.map(({ tableId, version }) => [tableId, version]));

/** A time of day with its zone is put into another zone by the offset that this has at present. */
export const hasZonedTimes = ({ columns, view }: LakeTable): boolean =>
  [...columns, ...(view === "whole" ? [] : view.beneath)].some(isZonedTime);

const isZonedTime = ({ type, children }: LakeColumn): boolean => type === "timetz" || children.some(isZonedTime);
