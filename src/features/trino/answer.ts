// Trino's answers: what a statement's reader is given with each page.

import { nameOf, signatureOf, type Type } from "../trino-sql/trino-types.ts";
import type { Column } from "../trino-sql/translate/place.ts";

export type State = "QUEUED" | "RUNNING" | "FINISHED" | "FAILED";

export type Progress = {
  id: string;
  /** The address that the request came to, without its path. */
  origin: string;
  state: State;
  elapsedMs: number;
  nextUri?: string;
  columns?: string;
  /** Rows of JSON with commas between them, as text or in UTF-8. */
  data?: string | Uint8Array;
  updateType?: string;
  /** How many rows a statement has written. */
  updateCount?: number;
  warnings?: readonly object[];
  error?: object;
};

export const columnsJson = (columns: readonly { name: string; type: Column["type"] }[]): string =>
  JSON.stringify(columns.map(({ name, type }) => ({ name, type: nameOf(type), typeSignature: signatureOf(type) })));

/** An answer that is whole, of a command. */
export function answerRows(
  { id, origin }: Pick<Progress, "id" | "origin">,
  types: Record<string, Type>,
  rows: readonly unknown[][],
): Response {
  const columns = columnsJson(Object.entries(types).map(([name, type]) => ({ name, type })));
  const data = rows.map((row) => JSON.stringify(row)).join(",");
  return answerOf({ id, origin, state: "FINISHED", elapsedMs: 0, columns, data });
}

/** Rows are put into the document as they are stored: no digit of them is read. */
export function answerOf(
  { id, origin, state, elapsedMs, columns, data, ...more }: Progress,
  headers: Headers = new Headers(),
): Response {
  const { nextUri, updateType, updateCount, warnings = [], error } = more;
  const document = JSON.stringify({
    id,
    infoUri: `${origin}/v1/info?query_id=${id}`,
    ...(nextUri !== undefined && { nextUri }),
    stats: statsOf(state, elapsedMs),
    ...(error && { error }),
    warnings,
    ...(updateType !== undefined && { updateType }),
    ...(updateCount !== undefined && { updateCount }),
  });
  const head = document.slice(0, -1) + (columns === undefined ? "" : `,"columns":${columns}`);
  headers.set("Content-Type", "application/json");
  const parts = data && data.length > 0 ? [`${head},"data":[`, data, "]}"] : [`${head}}`];
  return new Response(parts.some((part) => typeof part !== "string") ? joined(parts) : parts.join(""), { headers });
}

/** The parts one after the other, in UTF-8. */
function joined(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const statsOf = (state: State, elapsedTimeMillis: number): object => ({
  state,
  queued: state === "QUEUED",
  scheduled: state !== "QUEUED",
  nodes: 1,
  totalSplits: 1,
  queuedSplits: state === "QUEUED" ? 1 : 0,
  runningSplits: state === "RUNNING" ? 1 : 0,
  completedSplits: state === "FINISHED" ? 1 : 0,
  cpuTimeMillis: 0,
  wallTimeMillis: elapsedTimeMillis,
  queuedTimeMillis: 0,
  elapsedTimeMillis,
  processedRows: 0,
  processedBytes: 0,
  physicalInputBytes: 0,
  peakMemoryBytes: 0,
  spilledBytes: 0,
});
