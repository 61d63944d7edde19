// A result as deliveries read it: an Arrow stream's columns, and each cell as the engine's JSON says it.

import { RENDER_BOUNDS } from "../bounds.ts";
import type { ArrowField } from "./arrow-schema.ts";
import { readArrowStream, type Batch } from "./arrow-stream.ts";
import { isUuid, readCell } from "./cells.ts";
import { COLUMN_KINDS, type ColumnKind, type ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import { damaged, UnreadableResult } from "./unreadable.ts";

/** Reads an Arrow IPC stream. Throws an {@link UnreadableResult}; cells are read when they are asked for. */
export function readResult(bytes: Uint8Array): ResultTable {
  if (bytes.length > RENDER_BOUNDS.streamBytesMax)
    throw new UnreadableResult("too_large", `The result has more than ${RENDER_BOUNDS.streamBytesMax} bytes.`);
  const { fields, batches, rowCount } = readable(() => readArrowStream(bytes));
  const columns = fields.map((field) => ({ name: field.name, kind: kindOf(field) }));
  const batchAt = searchOf(batches);
  return {
    columns,
    rowCount,
    cell(row, column) {
      const kind = columns[column]?.kind;
      if (kind === undefined || !Number.isInteger(row) || row < 0 || row >= rowCount)
        throw new Error(`The result has no cell ${column} of row ${row}.`);
      const batch = batchAt(row);
      const value = readable(() => readCell(batch.columns[column]!, row - batch.firstRow));
      return kind === "bigint" && typeof value === "string" && WHOLE.test(value) ? BigInt(value) : value;
    },
  };
}

/** A whole number with more digits stays text, since making a bigint of it takes long. */
const WHOLE = /^-?\d{1,1000}$/;

/** A place outside the bytes is a RangeError of a DataView, and text that is no UTF-8 a TypeError. */
function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw Object.assign(damaged("a place in it lies outside its bytes"), { cause: error });
  }
}

/** Neighbouring rows are asked for one after the other. */
function searchOf(batches: readonly Batch[]): (row: number) => Batch {
  let at = 0;
  return (row) => {
    const isIn = ({ firstRow, rowCount }: Batch) => row >= firstRow && row < firstRow + rowCount;
    if (isIn(batches[at]!)) return batches[at]!;
    if (at + 1 < batches.length && isIn(batches[at + 1]!)) return batches[++at]!;
    let [low, high] = [0, batches.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (batches[middle]!.firstRow <= row) low = middle;
      else high = middle - 1;
    }
    at = low;
    return batches[at]!;
  };
}

/** Kinds that the engine writes as text, or as a decimal without fraction, and names in the field's metadata. */
function kindOf(field: ArrowField): ColumnKind {
  const named = COLUMN_KINDS.find((kind) => kind === field.metadata.get("kind"));
  const { type } = field;
  switch (type.id) {
    case "boolean":
      return "boolean";
    case "int":
      return type.bits === 64 ? "bigint" : "integer";
    case "float":
      return "float";
    case "decimal":
      return named === "bigint" && type.scale === 0 ? "bigint" : "decimal";
    case "date":
      return "date";
    case "time":
      return "time";
    case "timestamp":
      return type.isZoned ? "timestamptz" : "timestamp";
    case "binary":
      return "binary";
    case "fixedBinary":
      return isUuid(type, field.metadata) ? "text" : "binary";
    case "list":
    case "map":
    case "fixedList":
    case "struct":
      return "json";
    case "text":
      return named !== undefined && OF_TEXT.has(named) ? named : "text";
    case "duration":
    case "interval":
    case "null":
      return "text";
  }
}

const OF_TEXT: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["bigint", "decimal", "time", "json", "text"]);
