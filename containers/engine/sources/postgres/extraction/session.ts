// A connection to PostgreSQL for as long as a snapshot lives: it runs statements of the engine's own, and COPY.

import { Failure } from "../../../core/failure.ts";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { connect, type Connection } from "../connection/connect.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { fetchRows } from "../connection/fetch-rows.ts";
import { ServerError, statementFailure } from "../connection/errors.ts";
import { protocolViolation } from "../connection/messages.ts";
import {
  COMMAND_COMPLETE,
  COPY_DATA,
  COPY_DONE,
  COPY_OUT,
  message,
  type OnMessage,
  type TakeBatch,
  type Wire,
} from "../connection/wire.ts";

const STATEMENT_MS = 400_000;
/**
 * Conflicts with a standby's recovery, deadlocks, locks waited for too long, a server that starts, too many
 * connections.
 */
const TRANSIENT_ERRORS = new Set(["40001", "40P01", "55P03", "57P03", "53300"]);

/** Redshift numbers a conflict of its serializable transactions, and gives it the code of any error. */
const SERIALIZABLE_CONFLICT = /^1023\b|Serializable isolation violation/;

const isTransient = ({ code, message }: ServerError): boolean =>
  TRANSIENT_ERRORS.has(code) || SERIALIZABLE_CONFLICT.test(message);

/** `take`: a promise of it pauses the server. `takeBatch`: see {@link TakeBatch}. */
export type CopyTaker = {
  take(bytes: Buffer, from: number, to: number): Promise<void> | undefined;
  takeBatch: TakeBatch;
};

export class PostgresSession {
  readonly #connection: Connection;
  readonly #wire: Wire;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#wire = connection.wire;
  }

  /** `name` is what the server calls it (`application_name`); `product`, what it should be. */
  static async open(
    credentials: DatabaseCredentials,
    name: string,
    signal: AbortSignal,
    product?: string,
  ): Promise<PostgresSession> {
    return new PostgresSession(await connect(credentials, signal, name.slice(0, 63), product));
  }

  /** Runs statements of the engine's own and returns the rows of those that give rows of `format`, cells as text. */
  async fetchRows(sql: string, format: RowFormat, signal: AbortSignal, deadlineMs = STATEMENT_MS): Promise<TextRow[]> {
    const tooLate = new Failure("deadline_exceeded", `The database did not answer within ${deadlineMs / 1000} s.`);
    const timer = setTimeout(() => this.#wire.fail(tooLate), deadlineMs);
    try {
      return await this.use(signal, (wire) => fetchRows(wire, sql, format));
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs `COPY … TO STDOUT` and gives its rows to `taker`, many at a time or one by one.
   * Returns how many rows the server says it sent. An abort cancels at the server; the session is of no use then.
   */
  async copyOut(sql: string, signal: AbortSignal, taker: CopyTaker): Promise<number> {
    let rows = -1;
    let isDone = false;
    const onMessage: OnMessage = (type, bytes, from, to) => {
      if (isDone === (type !== COMMAND_COMPLETE) || rows >= 0)
        protocolViolation("rows go on after their end, or end twice");
      if (type === COPY_DATA) return taker.take(bytes, from, to);
      if (type === COPY_DONE) isDone = true;
      if (type === COMMAND_COMPLETE)
        rows = Number(
          /^COPY (\d{1,15})\0$/.exec(bytes.toString("latin1", from, to))?.[1] ??
            protocolViolation("rows end without their count"),
        );
      return undefined;
    };
    const takeBatch: TakeBatch = (bytes, from, to) => (isDone ? from : taker.takeBatch(bytes, from, to));
    await this.use(signal, (wire) => wire.exchange(message("Q", sql), COPY_OUT, onMessage, takeBatch));
    return rows >= 0 ? rows : protocolViolation("rows end without their count");
  }

  /** Whether a statement can be sent. */
  get idle(): boolean {
    return this.#wire.idle;
  }

  /** Ends the transaction with the connection; what runs is cancelled at the server. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Lets `exchange` use the connection until `signal` aborts. Rejects with a Failure, or the signal's reason. */
  async use<T>(signal: AbortSignal, exchange: (wire: Wire) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    try {
      return await this.#wire.untilAborted(signal, () => exchange(this.#wire));
    } catch (error) {
      if (error instanceof ServerError && isTransient(error))
        throw new Failure("busy", `The database could not go on: ${error.message}. Try again.`, { cause: error });
      throw statementFailure(error, false);
    }
  }
}
