// Reads a table's rows from a snapshot and has them used part by part, while the next part fills.

import { RowTooLarge } from "../core/row-too-large.ts";
import { makeColumns, rowTooLargeToSync } from "./chunk-builder.ts";
import { toTypeMismatch } from "./json-check.ts";
import { PartWriter, type PartBounds, type UsePart } from "./part-writer.ts";
import type { ReadableSnapshot, ReadReport, ReadRequest } from "./readable-snapshot.ts";
import type { SourceColumn, SourceTable } from "./source-table.ts";
import type { StagingDatabase } from "./staging-database.ts";

export type SourceRead = {
  snapshot: ReadableSnapshot;
  /** As the snapshot described it. */
  table: SourceTable;
  staging: StagingDatabase;
  /** Columns to read, by the source's names; all of them where absent. */
  only?: readonly string[];
  /** A column that is read beside those of the table. */
  beside?: SourceColumn;
  /** A condition in the source's SQL, made by the engine itself and by nobody else. */
  where?: string;
  signal: AbortSignal;
  /** Rows and bytes read so far, and how many of the rows have a value `beside`; called every few thousand rows. */
  onProgress?(rows: number, bytes: number, valuesBeside: number): void;
};

/** Rejects as the snapshot does, or as `use`; then the statement was cancelled at the source. */
export async function readParts(read: SourceRead, bounds: PartBounds, use: UsePart): Promise<ReadReport> {
  const { staging } = read;
  const columns = columnsToRead(read);
  // A part that can't be used stops the source now, not after its last row.
  const failing = new AbortController();
  const signal = AbortSignal.any([read.signal, failing.signal]);
  signal.throwIfAborted();
  const writer = await PartWriter.open({
    staging,
    bounds,
    use,
    signal,
    columns: columns.map(({ lake }) => lake),
    makeColumns: () => makeColumns(columns),
    onFailure: (error) => failing.abort(error),
  });
  staging.rowBudget.addReader();
  try {
    const report = await read.snapshot.read(toRequest(read, columns, signal, writer));
    await writer.end();
    if (writer.rowsUsed !== report.rows)
      throw new Error(`${report.rows} rows were read and ${writer.rowsUsed} written`);
    return report;
  } catch (error) {
    failing.abort(error);
    if (read.signal.aborted) throw read.signal.reason;
    // The reader of results has met its own bound first, which is larger than a sync's.
    throw error instanceof RowTooLarge ? rowTooLargeToSync() : toTypeMismatch(error, columns);
  } finally {
    await writer.close();
    staging.rowBudget.removeReader();
  }
}

function toRequest(
  { table, where, beside, onProgress }: SourceRead,
  columns: readonly SourceColumn[],
  signal: AbortSignal,
  writer: PartWriter,
): ReadRequest {
  let rowsRead = 0;
  let bytesRead = 0;
  let valuesBeside = 0;
  return {
    table,
    columns,
    signal,
    emptyColumns: writer.emptyColumns,
    take: (chunk, oddFloats) => {
      if (beside) valuesBeside += chunk.columns.at(-1)!.countValues(chunk.rows);
      onProgress?.((rowsRead += chunk.rows), (bytesRead += chunk.bytes), valuesBeside);
      return writer.add(chunk, oddFloats);
    },
    ...(where === undefined ? {} : { where }),
  };
}

export function columnsToRead({ table, only, beside }: Pick<SourceRead, "table" | "only" | "beside">): SourceColumn[] {
  const columns =
    only?.map((name) => {
      const column = table.columns.find((candidate) => candidate.name === name);
      if (!column)
        throw new Error(`${table.schema}.${table.name} was asked for a column that it was not described with`);
      return column;
    }) ?? table.columns;
  return beside ? [...columns, beside] : columns;
}
