// Rows as Snowflake writes them, `["a",null],["b","c"]`, read as their bytes arrive: nothing is parsed that is not yet
// there, and no more is held than a row that is not complete.

import { Failure } from "../../../core/failure.ts";
import type { TakeRow } from "../../connector.ts";
import { protocolViolation } from "../connection/errors.ts";
import type { RowPacker } from "./row-packer.ts";
import { unescapeCell } from "./unescape-cell.ts";

const ROW_BYTES_MAX = 256 * 1024 * 1024;

const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  COMMA = 0x2c,
  OPEN = 0x5b,
  CLOSE = 0x5d,
  N = 0x6e;

/** The bytes end before the row does. */
const INCOMPLETE = -1;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The rows read, and whether more are wanted. */
export type RowsRead = { rows: number; isWanted: boolean };

/** Reads the rows of one part of a result; `rowsSaid` is how many it is said to have. */
export async function readRowset(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  packer: RowPacker,
  rowsSaid: number,
  take: TakeRow,
): Promise<RowsRead> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let rows = 0;
  let isWanted = true;
  /** Hands on what is complete; the rest stays. */
  const drain = async () => {
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held, heldBytes);
    let at = 0;
    for (let next = 0; isWanted; at = next) {
      next = readRow(bytes, at, rows > 0, packer);
      if (next === INCOMPLETE) break;
      if (++rows > rowsSaid) protocolViolation("a part of a result has more rows than it is said to have");
      const answer = take(packer.row);
      isWanted = answer === true || (answer !== false && (await answer));
    }
    held = [bytes.subarray(at)];
    heldBytes = bytes.length - at;
  };
  /** A growing row is scanned again only when its bytes have doubled. */
  let enough = 1;
  for await (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes < enough) continue;
    const before = rows;
    await drain();
    if (!isWanted) return { rows, isWanted };
    if (heldBytes > ROW_BYTES_MAX) throw rowTooLarge();
    enough = rows === before ? heldBytes * 2 : heldBytes + 1;
  }
  await drain();
  if (isWanted) checkEnd(held[0]!, rows, rowsSaid);
  return { rows, isWanted };
}

function checkEnd(rest: Buffer, rows: number, rowsSaid: number): void {
  if (afterSpace(rest, 0) < rest.length) protocolViolation("a part of a result ends within a row");
  if (rows !== rowsSaid)
    protocolViolation(`a part of a result has ${rows} rows of the ${rowsSaid} that it is said to have`);
}

const rowTooLarge = (): Failure =>
  new Failure(
    "resources_exceeded",
    `A row has more than the ${ROW_BYTES_MAX / 1024 / 1024} MiB that there is room for.`,
  );

/** Puts the row's cells into the packer and returns where the row ends, or {@link INCOMPLETE}. */
function readRow(bytes: Buffer, from: number, isFollowing: boolean, packer: RowPacker): number {
  const count = packer.row.starts.length;
  const end = bytes.length;
  let at = afterSpace(bytes, from);
  if (isFollowing) {
    if (at >= end) return INCOMPLETE;
    if (bytes[at] !== COMMA) protocolViolation("rows are not parted by commas");
    at = afterSpace(bytes, at + 1);
  }
  if (at >= end) return INCOMPLETE;
  if (bytes[at] !== OPEN) protocolViolation("a row is not a list");
  packer.start();
  at++;
  for (let i = 0; i < count; i++) {
    at = afterSpace(bytes, at);
    const after = bytes[at] === QUOTE ? readText(bytes, at + 1, i, packer) : readWord(bytes, at, i, packer);
    if (after === INCOMPLETE) return INCOMPLETE;
    at = afterSpace(bytes, after);
    if (at >= end) return INCOMPLETE;
    if (bytes[at] !== (i === count - 1 ? CLOSE : COMMA))
      protocolViolation("a row has other cells than the result's columns");
    at++;
  }
  return at;
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

function readText(bytes: Buffer, start: number, index: number, packer: RowPacker): number {
  let isEscaped = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) {
      isEscaped = true;
      at++;
    } else if (byte === QUOTE) {
      if (isEscaped) {
        const cell = unescapeCell(bytes, start, at);
        packer.put(index, cell, 0, cell.length);
      } else packer.put(index, bytes, start, at);
      return at + 1;
    }
  }
  return INCOMPLETE;
}

/** NULL; or a number or boolean that stands without quotes. */
function readWord(bytes: Buffer, start: number, index: number, packer: RowPacker): number {
  let at = start;
  while (at < bytes.length && isWord(bytes[at]!)) at++;
  if (at >= bytes.length) return INCOMPLETE;
  if (at === start || at - start > 400) protocolViolation("a cell is neither text nor null");
  if (bytes[start] !== N) packer.put(index, bytes, start, at);
  else if (bytes.toString("latin1", start, at) === "null") packer.putNull(index);
  else protocolViolation("a cell is neither text nor null");
  return at;
}

/** Letters, digits, and what numbers have beside them. */
const isWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte === 0x2b;
