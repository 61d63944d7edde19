// Statements of the engine's own at PostgreSQL, and their rows as text.

import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import { protocolViolation, readCells, readFields } from "./messages.ts";
import { message, ROW, ROW_DESCRIPTION, SIMPLE, type Wire } from "./wire.ts";

/**
 * Runs one or several statements and returns the rows of those that give rows of `format`. Rejects as
 * {@link Wire.exchange} does.
 */
export async function fetchRows(wire: Wire, sql: string, format: RowFormat): Promise<TextRow[]> {
  const collector = new RowCollector(format, protocolViolation);
  let columns = -1;
  await wire.exchange(message("Q", sql), SIMPLE, (type, bytes, from, to) => {
    if (type === ROW_DESCRIPTION) columns = readFields(bytes, from, to).length;
    else if (type !== ROW) columns = -1;
    else if (columns < 0) protocolViolation("a row came before its description");
    // Several statements in one text may give rows that nobody wants.
    else if (format !== "") collector.add(readCells(bytes, from, to, columns));
  });
  return collector.rows;
}
