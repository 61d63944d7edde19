// A result under other names than its statement's, its times as Cube writes them: what a semantic query is answered
// with, made by DuckDB from the statement's own rows.

import {
  DuckDBArrayType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId as Id,
  DOUBLE,
  TIMESTAMP,
  VARCHAR,
  type DuckDBType,
} from "@duckdb/node-api";
import { isBatchFormat } from "../../../../../kernel/wire/engine-program.ts";
import type { ShownColumn } from "../../../core/statement.ts";
import { columnShown, otherColumns } from "../../../formats/shown-column.ts";
import { textOf } from "../canonical-text.ts";
import { fromStatement, type DescribedStatement } from "./described-statement.ts";

/** An SQL expression, and its type. */
type Cell = { sql: string; type: DuckDBType };

/** The statement that gives `shown` of what the one given does. */
export function withShownColumns(statement: DescribedStatement, shown: readonly ShownColumn[]): DescribedStatement {
  const { sql, shape, order } = statement;
  if (new Set(shown.map(({ index }) => index)).size !== shape.types.length) throw otherColumns();
  const isTyped = isBatchFormat(order.result.format);
  const cells = shown.map(({ index, isTime }): Cell => {
    const [type, ref] = [shape.types[index]!, `c${index + 1}`];
    if (isTime) return isTyped ? timeCell(type, ref) : { sql: timeText(type, ref), type: VARCHAR };
    return isTyped ? plainCell(type, ref) : { sql: ref, type };
  });
  return {
    ...statement,
    sql: `${fromStatement(sql, shape)} SELECT ${cells.map((cell) => cell.sql).join(", ")}`,
    shape: {
      columns: shown.map((each) => columnShown(each, shape.columns[each.index]!)),
      types: cells.map(({ type }) => type),
    },
  };
}

/** Whether the year has four digits. Other years are left as they are. */
const isPlain = (ref: string): string =>
  `${ref} BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'`;

const TIME = String.raw`\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|\+00(:?00)?)?)?`;

/** `2026-01-31T10:00:00.000`, or what the text is where that is no such time. */
function timeText(type: DuckDBType, ref: string): string {
  const text = textOf(type, ref);
  if (type.typeId === Id.TIMESTAMP)
    return `CASE WHEN ${isPlain(ref)} THEN strftime(${ref}, '%Y-%m-%dT%H:%M:%S.%g') ELSE ${text} END`;
  const clock = `CASE WHEN length(${text}) = 10 THEN '00:00:00' ELSE substr(${text}, 12, 8) END`;
  const fraction = String.raw`rpad(left(regexp_extract(${text}, '\.(\d+)', 1), 3), 3, '0')`;
  return (
    `CASE WHEN regexp_full_match(${text}, '${TIME}') ` +
    `THEN concat(left(${text}, 10), 'T', ${clock}, '.', ${fraction}) ELSE ${text} END`
  );
}

/** The texts that Arrow's timestamps can be read from. */
const CLOCK_TIME = String.raw`\d{4,6}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6}0*)?`;

/** A cell's time as a timestamp. Infinite times stay infinite: Arrow can't hold them, and the failure says so. */
function timeCell(type: DuckDBType, ref: string): Cell {
  if (type.typeId === Id.TIMESTAMP)
    return { sql: `CASE WHEN ${isPlain(ref)} THEN date_trunc('millisecond', ${ref}) ELSE ${ref} END`, type: TIMESTAMP };
  const text = timeText(type, ref);
  const time = `CASE WHEN regexp_full_match(${text}, '${CLOCK_TIME}') THEN TRY_CAST(${text} AS TIMESTAMP) END`;
  return { sql: `CASE WHEN ${ref} IS NOT NULL THEN coalesce(${time}, TIMESTAMP 'infinity') END`, type: TIMESTAMP };
}

/**
 * A cell in the type that sources have in Arrow, wherever a model lies: no dictionaries, no nested types, and floats as
 * doubles of the same digits.
 */
function plainCell(type: DuckDBType, ref: string): Cell {
  if (type.typeId === Id.FLOAT) return { sql: `CAST(CAST(${ref} AS VARCHAR) AS DOUBLE)`, type: DOUBLE };
  const isText =
    type instanceof DuckDBEnumType ||
    type instanceof DuckDBListType ||
    type instanceof DuckDBArrayType ||
    type instanceof DuckDBStructType ||
    type instanceof DuckDBMapType;
  return isText ? { sql: textOf(type, ref), type: VARCHAR } : { sql: ref, type };
}
