// Runs a statement whose tables are in place and hands its result over; in memory there are never more than a few
// chunks of it.

import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBUnionType,
  type DuckDBConnection,
  type DuckDBType,
} from "@duckdb/node-api";
import { Failure } from "../../core/failure.ts";
import { distinctNames, type Column } from "../../formats/result.ts";
import { Output } from "../../formats/output.ts";
import { createTextRow } from "../../formats/text-row.ts";
import { createWriter } from "../../formats/writers.ts";
import { fromDuckdb } from "../../duckdb/errors.ts";
import { quoteLiteral } from "../../duckdb/quoting.ts";
import { putCellRow } from "./cell-rows.ts";
import { Lines } from "./line-bytes.ts";
import { FRAME_BYTES_MAX, rowsTaken, type RunOrder } from "./messages.ts";
import type { Explain } from "../sql/analysis.ts";
import { withoutCatalogs } from "../sql/catalogs.ts";
import { columnOf, lineOf, textOf } from "./canonical-text.ts";

/**
 * Takes a result; a promise asks to wait. `whole`: the bytes end where a row ends. `check` throws once the statement is
 * cancelled.
 */
export type ResultTaker = {
  check(): void;
  columns(columns: Column[]): void | Promise<void>;
  data(bytes: Uint8Array, whole: boolean): void | Promise<void>;
};

type Shape = { columns: Column[]; types: DuckDBType[] };

/** A statement whose columns are known, ready to run. */
type DescribedStatement = { connection: DuckDBConnection; sql: string; shape: Shape; order: RunOrder };

/** Rejects with a Failure whose position is within `order.body`. */
export async function streamResult(
  connection: DuckDBConnection,
  order: RunOrder,
  take: ResultTaker,
): Promise<{ truncated: boolean }> {
  try {
    const sql = order.explain ? await explanation(connection, order.explain, order.body) : order.body;
    const shape = await shapeOf(connection, sql);
    await take.columns(shape.columns);
    const statement = { connection, sql, shape, order };
    if (order.result.format === "arrow") return await streamArrow(statement, take);
    return await (order.result.format === "cells" ? streamCells(statement, take) : streamLines(statement, take));
  } catch (error) {
    throw fromDuckdb(error, order.body, 1);
  }
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

function nestsBeyond(type: DuckDBType, levels: number): boolean {
  if (levels === 0) return true;
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return nestsBeyond(type.valueType, levels - 1);
  if (type instanceof DuckDBMapType)
    return [type.keyType, type.valueType].some((inner) => nestsBeyond(inner, levels - 1));
  if (type instanceof DuckDBStructType) return type.entryTypes.some((inner) => nestsBeyond(inner, levels - 1));
  return type instanceof DuckDBUnionType && type.memberTypes.some((inner) => nestsBeyond(inner, levels - 1));
}

type OuterSelect = { select: string; limit?: string; last: string };

/**
 * `select` over the caller's statement, whose text begins on the second line, and behind its rows the row `last`.
 *
 * A streamed result that fails half-way ends for its reader exactly as one that is complete: DuckDB's Node binding does
 * not report the error. The last row is the proof that nothing is missing.
 */
const wrapWithLastRow = (sql: string, { columns }: Shape, { select, limit = "", last }: OuterSelect): string =>
  `(FROM (\n${sql}\n) AS q(${columns.map((_, i) => `c${i + 1}`).join(", ")}) SELECT ${select}${limit}) UNION ALL ` +
  `SELECT ${last}`;

/** A result ended without its last row: says why, by doing the work again without its result. */
async function broken(connection: DuckDBConnection, streamed: string, take: ResultTaker): Promise<never> {
  take.check();
  await connection.run(`SELECT sum(hash(COLUMNS(*))) FROM (${streamed})`);
  take.check();
  throw new Failure("internal", "The result broke off.");
}

async function streamLines(
  { connection, sql, shape, order }: DescribedStatement,
  take: ResultTaker,
): Promise<{ truncated: boolean }> {
  const { numbers } = order.result;
  const format = order.result.format === "csv" || order.result.format === "ndjson" ? order.result.format : "json";
  const rowsMax = rowsTaken(order.result);
  const capped = rowsMax !== undefined;
  const line = lineOf(format, shape.columns, shape.types, numbers);
  const streamed = wrapWithLastRow(sql, shape, { select: line, limit: capped ? ` LIMIT ${rowsMax}` : "", last: "''" });
  const result = await connection.stream(streamed);
  const pieces = new Pieces(take);
  let rowCount = 0;
  let rowBytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return broken(connection, streamed, take);
    const lines = new Lines(chunk);
    let taken = 0;
    let ended = false;
    for (; taken < lines.count; taken++) {
      // Every line of a row has at least its line break.
      ended = lines.length(taken) === 0;
      if (ended) break;
      rowBytes += lines.length(taken);
      if (capped && (rowCount + taken >= order.result.rowsMax || rowBytes > order.result.bytesMax)) break;
    }
    // Every JSON row opens with the comma that parts it from the one before.
    let skip = capped && rowCount === 0 ? 1 : 0;
    for (const run of lines.runs(0, taken)) {
      const full = pieces.add(skip > 0 ? run.subarray(skip) : run);
      if (full) await full;
      skip = 0;
    }
    const all = taken === lines.count;
    lines.release();
    rowCount += taken;
    await pieces.endRows();
    if (!all) {
      await pieces.flush();
      return { truncated: !ended };
    }
  }
}

/** Gathers runs into pieces worth sending. Copies before it waits, since a run's memory is DuckDB's. */
class Pieces {
  readonly #take: ResultTaker;
  #buffer = Buffer.allocUnsafeSlow(FRAME_BYTES_MAX);
  #length = 0;

  constructor(take: ResultTaker) {
    this.#take = take;
  }

  /** A promise only where something had to be sent. */
  add(run: Uint8Array): Promise<void> | undefined {
    if (this.#length + run.length < FRAME_BYTES_MAX) {
      this.#buffer.set(run, this.#length);
      this.#length += run.length;
      return undefined;
    }
    return this.#addCut(run);
  }

  async #addCut(run: Uint8Array): Promise<void> {
    for (let from = 0; from < run.length; ) {
      const size = Math.min(run.length - from, FRAME_BYTES_MAX - this.#length);
      this.#buffer.set(run.subarray(from, from + size), this.#length);
      this.#length += size;
      from += size;
      if (this.#length === FRAME_BYTES_MAX) await this.#send(false);
    }
  }

  /** What is gathered ends with a row. */
  async endRows(): Promise<void> {
    if (this.#length > FRAME_BYTES_MAX / 2) await this.#send(true);
  }

  async flush(): Promise<void> {
    await this.#send(true);
  }

  async #send(whole: boolean): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = Buffer.allocUnsafeSlow(FRAME_BYTES_MAX);
    this.#length = 0;
    await this.#take.data(bytes, whole);
  }
}

async function streamArrow(statement: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const { shape, order } = statement;
  const writer = createWriter({
    columns: shape.columns,
    result: { ...order.result, format: "arrow" },
    requestId: order.requestId,
  });
  const pack = createTextRow(shape.columns.length);
  await streamTexts(statement, take, {
    row: (cells) => writer.write(pack(cells)),
    flush: async () => {
      if (writer.pending >= FRAME_BYTES_MAX) await sendCut(writer.take(), take);
    },
  });
  await sendCut(writer.end({ durationMs: 0 }), take);
  return { truncated: false };
}

async function streamCells(statement: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const out = new Output();
  await streamTexts(statement, take, {
    row: (cells) => putCellRow(out, cells),
    flush: () => sendCut(out.take(), take),
  });
  return { truncated: false };
}

/** Takes rows as texts; `flush` comes behind each chunk of them. */
type TextTaker = { row(cells: (string | null)[]): void; flush(): Promise<void> };

async function streamTexts(
  { connection, sql, shape, order }: DescribedStatement,
  take: ResultTaker,
  texts: TextTaker,
): Promise<void> {
  const rowsMax = rowsTaken(order.result);
  const streamed = wrapWithLastRow(sql, shape, {
    select: `true, ${shape.types.map((type, i) => textOf(type, `c${i + 1}`)).join(", ")}`,
    ...(rowsMax === undefined ? {} : { limit: ` LIMIT ${rowsMax}` }),
    last: `false${", NULL".repeat(shape.types.length)}`,
  });
  const result = await connection.stream(streamed);
  for (let whole = true; whole; ) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return broken(connection, streamed, take);
    for (const [more, ...cells] of chunk.getRows()) {
      whole = more === true;
      if (!whole) break;
      texts.row(cells as (string | null)[]);
    }
    await texts.flush();
  }
}

async function sendCut(bytes: Uint8Array, take: ResultTaker): Promise<void> {
  for (let from = 0; from < bytes.length; from += FRAME_BYTES_MAX)
    await take.data(bytes.subarray(from, from + FRAME_BYTES_MAX), from + FRAME_BYTES_MAX >= bytes.length);
}
