// A result as one JSON document whose last words say whether it is whole.

import { jsonCell, jsonKey } from "./json-cell.ts";
import { Output } from "./output.ts";
import type { Ending, Row, RowWriter, WriterOptions } from "./result.ts";

/** Appends rows as JSON objects: `{"a":1,"b":null}`. */
export function jsonRows({ columns, result }: WriterOptions): (out: Output, row: Row) => void {
  const keys = columns.map(({ name }) => jsonKey(name));
  const cells = columns.map((column) => jsonCell(column, result.numbers));
  const NULL = Buffer.from("null");
  return (out, { bytes, starts, ends }) => {
    out.byte(0x7b);
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) out.byte(0x2c);
      out.copy(keys[i]!);
      const end = ends[i]!;
      if (end < 0) out.copy(NULL);
      else cells[i]!(out, bytes, starts[i]!, end);
    }
    out.byte(0x7d);
  };
}

/**
 * `{"columns":[…],"types":[…],"data":[{…},…],"rowCount":2,"truncated":false,"timing":{…},"meta":{…},"success":true}`.
 *
 * `success` is the last member: a document that was cut off has none and does not parse, one that failed half-way says
 * `false` with `message` and `error`. Past `rowsMax` rows or `bytesMax` bytes of rows the row is refused and
 * `truncated` true.
 */
export function createJsonWriter(options: WriterOptions): RowWriter {
  const { columns, requestId } = options;
  const { rowsMax, bytesMax } = options.result;
  const out = new Output();
  const putRow = jsonRows(options);
  let rowCount = 0;
  let rowBytes = 0;
  let truncated = false;

  const names = columns.map(({ name }) => name);
  const types = columns.map(({ name, type, kind }) => ({ name, type, kind }));
  out.text(`{"columns":${JSON.stringify(names)},"types":${JSON.stringify(types)},"data":[`);

  return {
    write(row) {
      if (truncated || rowCount >= rowsMax) {
        truncated = true;
        return false;
      }
      const before = out.length;
      out.byte(rowCount === 0 ? 0x0a : 0x2c);
      if (rowCount > 0) out.byte(0x0a);
      putRow(out, row);
      if (rowBytes + out.length - before > bytesMax) {
        out.length = before;
        truncated = true;
        return false;
      }
      rowBytes += out.length - before;
      rowCount++;
      return true;
    },
    get pending() {
      return out.length;
    },
    take: () => out.take(),
    end({ durationMs, failure }) {
      out.text(jsonTail(requestId, rowCount, truncated, { durationMs, ...(failure ? { failure } : {}) }));
      return out.take();
    },
  };
}

/** What stands behind the last row. */
export const jsonTail = (requestId: string, rowCount: number, truncated: boolean, ending: Ending): string =>
  `\n],${JSON.stringify(jsonEnding(requestId, rowCount, truncated, ending)).slice(1)}\n`;

/** The members that a document ends with, `success` the last of them. */
export function jsonEnding(requestId: string, rowCount: number, truncated: boolean, { durationMs, failure }: Ending) {
  return {
    rowCount,
    truncated,
    timing: { durationMs },
    meta: { requestId, durationMs },
    ...(failure ? { message: failure.message, error: { code: failure.code, message: failure.message } } : {}),
    success: !failure,
  };
}
