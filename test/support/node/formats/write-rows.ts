// Rows of canonical text, written in one of the formats.

import type { Column, RowWriter, ValueKind } from "../../../../containers/engine/formats/result.ts";
import { createRowPacker } from "../../../../containers/engine/formats/row-packer.ts";
import { createWriter } from "../../../../containers/engine/formats/writers.ts";
import type { ResultOptions } from "../../../../kernel/wire/engine.ts";
import type { Format } from "../../../../kernel/wire/engine-program.ts";

export type Cells = (string | null)[];

export const column = (name: string, kind: ValueKind, more: Partial<Column> = {}): Column => ({
  name,
  type: kind,
  kind,
  ...more,
});

/** Writes rows of canonical text as a source's are. */
export function writeRows(
  format: Format,
  columns: Column[],
  rows: Cells[],
  options: Partial<ResultOptions> = {},
): { writer: RowWriter; bytes: Buffer } {
  const writer = createWriter({
    columns,
    result: { format, numbers: "exact", rowsMax: 1_000_000, bytesMax: 1_000_000_000, ...options },
    requestId: "request-1",
  });
  const pack = createRowPacker(columns.length);
  const pieces: Uint8Array[] = [];
  for (const cells of rows) {
    if (!writer.write(pack(cells))) break;
    if (writer.pending > 1_000) pieces.push(writer.take());
  }
  pieces.push(writer.end({ durationMs: 12 }));
  return { writer, bytes: Buffer.concat(pieces) };
}
