// DataRow messages as rows of canonical text. Cells stay where the socket's bytes are wherever they can.

import { Output } from "../../../formats/output.ts";
import type { Row } from "../../../formats/result.ts";
import { isJson } from "../../json-syntax.ts";
import { putArray } from "./array-json.ts";
import { protocolViolation } from "../connection/messages.ts";
import { BUFFER_PREFIX } from "../connection/wire.ts";
import { binaryText, floatText, hexText, jsonText, stampText } from "./value-text.ts";
import type { Shape } from "./column-types.ts";

type Fix = (row: Row & { bytes: Buffer }, cell: number) => void;
/** Appends to `out` what the value in `bytes[from .. to)` is as text. */
type Put = (out: Output, bytes: Buffer, from: number, to: number) => void;

/**
 * A reader of the rows of one result: gives the row in `bytes[from .. to)`, a DataRow's body in a buffer that begins
 * with {@link BUFFER_PREFIX}. The row and its bytes are good until the next call; bytes are rewritten in place. Throws
 * a Failure where the cells are not as many as the shapes, don't fill the body, or are no text of their kind.
 */
export function createRowReader(shapes: Shape[]): (bytes: Buffer, from: number, to: number) => Row {
  const starts = new Int32Array(shapes.length);
  const ends = new Int32Array(shapes.length);
  const fixes = shapes.flatMap((shape, cell) => {
    const fix = fixOf(shape);
    return fix ? [{ fix, cell }] : [];
  });
  const moves = shapes.flatMap((shape, cell) => {
    const put = putOf(shape);
    return put ? [{ put, cell }] : [];
  });
  const scratch = new Output();

  return (bytes, from, to) => {
    if (to - from < 2 || ((bytes[from]! << 8) | bytes[from + 1]!) !== starts.length)
      protocolViolation("a row has another number of cells than its description");
    let at = from + 2;
    for (let i = 0; i < starts.length; i++) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      // A head beyond the row has a length of whatever lies there: either way it is past the end.
      if (length < -1 || length > to - at || at > to) protocolViolation("a cell is longer than its row");
      starts[i] = at;
      if (length >= 0) at += length;
      ends[i] = length < 0 ? -1 : at;
    }
    if (at !== to) protocolViolation("a row goes on after its cells");
    const row = { bytes, starts, ends };
    for (const { fix, cell } of fixes) if (ends[cell]! >= 0) fix(row, cell);
    if (moves.length === 0) return row;

    // JSON is longer than an array's own text, and a number's text than its bytes: such rows move to a larger buffer.
    scratch.length = 0;
    scratch.copy(BUFFER_PREFIX);
    const shift = scratch.length - from;
    scratch.copy(bytes, from, to);
    for (let i = 0; i < starts.length; i++) {
      if (ends[i]! < 0 || starts[i]! < BUFFER_PREFIX.length) continue;
      starts[i]! += shift;
      ends[i]! += shift;
    }
    for (const { put, cell } of moves) {
      if (ends[cell]! < 0) continue;
      const start = scratch.length;
      put(scratch, bytes, starts[cell]! - shift, ends[cell]! - shift);
      starts[cell] = start;
      ends[cell] = scratch.length;
    }
    row.bytes = scratch.bytes;
    return row;
  };
}

function putOf({ element, form }: Shape): Put | undefined {
  if (element)
    return (out, bytes, from, to) => {
      const start = out.length;
      putArray(out, bytes, from, to, element.kind, element.delimiter);
      if (!isJson(out.bytes, start, out.length)) protocolViolation("an array is none");
    };
  if (form === "hex") return (out, bytes, from, to) => out.text(hexText(bytes, from, to));
  if (form) return (out, bytes, from, to) => out.text(floatText(bytes, from, to, form));
  return undefined;
}

function fixOf({ kind, element, form }: Shape): Fix | undefined {
  if (element || form) return undefined;
  switch (kind) {
    case "boolean":
      return ({ bytes, starts, ends }, cell) => {
        const yes = bytes[starts[cell]!] === 0x74;
        if (ends[cell]! - starts[cell]! !== 1 || (!yes && bytes[starts[cell]!] !== 0x66))
          protocolViolation("a boolean is none");
        starts[cell] = yes ? 0 : 4;
        ends[cell] = yes ? 4 : 9;
      };
    case "timestamp":
    case "timestamptz":
      return ({ bytes, starts, ends }, cell) => (ends[cell] = stampText(bytes, starts[cell]!, ends[cell]!, kind));
    case "binary":
      return ({ bytes, starts, ends }, cell) => (ends[cell] = binaryText(bytes, starts[cell]!, ends[cell]!));
    case "json":
      return ({ bytes, starts, ends }, cell) => {
        if (!isJson(bytes, starts[cell]!, ends[cell]!)) protocolViolation("a JSON value is none");
        jsonText(bytes, starts[cell]!, ends[cell]!);
      };
    default:
      return undefined;
  }
}
