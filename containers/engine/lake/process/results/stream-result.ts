// Runs a statement whose tables are in place and hands its result over; in memory there are never more than a few
// chunks of it.

import type { DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import { isBatchFormat } from "../../../../../kernel/wire/engine-program.ts";
import { Failure } from "../../../core/failure.ts";
import { distinctNames } from "../../../formats/result.ts";
import { fromDuckdb } from "../../../duckdb/errors.ts";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { partsOf } from "../../../duckdb/type-parts.ts";
import type { RunOrder } from "../messages.ts";
import type { Explain } from "../../sql/analysis.ts";
import { withoutCatalogs } from "../../sql/catalogs.ts";
import { without } from "../../sql/outline.ts";
import { columnOf } from "../canonical-text.ts";
import { streamCells } from "./cells.ts";
import type { DescribedStatement, ResultTaker, Shape } from "./described-statement.ts";
import { streamLines } from "./lines/stream-lines.ts";
import { withShownColumns } from "./shown-columns.ts";

/** The columns of statements over the same relations, by {@link shapeKey}. */
export type ShapesByText = { get(key: string): Shape | undefined; set(key: string, shape: Shape): void };

/** Rejects with a Failure whose position is within `order.body`. */
export async function streamResult(
  connection: DuckDBConnection,
  order: RunOrder,
  take: ResultTaker,
  shapes?: ShapesByText,
): Promise<{ truncated: boolean }> {
  try {
    const sql = order.explain ? await explanation(connection, order.explain, order.body) : order.body;
    const key = order.explain || !order.isSteady ? undefined : shapeKey(order);
    const known = key === undefined ? undefined : shapes?.get(key);
    const shape = known ?? (await shapeOf(connection, sql));
    if (key !== undefined && !known) shapes?.set(key, shape);
    return await streamShaped({ connection, sql, shape, order }, take);
  } catch (error) {
    throw fromDuckdb(error, order.body, 1);
  }
}

async function streamShaped(found: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const { shown, format } = found.order.result;
  const statement = shown ? withShownColumns(found, shown) : found;
  await take.columns(statement.shape.columns);
  // This library is larger than all other code of a query process, so that it is loaded by its first use.
  if (isBatchFormat(format))
    return await (await import("./arrow/stream-batches.ts")).streamBatches(format, statement, take);
  return await (format === "cells" ? streamCells(statement, take) : streamLines(statement, take));
}

/**
 * The plan as a statement of its own, since EXPLAIN can't stand in a FROM. To prepare takes one statement, to run any
 * number.
 */
async function explanation(connection: DuckDBConnection, explain: Explain, body: string): Promise<string> {
  const prepared = await connection.prepare(`${explain}\n${body}`);
  const reader = await prepared.runAndReadAll().finally(() => prepared.destroySync());
  const rows = reader
    .getRows()
    .map(([key, value]) => `(${quoteLiteral(String(key))}, ${quoteLiteral(withoutCatalogs(String(value)))})`);
  return `SELECT * FROM (VALUES ${rows.join(", ")}) AS plan(explain_key, explain_value)`;
}

/**
 * Names all that the columns of a statement depend on, over the same relations: its text but for constants of filters,
 * and the values, whose types may decide those of columns.
 */
const shapeKey = ({ body, filters, values }: RunOrder): string => JSON.stringify([without(body, filters), ...values]);

/** The caller's own text is prepared alone first, so that what DuckDB says of it has no word of ours in it. */
async function shapeOf(connection: DuckDBConnection, sql: string): Promise<Shape> {
  const prepared = await connection.prepare(`\n${sql}`);
  try {
    const indexes = Array.from({ length: prepared.columnCount }, (_, i) => i);
    const names = distinctNames(indexes.map((i) => prepared.columnName(i)));
    const types = indexes.map((i) => prepared.columnType(i));
    const deep = types.findIndex((type) => nestsBeyond(type, RESULT_DEPTH_MAX));
    if (deep >= 0)
      throw new Failure("statement_refused", `The column ${names[deep]} nests deeper than ${RESULT_DEPTH_MAX} levels.`);
    return { columns: names.map((name, i) => columnOf(name, types[i]!)), types };
  } finally {
    prepared.destroySync();
  }
}

/** The SQL that writes a value grows with each level of its type, so the levels are bounded. */
const RESULT_DEPTH_MAX = 100;

const nestsBeyond = (type: DuckDBType, levels: number): boolean =>
  levels === 0 || partsOf(type).some((part) => nestsBeyond(part, levels - 1));
