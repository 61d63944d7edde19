// The interface of a kind of database. One file per kind implements it; `connectors.ts` lists them.

import type { ConnectionReport, Introspection, Source } from "../../../kernel/wire/source.ts";
import type { BoundValue } from "../../../kernel/semantic/query.ts";
import type { Column, Row } from "../formats/result.ts";
import type { CallerAccess } from "./access/caller-access.ts";
import type { SourceSnapshot } from "./snapshot.ts";

/** Takes a row. A promise pauses the source until it settles; false, or a promise of it, ends the statement early. */
export type TakeRow = (row: Row) => boolean | Promise<boolean>;

/** A statement that is running at a source. */
export type SourceResult = {
  columns: Column[];
  /** Feeds every row to `take` until the end. Rejects with a Failure. */
  rows(take: TakeRow): Promise<void>;
};

/** The credentials and settings of a source of one kind. */
export type SourceOf<Type extends Source["type"]> = Extract<Source, { type: Type }>;

export type SourceStatement<Type extends Source["type"]> = {
  source: SourceOf<Type>;
  sql: string;
  /** The values of the statement's parameters. Without them no parameter is allowed. */
  values?: readonly BoundValue[] | undefined;
  /** Whether the SQL was compiled from a semantic query, whose model may hold any SQL. */
  isCompiled?: true | undefined;
  /** The caller's access: everything that the credentials may read, or the grants of data-access roles. */
  access: "everything" | CallerAccess;
  /** When it aborts, the statement is cancelled at the server too, not only the socket closed. */
  signal: AbortSignal;
  /** The statement's name in the server's list of activity, where the server can show one. */
  id?: string;
  /**
   * The time left until the deadline, so that the server ends the statement by itself where no program of ours does.
   */
  deadlineMs?: number;
};

/** A statement whose caller names no deadline has this one. */
export const DEADLINE_MS_DEFAULT = 900_000;
/** The server's own limit comes after ours, so that ours is the one that is reported. */
export const TIMEOUT_SLACK_MS = 2_000;

/** An introspection lists no more than this, and says where it is cut. */
export const INTROSPECTION_LIMITS = { tablesMax: 20_000, columnsMax: 400_000 };

export type Connector<Type extends Source["type"] = Source["type"]> = {
  /** Connects, reads version and privileges, disconnects. Rejects with `connection_failed` and a reason. */
  test(source: SourceOf<Type>, signal: AbortSignal): Promise<ConnectionReport>;
  /** Lists the tables that can be read. Rejects with a Failure, or the signal's reason. */
  introspect(source: SourceOf<Type>, signal: AbortSignal): Promise<Introspection>;
  /**
   * Runs one read-only statement in a read-only transaction and hands over its result once its columns are known. The
   * connection is closed when the promise settles, whatever happened.
   */
  query<T>(statement: SourceStatement<Type>, use: (result: SourceResult) => Promise<T>): Promise<T>;
  /**
   * Opens the source's data as of one moment, for a sync. Rejects with `connection_failed`. `name` is what the server's
   * list of activity shows, where it can. The caller must close it, whatever happens.
   */
  openSnapshot(source: SourceOf<Type>, name: string, signal: AbortSignal): Promise<SourceSnapshot>;
};
