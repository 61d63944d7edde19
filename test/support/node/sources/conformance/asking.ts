// The suite asks the engine's connectors through these functions, which remember all that the connectors said.

import { bindParameters } from "../../../../../containers/engine/parameters/bind-parameters.ts";
import type { BoundParameter } from "../../../../../kernel/wire/parameters.ts";
import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import { connectorOf } from "../../../../../containers/engine/sources/connectors.ts";
import { secretsOf, type Source } from "../../../../../kernel/wire/source.ts";
import { readParameter } from "../../../../../src/core/parameters.ts";
import { toFailure, type Failure } from "../../../../../containers/engine/core/failure.ts";
import type { Column, Row } from "../../../../../containers/engine/formats/result.ts";
import { never } from "../extraction.ts";

export type Answer = { columns: Column[]; rows: (string | null)[][] };

/** All rows of a statement, as canonical text. */
export async function ask(source: Source, sql: string, values?: readonly BoundValue[]): Promise<Answer> {
  const rows: (string | null)[][] = [];
  let columns: Column[] = [];
  const take = (row: Row, found: Column[]) => {
    columns = found;
    rows.push(cellsOf(row));
    return true;
  };
  columns = await read(source, { sql, values }, never(), take);
  return { columns, rows };
}

/** All rows of a statement that names its parameters, as canonical text. */
export async function askBound(
  source: Source,
  sent: string,
  parameters: Record<string, BoundParameter>,
): Promise<Answer> {
  const { sql, values, rewriteError } = bindParameters(sent, parameters, source.type);
  return ask(source, sql, values).catch((error: unknown) => Promise.reject(rewriteError(error)));
}

/** As the Worker reads what a request sends. */
export const parametersOf = (raw: Record<string, unknown>): Record<string, BoundParameter> =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const read = readParameter(value);
      if ("flaw" in read) throw new Error(`${name}: ${read.flaw.message}`);
      return [name, read.parameter];
    }),
  );

/** Rejects with what it is told, as {@link failureOf} has it. */
export function read(
  source: Source,
  statement: string | { sql: string; values: readonly BoundValue[] | undefined },
  signal: AbortSignal,
  take: (row: Row, columns: Column[]) => boolean | Promise<boolean>,
): Promise<Column[]> {
  return connectorOf(source).query(
    {
      source,
      ...(typeof statement === "string" ? { sql: statement } : statement),
      access: "everything",
      signal,
      id: "conformance",
    },
    async ({ columns, rows }) => {
      await rows((row) => take(row, columns));
      return columns;
    },
  );
}

export const cellsOf = ({ bytes, starts, ends }: Row): (string | null)[] => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from(starts, (start, i) => (ends[i]! < 0 ? null : text.toString("utf8", start, ends[i])));
};

/** What was said in words, of a promise that has to reject. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome === undefined) throw new Error("it was not refused");
  remember(outcome);
  return toFailure(outcome);
}

const said: string[] = [];

/** For {@link secretsFound}: with its causes, which reach the log. */
export function remember(what: unknown): void {
  for (let error = what, depth = 0; error !== undefined && depth < 8; error = (error as Error).cause, depth++) {
    said.push(typeof error === "string" ? error : JSON.stringify(error));
    if (!(error instanceof Error)) return;
    said.push(`${error.message} ${error.stack ?? ""} ${JSON.stringify(Object.entries(error))}`);
  }
}

/** Secrets of the source that were said to anybody; none are. */
export const secretsFound = (source: Source): string[] => {
  if (said.length === 0) throw new Error("nothing was said that could be searched");
  return secretsOf(source).filter((secret) => said.some((text) => text.includes(secret)));
};
