// A connection to PostgreSQL for as long as a snapshot lives: statements of our own, and COPY out.

import { Failure } from "../failure.ts";
import type { DatabaseCredentials } from "../source-protocol.ts";
import { connect, type Connection } from "../sources/postgres-connect.ts";
import { ServerError, statementFailure } from "../sources/postgres-errors.ts";
import { message, ROW, Wire } from "../sources/postgres-wire.ts";

const COPY_DATA = 0x64; // d
const COMMAND_COMPLETE = 0x43; // C
const askMs = 400_000;
/** Conflicts with a standby's recovery, deadlocks, locks waited for too long, a server that starts, too many connections. */
const PASSING = new Set(["40001", "40P01", "55P03", "57P03", "53300"]);

export class PostgresSession {
  private readonly connection: Connection;
  private readonly wire: Wire;

  private constructor(connection: Connection) {
    this.connection = connection;
    this.wire = new Wire(connection.socket);
  }

  /** `name` is what the server calls it (`application_name`). */
  static async open(credentials: DatabaseCredentials, name: string, signal: AbortSignal): Promise<PostgresSession> {
    return new PostgresSession(await connect(credentials, signal, name.slice(0, 63)));
  }

  /** Runs statements of ours and answers the rows of all of them, cells as text. */
  async ask(sql: string, signal: AbortSignal, deadlineMs = askMs): Promise<(string | null)[][]> {
    const rows: (string | null)[][] = [];
    const tooLate = new Failure("deadline_exceeded", `The database did not answer within ${deadlineMs / 1000} s.`);
    const timer = setTimeout(() => this.wire.fail(tooLate), deadlineMs);
    try {
      await this.exchange(sql, signal, (type, bytes, from) => void (type === ROW && rows.push(readRow(bytes, from))));
    } finally {
      clearTimeout(timer);
    }
    return rows;
  }

  /**
   * Runs `COPY … TO STDOUT` and gives the body of each CopyData message to `take`; a promise of it pauses the server.
   * Answers how many rows the server says it sent. An abort cancels at the server; the session is of no use then.
   */
  async copyOut(sql: string, signal: AbortSignal, take: (bytes: Buffer, from: number, to: number) => Promise<void> | undefined): Promise<number> {
    let rows = -1;
    await this.exchange(sql, signal, (type, bytes, from, to) => {
      if (type === COPY_DATA) return take(bytes, from, to);
      if (type === COMMAND_COMPLETE) rows = Number(/^COPY (\d+)/.exec(bytes.toString("latin1", from, to))?.[1] ?? -1);
      return undefined;
    });
    if (rows < 0) throw new Error("a COPY ended without its count");
    return rows;
  }

  /** Whether a statement can be sent. */
  get idle(): boolean {
    return this.wire.idle;
  }

  /** Ends the transaction with the connection; what runs is cancelled at the server. */
  async close(): Promise<void> {
    await this.connection.close(this.wire.idle);
  }

  private async exchange(sql: string, signal: AbortSignal, on: Parameters<Wire["exchange"]>[1]): Promise<void> {
    signal.throwIfAborted();
    const abort = () => this.wire.fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await this.wire.exchange(message("Q", sql), on);
    } catch (error) {
      if (error instanceof ServerError && PASSING.has(error.code)) throw new Failure("busy", `The database could not go on: ${error.message}. Try again.`, { cause: error });
      throw statementFailure(error, false);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}

function readRow(bytes: Buffer, from: number): (string | null)[] {
  let at = from + 2;
  return Array.from({ length: bytes.readUInt16BE(from) }, () => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const cell = bytes.toString("utf8", at, at + length);
    at += length;
    return cell;
  });
}
