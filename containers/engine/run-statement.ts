// One statement from target to answer: source → writer → HTTP, or the lake's own rendering → HTTP.

import { isUtf8 } from "node:buffer";
import type { Answer } from "./answer.ts";
import { Failure, toFailure } from "./core/failure.ts";
import type { Row, RowWriter } from "./formats/result.ts";
import { createWriter } from "./formats/writers.ts";
import type { LakeEnvironment } from "./lake/read/lake.ts";
import { runLakeStatement } from "./lake/run-statement.ts";
import type { Statement } from "./contract/protocol.ts";
import type { Source } from "./contract/source.ts";
import { connectorOf } from "./sources/connectors.ts";

const FLUSH_BYTES = 64 * 1024;
/** Rows don't wait longer than this for company; until the first flush an error still has a status of its own. */
const FLUSH_MS = 250;
const NOTHING = new Uint8Array(0);

/**
 * Answers a statement. Rejects with the Failure to answer with as long as nothing was sent; later failures are told in
 * the answer (JSON) or break it off (the rest). Settles when the last byte is out.
 */
export async function runStatement(
  statement: Statement,
  env: LakeEnvironment,
  signal: AbortSignal,
  answer: Answer,
): Promise<void> {
  const { target } = statement;
  try {
    if (target.kind === "lake") {
      await runLakeStatement({ ...statement, target }, env, signal, answer);
      answer.end();
    } else await runSourceStatement(statement, target.source, signal, answer);
  } catch (error) {
    if (!answer.started) throw reasonOf(error, signal);
    answer.break();
    throw reasonOf(error, signal);
  }
  await answer.ended(signal);
}

/** When a statement was aborted, that is why it failed, whatever the abort broke. */
const reasonOf = (error: unknown, signal: AbortSignal): Failure => toFailure(signal.aborted ? signal.reason : error);

async function runSourceStatement(
  statement: Statement,
  source: Source,
  signal: AbortSignal,
  answer: Answer,
): Promise<void> {
  const { id, sql, format, numbers, rowsMax, bytesMax, deadlineMs } = statement;
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  let writer: RowWriter | undefined;
  try {
    await connectorOf(source).query({ source, sql, signal, id, deadlineMs }, async ({ columns, rows }) => {
      writer = createWriter(format, { columns, numbers, rowsMax, bytesMax, requestId: id });
      const feed = new Feed(writer, answer, format !== "arrow");
      try {
        await rows((row) => feed.take(row));
      } finally {
        feed.stop();
      }
      const rest = await feed.finish();
      // Sent from here, for the reader need not wait until the connection to the database is closed.
      answer.end(Buffer.concat([rest, writer.end({ durationMs: durationMs() })]));
    });
  } catch (error) {
    const { code, message } = reasonOf(error, signal);
    if (!answer.started || format !== "json" || !writer) throw error;
    const rest = writer.take();
    answer.end(
      Buffer.concat([
        isUtf8(rest) ? rest : NOTHING,
        writer.end({ durationMs: durationMs(), failure: { code, message } }),
      ]),
    );
  }
}

/** Moves what a writer has pending to the answer: in pieces of some size, or after a while. */
class Feed {
  readonly #writer: RowWriter;
  readonly #answer: Answer;
  #timer: NodeJS.Timeout | undefined;
  #blocked: Promise<void> | undefined;
  readonly #isText: boolean;
  #failure: Failure | undefined;

  /** `isText`: of a format that is text as a whole, so that it can be checked by the piece. */
  constructor(writer: RowWriter, answer: Answer, isText: boolean) {
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
    // Heard by the next row; a timer's flush may have none.
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
