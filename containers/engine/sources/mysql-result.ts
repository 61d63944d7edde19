// One statement's result as it arrives: columns first, then rows at the pace of whoever takes them.

import type { Connection as Driver, FieldPacket, Query } from "mysql2";
import { Failure } from "../failure.ts";
import { describeColumns, type MysqlColumn } from "./mysql-columns.ts";
import { createRowPacker, type RowPacker } from "./mysql-rows.ts";
import type { SourceResult } from "./connector.ts";

type Take = Parameters<SourceResult["rows"]>[0];

export type MysqlResult = {
  /** Rejects with the driver's error, or `signal.reason`. */
  columns: Promise<MysqlColumn[]>;
  /** To be called once the columns are known. Rejects as they do, or with what `take` threw. */
  rows(take: Take): Promise<void>;
  /** Whether the server is done with the statement, well or not. */
  readonly ended: boolean;
};

/** What mysql2 has of a packet; its types don't tell. */
type Packet = { buffer: Buffer; offset: number; end: number; isEOF(): boolean };
type RowStep = (this: unknown, packet: Packet, connection: unknown) => unknown;

/**
 * Sends a statement. Rows wait until they are asked for.
 *
 * Rows are read off the driver's packets before it makes values of them, which spares two fifths of the work. That step is no public
 * part of it: where packets look otherwise, `tapped` is off and its rows of buffers are taken instead.
 */
export function sendStatement(driver: Driver, sql: string, signal: AbortSignal, tapped = true): MysqlResult {
  const described = Promise.withResolvers<MysqlColumn[]>();
  const finished = Promise.withResolvers<void>();
  finished.promise.catch(() => undefined);
  let ended = false;
  let failed = false;
  let packer: RowPacker | undefined;
  let take: Take | undefined;

  const fail = (error: unknown) => {
    failed = true;
    described.reject(error);
    finished.reject(error);
    driver.pause();
    take = undefined;
  };
  const onAbort = () => fail(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  void finished.promise.then(() => signal.removeEventListener("abort", onAbort), () => signal.removeEventListener("abort", onAbort));
  if (signal.aborted) onAbort();

  /** Hands the packed row over; holds the connection while it is not taken yet. */
  const hand = () => {
    if (!take || !packer) return;
    try {
      const taken = take(packer.row);
      if (taken === true) return;
      driver.pause();
      if (taken === false) return finish();
      taken.then((more) => (more ? take && driver.resume() : finish()), fail);
    } catch (error) {
      fail(error);
    }
  };
  const finish = () => {
    take = undefined;
    finished.resolve();
  };

  driver.on("error", fail);
  const query = driver.query({ sql });
  if (tapped) tapRows(query, () => packer, hand);
  query
    .on("error", fail)
    .on("fields", (fields: FieldPacket[] | undefined) => {
      // Nothing is sent past the columns until somebody asks for rows.
      driver.pause();
      if (packer) return fail(new Failure("statement_refused", "The statement gave more than one result."));
      if (!fields) return fail(new Failure("statement_refused", "The statement gave no rows."));
      const columns = describeColumns(fields);
      packer = createRowPacker(columns);
      described.resolve(columns);
    })
    .on("result", (cells: (Buffer | null)[]) => {
      if (!packer || !Array.isArray(cells)) return;
      packer.start();
      cells.forEach((cell, i) => (cell === null ? packer!.putNull(i) : packer!.put(i, cell, 0, cell.length)));
      hand();
    })
    .on("end", () => {
      ended = true;
      finish();
    });
  return {
    columns: described.promise,
    rows(taker) {
      if (!failed) {
        take = taker;
        driver.resume();
      }
      return finished.promise;
    },
    get ended() {
      return ended;
    },
  };
}

/** Puts itself before the driver's own step for a row. */
function tapRows(query: Query, packerOf: () => RowPacker | undefined, hand: () => void): void {
  const steps = query as unknown as { row?: RowStep };
  const driversStep = steps.row;
  if (typeof driversStep !== "function") return;
  const step: RowStep = function (packet, connection) {
    const packer = packerOf();
    const isKnown = Buffer.isBuffer(packet.buffer) && Number.isInteger(packet.offset) && Number.isInteger(packet.end);
    if (!packer || !isKnown || packet.isEOF()) return driversStep.call(this, packet, connection);
    unpack(packet, packer);
    hand();
    return step;
  };
  steps.row = step;
}

/** A row of the text protocol: each cell its length, then its bytes; 0xfb is NULL. */
function unpack({ buffer, offset, end }: Packet, packer: RowPacker): void {
  const count = packer.row.starts.length;
  packer.start();
  let at = offset;
  for (let i = 0; i < count; i++) {
    let length = buffer[at++]!;
    if (length === 0xfb) {
      packer.putNull(i);
      continue;
    }
    if (length > 0xfb) {
      const bytes = length === 0xfc ? 2 : length === 0xfd ? 3 : 8;
      length = bytes === 8 ? Number(buffer.readBigUInt64LE(at)) : buffer.readUIntLE(at, bytes);
      at += bytes;
    }
    if (at + length > end) throw new Error("A row of the text protocol ends before its cells do.");
    packer.put(i, buffer, at, at + length);
    at += length;
  }
}
