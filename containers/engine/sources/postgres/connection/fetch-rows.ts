// Statements of our own at PostgreSQL, and their rows as text.

import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import { protocolViolation, readCells, readFields } from "./messages.ts";
import { ROW, ROW_DESCRIPTION, SIMPLE, type Wire } from "./wire.ts";

/**
 * Runs statements of ours and answers the rows of those that give rows of `form`. Rejects as {@link Wire.exchange}
 * does.
 */
export async function fetchRows(wire: Wire, sql: Buffer, form: RowFormat): Promise<TextRow[]> {
  const asked = new RowCollector(form, protocolViolation);
  let columns = -1;
  await wire.exchange(sql, SIMPLE, (type, bytes, from, to) => {
    if (type === ROW_DESCRIPTION) columns = readFields(bytes, from, to).length;
    else if (type !== ROW) columns = -1;
    else if (columns < 0) protocolViolation("a row came before its description");
    // A statement among others may give rows that nobody wants.
    else if (form !== "") asked.add(readCells(bytes, from, to, columns));
  });
  return asked.rows;
}
