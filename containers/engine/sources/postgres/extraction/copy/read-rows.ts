// The rows of a table by COPY: in one piece, or, of a large table, by ranges of its pages that several sessions read
// beside each other.
//
// One connection carries fewer bytes a second the further away its server is, and one server process makes rows of one
// core. Ranges are taken in the order of the table, so that rows which lie beside each other there come into the same
// part, and its bounds of values stay narrow. Every range is counted by the server as a whole table is.

import { ChunkBuilder } from "../../../../extract/chunk-builder.ts";
import type { ReadReport, ReadRequest } from "../../../../extract/readable-snapshot.ts";
import { protocolViolation } from "../../connection/messages.ts";
import { quoteTable } from "../../sql-text.ts";
import type { PostgresSession } from "../session.ts";
import { PostgresDecoder } from "./copy-decoder.ts";

/** 64 MiB of the server's usual pages: a COPY of them takes longer than to ask for it. */
export const RANGE_PAGES = 8_192;

/** Runs `use` with a session that has locked the table, which has `pages` where it may be read by them, and else 0. */
export type ScanTable = <T>(
  signal: AbortSignal,
  use: (session: PostgresSession, pages: number) => Promise<T>,
) => Promise<T>;

/** How many sessions more the readers of a snapshot may open, all together. */
export type Helpers = { free: number };

/** How many ranges a table of so many pages is read by: 1 is all of it. */
const rangesIn = (pages: number): number => Math.max(1, Math.floor(pages / RANGE_PAGES));

/** The condition on the rows of a range. The last one has no end: a page may have come after they were counted. */
function conditionOf(range: number, ranges: number): string | undefined {
  if (ranges === 1) return undefined;
  const from = `ctid >= '(${range * RANGE_PAGES},0)'::pg_catalog.tid`;
  const to = `ctid < '(${(range + 1) * RANGE_PAGES},0)'::pg_catalog.tid`;
  return range === ranges - 1 ? from : `${from} AND ${to}`;
}

/** A scan by tid begins at the range's page, which the planner of a table without statistics may not see the use of. */
const BY_PAGES = "SET LOCAL enable_tidscan = on; SET LOCAL enable_seqscan = off;";

/** Reads what `request` asks for. Rejects as a snapshot's `read` does, once no session of it reads any more. */
export function readRows(request: ReadRequest, scan: ScanTable, helpers: Helpers): Promise<ReadReport> {
  return new RowsReading(request, scan, helpers).run();
}

class RowsReading {
  readonly #request: ReadRequest;
  readonly #scan: ScanTable;
  readonly #helpers: Helpers;
  /** A session that fails ends what reads beside it. */
  readonly #failing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #oddFloats: number[];
  readonly #helping: { ended: Promise<void>; giveUp: () => void }[] = [];
  #ranges = 1;
  #rangesBegun = 0;
  #isRefused = false;
  #rows = 0;
  #bytes = 0;
  #rebasedLists = 0;

  constructor(request: ReadRequest, scan: ScanTable, helpers: Helpers) {
    this.#request = request;
    this.#scan = scan;
    this.#helpers = helpers;
    this.#signal = AbortSignal.any([request.signal, this.#failing.signal]);
    this.#oddFloats = request.columns.map(() => 0);
  }

  run(): Promise<ReadReport> {
    return this.#scan(this.#signal, async (session, pages) => {
      // For a condition the server scans with workers of its own, or finds the rows by an index.
      this.#ranges = this.#request.where === undefined ? rangesIn(pages) : 1;
      if (this.#ranges > 1) await session.fetchRows(BY_PAGES, "", this.#signal);
      await this.#copyRanges(session).catch((error: unknown) => this.#failing.abort(error));
      for (const { giveUp } of this.#helping) giveUp();
      await Promise.all(this.#helping.map(({ ended }) => ended));
      this.#failing.signal.throwIfAborted();
      return { rows: this.#rows, bytes: this.#bytes, notes: this.#notes() };
    });
  }

  async #copyRanges(session: PostgresSession): Promise<void> {
    while (this.#rangesBegun < this.#ranges) {
      const range = conditionOf(this.#rangesBegun++, this.#ranges);
      if (this.#rangesBegun < this.#ranges && this.#helpers.free > 0 && !this.#isRefused) this.#callHelper();
      await this.#copyRange(session, range);
    }
  }

  /** Lets one session more read ranges. Where it can't be had, the others read them all. */
  #callHelper(): void {
    const opening = new AbortController();
    let isOpen = false;
    const use = async (session: PostgresSession): Promise<void> => {
      isOpen = true;
      await session.fetchRows(BY_PAGES, "", this.#signal);
      await this.#copyRanges(session);
    };
    this.#helpers.free--;
    const ended = this.#scan(AbortSignal.any([this.#signal, opening.signal]), use)
      .catch((error: unknown) => {
        if (isOpen) this.#failing.abort(error);
        else this.#isRefused = true;
      })
      .finally(() => this.#helpers.free++);
    this.#helping.push({ ended, giveUp: () => isOpen || opening.abort() });
  }

  async #copyRange(session: PostgresSession, range: string | undefined): Promise<void> {
    const { table, columns, where = range, emptyColumns, take } = this.#request;
    const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, this.#oddFloats));
    const decoder = new PostgresDecoder(columns, builder, this.#oddFloats);
    const from = `${quoteTable(table)}${where === undefined ? "" : ` WHERE ${where}`}`;
    const select = `SELECT ${columns.map((column) => column.select).join(", ")} FROM ${from}`;
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
