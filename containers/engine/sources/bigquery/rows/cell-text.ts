// Rows as the REST API has them, as cells of canonical text.

import { protocolViolation } from "../connection/errors.ts";
import type { Field } from "../connection/resources.ts";
import { isRepeated, sqlType } from "./column-types.ts";
import { nestedJson } from "./nested-json.ts";
import { cellsOf, invalid, textReader, valueOf } from "./scalar-text.ts";

/** Reads a row: `{"f": [{"v": …}, …]}`. Throws a Failure. */
export function createCellReader(fields: readonly Field[]): (row: unknown) => (string | null)[] {
  const readers = fields.map(cellReader);
  const count = readers.length;
  return (row) => {
    const cells = cellsOf(row);
    if (cells.length !== count) protocolViolation("a row has another number of cells than there are columns");
    const texts = new Array<string | null>(count);
    for (let i = 0; i < count; i++) texts[i] = readers[i]!(valueOf(cells[i]));
    return texts;
  };
}

function cellReader(field: Field): (value: unknown) => string | null {
  if (isRepeated(field) || sqlType(field) === "STRUCT") {
    const read = nestedJson(field);
    return (value) => (value === null ? null : read(value));
  }
  const read = textReader(field);
  return (value) => (value === null ? null : typeof value === "string" ? read(value) : invalid(field));
}
