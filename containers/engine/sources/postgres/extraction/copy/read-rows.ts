// The rows of a table by COPY: in one piece, or, of a large table that comes slowly, by ranges of its pages that
// several sessions read beside each other.
//
// One connection carries fewer bytes a second the further away its server is, and one server process makes the rows of
// a COPY. A first range tells how fast that is. Ranges have their price at the server: they are read past the small
// ring of buffers that a scan of the whole table keeps to. Sessions take them in the order of the table, so that rows
// that lie beside each other come into the same part, or the next one. The server counts the rows of each range, as
// those of a table.

import { ChunkBuilder } from "../../../../extract/chunk-builder.ts";
import type { ReadReport, ReadRequest } from "../../../../extract/readable-snapshot.ts";
import { protocolViolation } from "../../connection/messages.ts";
import { quoteTable } from "../../sql-text.ts";
import type { SessionPool, SessionUse } from "../session-pool.ts";
import type { PostgresSession } from "../session.ts";
import { PostgresDecoder } from "./copy-decoder.ts";

/** A range has 16 MiB of the server's usual pages: they take longer to come than to be asked for. */
export const RANGE_PAGES = 2_048;
/** Smaller tables are read in one piece. */
export const RANGED_PAGES_MIN = 8 * RANGE_PAGES;
/** A table that comes faster keeps the reading thread at work by one connection. */
export const SLOW_BYTES_PER_SECOND = 64e6;

/**
 * Runs `use` with a session that has locked the table. `pages` is how many the table has, or 0 where it has to be read
 * in one piece.
 */
export type ScanTable = <T>(
  signal: AbortSignal,
  as: SessionUse,
  use: (session: PostgresSession, pages: number) => Promise<T>,
) => Promise<T>;

export type RowsPlan = { request: ReadRequest; scan: ScanTable; sessions: SessionPool; slowBytesPerSecond: number };

/**
 * A scan by tid reads no page outside its range. The planner of a table without statistics may not see the use of that.
 */
const BY_TID = "SET LOCAL enable_tidscan = on; SET LOCAL enable_seqscan = off;";
/** A scan of the whole table reads the first range again, and leaves the server's buffers to others. */
const BY_SCAN = "SET LOCAL enable_tidscan = off; SET LOCAL enable_seqscan = on;";

const fromPage = (page: number): string => `ctid OPERATOR(pg_catalog.>=) '(${page},0)'::pg_catalog.tid`;
const beforePage = (page: number): string => `ctid OPERATOR(pg_catalog.<) '(${page},0)'::pg_catalog.tid`;

/** Reads what `request` asks for. Rejects as a snapshot's `read` does, once no session of it reads any more. */
export function readRows(plan: RowsPlan): Promise<ReadReport> {
  return new RowsReading(plan).run();
}

class RowsReading {
  readonly #plan: RowsPlan;
  /** A session that fails ends what reads beside it. */
  readonly #failing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #oddFloats: number[];
  readonly #helping: { ended: Promise<void>; giveUp: () => void }[] = [];
  /** Where the next range begins, and the page from which on the last one takes all. */
  #nextPage = 0;
  #lastPage = 0;
  #isRefused = false;
  #rows = 0;
  #bytes = 0;
  #rebasedLists = 0;

  constructor(plan: RowsPlan) {
    this.#plan = plan;
    this.#signal = AbortSignal.any([plan.request.signal, this.#failing.signal]);
    this.#oddFloats = plan.request.columns.map(() => 0);
  }

  run(): Promise<ReadReport> {
    return this.#plan.scan(this.#signal, "reader", async (session, pages) => {
      await this.#read(session, pages).catch((error: unknown) => this.#failing.abort(error));
      for (const { giveUp } of this.#helping) giveUp();
      await Promise.all(this.#helping.map(({ ended }) => ended));
      this.#failing.signal.throwIfAborted();
      return { rows: this.#rows, bytes: this.#bytes, notes: this.#notes() };
    });
  }

  async #read(session: PostgresSession, pages: number): Promise<void> {
    const { table, columns, where } = this.#plan.request;
    // The server finds rows of a condition, or single columns, by an index, or scans with workers of its own.
    const isWhole = where === undefined && columns.length >= table.columns.length;
    if (!isWhole || pages < RANGED_PAGES_MIN) return this.#copy(session, quoteTable(table), where);
    await session.fetchRows(BY_TID, "", this.#signal);
    const startedAt = performance.now();
    await this.#copyRange(session, beforePage(RANGE_PAGES));
    const bytesPerSecond = this.#bytes / ((performance.now() - startedAt) / 1_000);
    if (bytesPerSecond >= this.#plan.slowBytesPerSecond) {
      await session.fetchRows(BY_SCAN, "", this.#signal);
      return this.#copyRange(session, fromPage(RANGE_PAGES));
    }
    this.#nextPage = RANGE_PAGES;
    this.#lastPage = pages;
    await this.#copyRanges(session, () => true);
  }

  /** Copies ranges out until none is left, or `goesOn` no more. */
  async #copyRanges(session: PostgresSession, goesOn: () => boolean): Promise<void> {
    const { sessions } = this.#plan;
    while (this.#nextPage < this.#lastPage && goesOn()) {
      this.#signal.throwIfAborted();
      const from = this.#nextPage;
      this.#nextPage += RANGE_PAGES;
      const isLast = this.#nextPage >= this.#lastPage;
      if (!isLast && sessions.hasHelper && !this.#isRefused) this.#callHelper();
      // The last range has no end: pages may have come after they were counted.
      await this.#copyRange(session, isLast ? fromPage(from) : `${fromPage(from)} AND ${beforePage(this.#nextPage)}`);
    }
  }

  /** Lets one session more read ranges. Where it can't be had, the others read them all. */
  #callHelper(): void {
    const { scan, sessions } = this.#plan;
    const opening = new AbortController();
    let isOpen = false;
    const help = async (session: PostgresSession): Promise<void> => {
      isOpen = true;
      await session.fetchRows(BY_TID, "", this.#signal);
      await this.#copyRanges(session, () => sessions.mayHelp);
    };
    const ended = scan(AbortSignal.any([this.#signal, opening.signal]), "helper", help).catch((error: unknown) => {
      if (isOpen) this.#failing.abort(error);
      else this.#isRefused = true;
    });
    sessions.addHelper(ended);
    this.#helping.push({ ended, giveUp: () => isOpen || opening.abort() });
  }

  /** A range holds rows of the table itself: a heir that it gets meanwhile has pages with the same numbers. */
  #copyRange(session: PostgresSession, range: string): Promise<void> {
    return this.#copy(session, `ONLY ${quoteTable(this.#plan.request.table)}`, range);
  }

  async #copy(session: PostgresSession, from: string, where: string | undefined): Promise<void> {
    const { table, columns, emptyColumns, take } = this.#plan.request;
    const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, this.#oddFloats));
    const decoder = new PostgresDecoder(columns, builder, this.#oddFloats);
    const cells = columns.map((column) => column.select).join(", ");
    const select = `SELECT ${cells} FROM ${from}${where === undefined ? "" : ` WHERE ${where}`}`;
    const sent = await session.copyOut(`COPY (${select}) TO STDOUT (FORMAT binary)`, this.#signal, decoder);
    await builder.flush();
    const { rowsTotal, bytesTotal } = builder;
    if (!decoder.isEnded || rowsTotal !== sent)
      protocolViolation(`it says it sent ${sent} rows of ${table.schema}.${table.name}, and ${rowsTotal} arrived`);
    this.#rows += rowsTotal;
    this.#bytes += bytesTotal;
    this.#rebasedLists += decoder.rebasedLists;
  }

  #notes(): string[] {
    return this.#rebasedLists > 0
      ? [`${this.#rebasedLists} arrays begin at an index other than 1; their elements are kept, the index is not.`]
      : [];
  }
}
