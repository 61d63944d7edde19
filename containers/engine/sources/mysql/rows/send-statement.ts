// One statement's result as it arrives: columns first, then rows at the pace of whoever takes them.

import { Failure } from "../../../core/failure.ts";
import type { SourceResult } from "../../connector.ts";
import { describeColumns, type MysqlColumn } from "./column-types.ts";
import { protocolViolation, readLength } from "../connection/packets.ts";
import { createRowPacker, type RowPacker } from "./row-packer.ts";
import type { MysqlWire, Take } from "../connection/wire.ts";

type TakeRow = Parameters<SourceResult["rows"]>[0];

export type MysqlResult = {
  /** Rejects as {@link MysqlWire.query} does, and where there are none. */
  columns: Promise<MysqlColumn[]>;
  /** To be called once the columns are known. Rejects as they do, or with what `take` threw. */
  rows(take: TakeRow): Promise<void>;
};

/** Sends a statement. Rows wait until they are asked for. */
export function sendStatement(wire: MysqlWire, sql: string, signal: AbortSignal): MysqlResult {
  const described = Promise.withResolvers<MysqlColumn[]>();
  const wanted = Promise.withResolvers<void>();
  let row: Take = () => undefined;
  const answered = wire.query(sql, signal, {
    columns(definitions) {
      const columns = describeColumns(definitions);
      const packer = createRowPacker(columns);
      described.resolve(columns);
      return wanted.promise.then(() => void (row = takeBy(packer)));
    },
    row: (bytes, from, to) => row(bytes, from, to),
  });
  let takeRow: TakeRow = () => false;
  const takeBy =
    (packer: RowPacker): Take =>
    (bytes, from, to) => {
      unpack(bytes, from, to, packer);
      return takeRow(packer.row);
    };
  answered.then(
    () => described.reject(new Failure("statement_refused", "The statement gave no rows.")),
    described.reject,
  );
  return {
    columns: described.promise,
    async rows(take) {
      takeRow = take;
      wanted.resolve();
      await answered;
    },
  };
}

const NULL = 0xfb;

/**
 * A row of the text protocol: each cell its length, then its bytes. Throws a Failure where its cells are not the
 * columns'.
 */
function unpack(bytes: Buffer, from: number, to: number, packer: RowPacker): void {
  const count = packer.row.starts.length;
  packer.start();
  let at = from;
  for (let i = 0; i < count; i++) {
    if (at >= to) protocolViolation("a row has fewer cells than columns");
    let length = bytes[at]!;
    if (length < NULL) at++;
    else {
      const told = readLength(bytes, at, to);
      length = told.length;
      at = told.start;
    }
    if (length < 0) {
      packer.putNull(i);
      continue;
    }
    if (length > to - at) protocolViolation("a cell is longer than its row");
    packer.put(i, bytes, at, at + length);
    at += length;
  }
  if (at !== to) protocolViolation("a row goes on after its cells");
}
