// One statement on a source: its rows through a writer of the format into the answer.

import { isUtf8 } from "node:buffer";
import { Failure, toFailure } from "./core/failure.ts";
import type { AnswerSink } from "./core/sink.ts";
import type { SourceStatement } from "./core/statement.ts";
import type { Row, RowWriter } from "./formats/result.ts";
import { createWriter } from "./formats/writers.ts";
import { callerAccess } from "./sources/access/caller-access.ts";
import { connectorOf } from "./sources/connectors.ts";

const FLUSH_BYTES = 64 * 1024;
/** Rows don't wait longer than this for company; until the first flush an error still has a status of its own. */
const FLUSH_MS = 250;
const NOTHING = new Uint8Array(0);

/** Rejects where the answer can't hold the failure: before its first byte, and in formats other than JSON. */
export async function runSourceStatement(
  statement: SourceStatement,
  signal: AbortSignal,
  answer: AnswerSink,
): Promise<void> {
  const { id, sql, result, deadlineMs } = statement;
  const { source } = statement.target;
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  let writer: RowWriter | undefined;
  try {
    const access = callerAccess(statement.target.access);
    await connectorOf(source).query({ source, sql, access, signal, id, deadlineMs }, async ({ columns, rows }) => {
      writer = createWriter({ columns, result, requestId: id });
      const feed = new RowFeed(writer, answer, result.format !== "arrow");
      try {
        await rows((row) => feed.take(row));
      } finally {
        feed.stop();
      }
      const rest = await feed.finish();
      // Sent from here: the reader need not wait until the connection to the database is closed.
      answer.end(Buffer.concat([rest, writer.end({ durationMs: durationMs() })]));
    });
  } catch (error) {
    if (!answer.started || result.format !== "json" || !writer) throw error;
    const { code, message } = toFailure(signal.aborted ? signal.reason : error);
    const rest = writer.take();
    const ending = writer.end({ durationMs: durationMs(), failure: { code, message } });
    answer.end(Buffer.concat([isUtf8(rest) ? rest : NOTHING, ending]));
  }
}

/** Moves what a writer has pending to the answer: in pieces of some size, or after a while. */
class RowFeed {
  readonly #writer: RowWriter;
  readonly #answer: AnswerSink;
  #timer: NodeJS.Timeout | undefined;
  #blocked: Promise<void> | undefined;
  readonly #isText: boolean;
  #failure: Failure | undefined;

  /** `isText`: of a format that is text as a whole, so that it can be checked by the piece. */
  constructor(writer: RowWriter, answer: AnswerSink, isText: boolean) {
    this.#writer = writer;
    this.#answer = answer;
    this.#isText = isText;
  }

  take(row: Row): boolean | Promise<boolean> {
    if (!this.#writer.write(row)) return false;
    this.#timer ??= setInterval(() => this.#tick(), FLUSH_MS);
    if (this.#writer.pending >= FLUSH_BYTES && !this.#blocked) this.#flush();
    return this.#blocked ? this.#blocked.then(() => true) : true;
  }

  /** What is left of the rows. Rejects where any of them could not be sent. */
  async finish(): Promise<Uint8Array> {
    await this.#blocked;
    return this.#isText ? this.#take() : NOTHING;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#writer.pending > 0 && !this.#blocked) this.#flush();
  }

  #flush(): void {
    const drained = this.#send();
    if (!drained) return;
    this.#blocked = drained.finally(() => (this.#blocked = undefined));
    // The next row reports the rejection; after a flush by the timer there may be no next row.
    this.#blocked.catch(() => undefined);
  }

  #send(): void | Promise<void> {
    try {
      return this.#answer.write(this.#take());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Throws a Failure where the rows hold text that is not UTF-8: pieces end where rows do. */
  #take(): Uint8Array {
    const bytes = this.#writer.take();
    if (this.#isText && !isUtf8(bytes))
      this.#failure ??= new Failure(
        "sql_error",
        "The result holds text that is not UTF-8. Correct it at the source, or cast it to bytes in the statement.",
      );
    if (this.#failure) throw this.#failure;
    return bytes;
  }
}
