// Statements of our own at PostgreSQL, and their rows as text.

import { AskedRows, type RowForm, type TextRow } from "../../row-collector.ts";
import { broken, readCells, readFields } from "./messages.ts";
import { ROW, ROW_DESCRIPTION, SIMPLE, type Wire } from "./wire.ts";

/**
 * Runs statements of ours and answers the rows of those that give rows of `form`. Rejects as {@link Wire.exchange}
 * does.
 */
export async function askPostgres(wire: Wire, sql: Buffer, form: RowForm): Promise<TextRow[]> {
  const asked = new AskedRows(form, broken);
  let columns = -1;
  await wire.exchange(sql, SIMPLE, (type, bytes, from, to) => {
    if (type === ROW_DESCRIPTION) columns = readFields(bytes, from, to).length;
    else if (type !== ROW) columns = -1;
    else if (columns < 0) broken("a row came before its description");
    // A statement among others may give rows that nobody wants.
    else if (form !== "") asked.add(readCells(bytes, from, to, columns));
  });
  return asked.rows;
}
