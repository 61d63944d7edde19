// A session that reads in one transaction, a statement at a time. An error ends the transaction at the server, and with
// it the snapshot: a later read gets a new session, with a later snapshot.

import { Semaphore } from "../../../../program/semaphore.ts";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { connect, type Connection } from "../connection/connect.ts";
import { connectionFailure, statementFailure } from "../connection/errors.ts";
import { SqlServerError } from "../connection/tokens.ts";
import type { TdsWire } from "../connection/wire.ts";

/** For a statement of the engine's own: the digests of a large table take their time. */
const STATEMENT_MS = 3_600_000;
/**
 * Deadlocks, locks waited for too long, a table that was altered while the snapshot is open, or is gone, or a column of
 * it.
 */
const TRANSIENT_ERRORS = new Set([207, 208, 1205, 1222, 3961, 4891]);

/** Where sessions are opened, and as what the server's list of them shows them. */
export type Place = { credentials: DatabaseCredentials; name: string };

/** Begins the transaction on a new connection. */
export type Begin = (wire: TdsWire, signal: AbortSignal) => Promise<void>;

export class ReadingSession {
  readonly #place: Place;
  readonly #begin: Begin;
  readonly #use = new Semaphore(1);
  #connection: Connection | undefined;
  #isClosed = false;

  constructor(place: Place, begin: Begin) {
    this.#place = place;
    this.#begin = begin;
  }

  /** Runs `use` with the session, opened where there is none. */
  async run<T>(use: (wire: TdsWire) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#use.run(async () => {
      const { wire } = (this.#connection ??= await this.#open(signal));
      try {
        return await use(wire);
      } catch (error) {
        await this.#drop();
        throw signal.aborted ? signal.reason : toFailure(error);
      }
    }, signal);
  }

  /** Rows of a statement of the engine's own. */
  async fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    const tooLate = AbortSignal.timeout(STATEMENT_MS);
    const until = AbortSignal.any([signal, tooLate]);
    try {
      return await this.run((wire) => wire.fetchRows(sql, format, until), signal);
    } catch (error) {
      if (!tooLate.aborted || signal.aborted) throw error;
      throw new Failure("deadline_exceeded", `The database did not answer within ${STATEMENT_MS / 1000} s.`, {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    if (this.#isClosed) throw new Error("the session is closed");
    const connection = await connect(this.#place.credentials, signal, this.#place.name);
    try {
      await this.#begin(connection.wire, signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw signal.aborted ? signal.reason : connectionFailure(error);
    }
  }

  async #drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close().catch(() => undefined);
  }
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof SqlServerError) || !TRANSIENT_ERRORS.has(error.number)) return statementFailure(error, false);
  return new Failure("busy", `The database could not go on: ${error.message} (error ${error.number}). Try again.`, {
    cause: error,
  });
}
