// A result's rows on their way through a writer of the format into the answer.

import { isUtf8 } from "node:buffer";
import { Failure, toFailure } from "../core/failure.ts";
import type { AnswerSink } from "../core/sink.ts";
import type { AnswerFacts } from "../core/statement.ts";
import { publicFailureOf, type FailedStatement } from "../../../kernel/wire/failure-text.ts";
import { isBatchFormat, type Format } from "../../../kernel/wire/engine-program.ts";
import type { Column, Ending, Row, RowTaker, RowWriter } from "./result.ts";

const FLUSH_BYTES = 64 * 1024;
/** Rows wait at most this long for others; until the first flush an error still has a status of its own. */
const FLUSH_MS = 250;
const NOTHING = new Uint8Array(0);

export type RowAnswerParts = {
  answer: AnswerSink;
  format: Format;
  statement: FailedStatement;
  /** Makes the writer once the columns are known. */
  createWriter(columns: Column[]): RowWriter;
  /** Facts of the answer, for a statement that reports them. */
  facts?: AnswerFacts;
  /** Members of a JSON document's `meta` beside those of any result. */
  meta?: () => Record<string, unknown>;
  /** When the statement began, by `performance.now()`; now when absent. */
  startedAt?: number;
};

export class RowAnswer implements RowTaker {
  readonly #parts: RowAnswerParts;
  readonly #startedAt: number;
  #writer: RowWriter | undefined;
  #feed: RowFeed | undefined;

  constructor(parts: RowAnswerParts) {
    this.#parts = parts;
    this.#startedAt = parts.startedAt ?? performance.now();
  }

  columns(columns: Column[]): void {
    const { answer, format, createWriter } = this.#parts;
    this.#writer = createWriter(columns);
    this.#feed = new RowFeed(this.#writer, answer, !isBatchFormat(format));
  }

  row(row: Row): boolean | Promise<boolean> {
    return this.#feed!.take(row);
  }

  async end(): Promise<void> {
    const rest = await this.#feed!.finish();
    this.#parts.answer.end(Buffer.concat([rest, this.#writer!.end(this.#ending())]));
  }

  /** No more rows come, whatever the reason. */
  stop(): void {
    this.#feed?.stop();
  }

  /** Ends a JSON document that has begun with its failure; throws where the answer can't hold it. */
  fail(error: unknown): void {
    const { answer, format, statement } = this.#parts;
    if (!answer.started || format !== "json" || !this.#writer) throw error;
    const failure = publicFailureOf(toFailure(error).toJSON(), statement);
    const rest = this.#writer.take();
    const ending = this.#writer.end({ ...this.#ending(), failure });
    answer.end(Buffer.concat([isUtf8(rest) ? rest : NOTHING, ending]));
  }

  #ending(): Ending {
    const durationMs = Math.round(performance.now() - this.#startedAt);
    const { facts, meta } = this.#parts;
    return {
      durationMs,
      ...(meta && { meta: meta() }),
      ...(facts && { phases: facts.phases, cachedAt: facts.cacheUse.cachedAt }),
    };
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

  /** `isText`: the format is text as a whole, so that it can be checked piece by piece. */
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

  /** Takes the rest of the rows. Rejects where any rows could not be sent. */
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
    if (this.#failure) throw this.#failure;
    const bytes = this.#writer.take();
    if (!this.#isText) return bytes;
    try {
      return checkedText(bytes);
    } catch (error) {
      this.#failure = toFailure(error);
      throw error;
    }
  }
}

/** Throws a Failure where the bytes are no UTF-8. */
export function checkedText(bytes: Uint8Array): Uint8Array {
  if (isUtf8(bytes)) return bytes;
  throw new Failure(
    "sql_error",
    "The result holds text that is not UTF-8. Correct it at the source, or cast it to bytes in the statement.",
  );
}
