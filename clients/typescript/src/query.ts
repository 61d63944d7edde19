// Statements: as one document, as rows, and as a stream of bytes in any of the API's formats.

import type { components } from "../schema.d.ts";
import { jsonLines } from "./lines.ts";
import { FjordProblem } from "./problem.ts";

export type NewQuery = components["schemas"]["NewQuery"];
export type ResultColumn = components["schemas"]["ResultColumn"];

export type QueryOptions = Readonly<{
  /** Ends the request, and with it the statement. */
  signal?: AbortSignal;
  /** A UUID that names the statement, by which it can be cancelled; one is made where none is given. */
  requestId?: string;
  /** `string` sends whole numbers of 64 bits and decimals as texts with all their digits. */
  numbers?: "exact" | "string";
}>;

export type QueryResult<Row> = Readonly<{
  columns: string[];
  types: ResultColumn[];
  data: Row[];
  rowCount: number;
  truncated: boolean;
  meta: { requestId: string; durationMs: number; cachedAt?: string };
}>;

export const MEDIA_TYPES = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.stream",
  parquet: "application/vnd.apache.parquet",
} as const;

export type Format = keyof typeof MEDIA_TYPES;

export type Requester = (path: string, init: RequestInit) => Promise<Response>;

/** Sends the statement, and answers once its result begins. */
export function askQuery(
  request: Requester,
  query: NewQuery,
  format: Format,
  { signal, requestId, numbers }: QueryOptions,
): Promise<Response> {
  return request(`/v1/query${numbers === "string" ? "?numbers=string" : ""}`, {
    method: "POST",
    headers: {
      accept: MEDIA_TYPES[format],
      "content-type": "application/json",
      ...(requestId !== undefined && { "x-request-id": requestId }),
    },
    body: JSON.stringify(query),
    ...(signal && { signal }),
  });
}

/** Reads a result that is one document. Throws `FjordProblem` where the statement failed once its rows were coming. */
export async function readResult<Row>(response: Response): Promise<QueryResult<Row>> {
  const result = (await response.json()) as QueryResult<Row> & { success: boolean };
  if (!result.success) throw new FjordProblem(response.status, result as object);
  return result;
}

export async function* readRows<Row>(answer: Promise<Response>): AsyncGenerator<Row, void, undefined> {
  yield* jsonLines<Row>(bodyOf(await answer));
}

export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null) throw new Error("The answer has no body.");
  return response.body;
}
