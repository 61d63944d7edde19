// Requests to the bench's catalog and their answers have these shapes.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";

/** What one statement of the catalog cost, all its executions together. */
export type CountedStatement = { query: string; times: number; rowsRead: number; rowsWritten: number };

export const rowsOf = (statements: readonly CountedStatement[]): { read: number; written: number } => ({
  read: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  written: statements.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
});

/** A call of one method of a lake's catalog object. `keepsAnswer`: the answer itself is wanted, not only its size. */
export type Call = { method: string; given: unknown[]; keepsAnswer: boolean };

/** Who commits, under the lake's lease. */
export type Holder = { lease: string; fence: number };

/** New files of one table, appended in one commit by the holder of the lease. `firstFile` counts the table's files. */
export type Append = Holder & { table: string; files: number; columns: number; firstFile: number };

/**
 * So many loads of a table by the Iceberg catalog, one after another, each by a client that has `etag` already.
 * `keepsObjects`: what they write is wanted, too.
 */
export type IcebergLoad = LakeTableName & { times: number; etag: string | null; keepsObjects: boolean };

/**
 * What the last load answered, and what all of them wrote. `isWhole`: with the document, no 304. `location` is the
 * address of the metadata, below {@link BUCKET}; `kept` has the objects in base64, by their paths in it.
 */
export type IcebergLoaded = {
  etag: string;
  isWhole: boolean;
  location: string;
  documentBytes: number;
  objects: number;
  bytes: number;
  kept: Record<string, string>;
};

/** The name of the bucket that metadata speaks of; there is none. */
export const BUCKET = "bench";

/** The bench's tables by their numbers. */
export const tableOf = (number: number) => ({ schema: "main", name: `t${number}` });

/**
 * `ms` is the wall time of the call, as a Worker sees it. `refused` is why the catalog refused it, `error` what it
 * threw.
 */
export type Called = {
  ms: number;
  answer: unknown;
  answerBytes: number;
  refused: string | null;
  error: string | null;
  statements: CountedStatement[];
  databaseBytes: number;
};
