// Sends a statement and reads its answer as an Arrow stream, batch by batch, up to the bytes that the browser keeps.

import { type RecordBatch, RecordBatchReader, type Schema } from "apache-arrow";
import { ARROW, askQuery, QUERY_MS_MAX, sendQuery } from "../../../api/statement.ts";
import { apiParameters } from "../text/parameters.ts";
import { parameterNames } from "../text/statements.ts";
import type { Question } from "./run.ts";

export const RESULT_BYTES_MAX = 200_000_000;

export const FORMATS = {
  arrow: { mediaType: ARROW, ending: "arrows", title: "Arrow" },
  parquet: { mediaType: "application/vnd.apache.parquet", ending: "parquet", title: "Parquet" },
  csv: { mediaType: "text/csv", ending: "csv", title: "CSV" },
  ndjson: { mediaType: "application/x-ndjson", ending: "ndjson", title: "JSON lines" },
} as const;
export type Format = keyof typeof FORMATS;

type Sent = { id: string; sql: string; question: Question; signal: AbortSignal; format: Format };

export function sendStatement({ id, sql, question, signal, format }: Sent): Promise<Response> {
  return sendQuery({ id, body: bodyFor(sql, question), accept: FORMATS[format].mediaType, signal });
}

/** A statement with the values of its parameters, as the API takes it. */
export function bodyFor(sql: string, { integrationId, values }: Omit<Question, "sql">) {
  const parameters = apiParameters(parameterNames(sql), values);
  return { sql, ...(parameters && { parameters }), ...(integrationId !== null && { integration_id: integrationId }) };
}

type ArrowReading = { onSchema(schema: Schema): void; onBatch(batch: RecordBatch, bytes: number): void };

/** Answers whether the result was longer than what is kept; the rest of it is not fetched then. */
export async function readArrow(response: Response, { onSchema, onBatch }: ArrowReading): Promise<boolean> {
  let bytes = 0;
  const counted = response.body!.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
  const reader = await RecordBatchReader.from(counted);
  await reader.open();
  onSchema(reader.schema);
  for await (const batch of reader) {
    onBatch(batch, bytes);
    if (bytes > RESULT_BYTES_MAX) return true;
  }
  return false;
}

/** `truncated`: the answer was cut, as it was longer than the API sends of one. */
export type Rows = { columns: string[]; rows: (string | null)[][]; truncated: boolean };

/** A short result with every value as text: for what the workspace itself asks. */
export async function askRows(sql: string, question: Question, signal?: AbortSignal): Promise<Rows> {
  const { columns, rows, truncated } = await askQuery({ ...bodyFor(sql, question), timeout_ms: QUERY_MS_MAX }, signal);
  const names = columns.map(({ name }) => name);
  const texts = (value: unknown) =>
    value === null || value === undefined ? null : typeof value === "object" ? JSON.stringify(value) : String(value);
  return { columns: names, rows: rows.map((row) => names.map((name) => texts(row[name]))), truncated };
}
