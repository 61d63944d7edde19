// A lake result on its way to the caller: opens the document with the first rows, closes it whatever happens.

import { isBatchFormat } from "../../../../kernel/wire/engine-program.ts";
import { publicFailureOf, type PublicFailure } from "../../../../kernel/wire/failure-text.ts";
import { toFailure } from "../../core/failure.ts";
import { jsonTail } from "../../formats/json.ts";
import type { Column } from "../../formats/result.ts";
import { headOf } from "../../formats/text-writers.ts";
import type { Statement } from "../../core/statement.ts";
import type { ByteSink } from "../../core/sink.ts";
import type { Frame } from "../process/messages.ts";

const LINE_FEED = 0x0a;

export class ResultAnswer {
  readonly #statement: Statement;
  readonly #sink: ByteSink;
  readonly #startedAt: number;
  #columns: Column[] = [];
  #started = false;
  #rowCount = 0;
  /** Whether what was written so far ends with a whole row. */
  #whole = true;

  constructor(statement: Statement, sink: ByteSink, startedAt: number) {
    this.#statement = statement;
    this.#sink = sink;
    this.#startedAt = startedAt;
  }

  take(frame: Extract<Frame, { kind: "columns" | "data" | "part" }>): void | Promise<void> {
    if (frame.kind === "columns") {
      this.#columns = frame.value;
      return;
    }
    const { format } = this.#statement.result;
    // Record batches come with their own head.
    const head = this.#started || isBatchFormat(format) ? "" : headOf[format](this.#columns);
    this.#started = true;
    this.#whole = frame.kind === "data";
    if (format === "json") this.#rowCount += countLines(frame.bytes);
    return this.#sink.write(head ? Buffer.concat([Buffer.from(head), frame.bytes]) : frame.bytes);
  }

  /** Whether a byte of the answer is on its way: until then it can begin anew. */
  get hasStarted(): boolean {
    return this.#started;
  }

  async end(truncated: boolean): Promise<void> {
    if (this.#statement.result.format === "json") await this.#sink.write(this.#tail(truncated));
  }

  /** Ends a JSON document that has begun with its failure; throws where the answer can't hold it. */
  fail(error: unknown): void {
    const isOpenJson = this.#started && this.#whole && this.#statement.result.format === "json";
    if (!isOpenJson || this.#sink.isHeld || this.#statement.cacheUse.isTagged) throw error;
    const { sql, target, isTranslated } = this.#statement;
    const known = toFailure(error);
    const shown = isTranslated ? known.reworded(known.message, undefined) : known;
    const failure = publicFailureOf(shown.toJSON(), { part: "sql", sql, target });
    // The write is not awaited: the reader may be the reason for the failure.
    void Promise.resolve(this.#sink.write(this.#tail(false, failure))).catch(() => undefined);
  }

  #tail(truncated: boolean, failure?: PublicFailure): Uint8Array {
    const durationMs = Math.round(performance.now() - this.#startedAt);
    return Buffer.from(
      jsonTail(this.#statement.id, this.#rowCount, truncated, {
        durationMs,
        phases: this.#statement.phases,
        cachedAt: this.#statement.cacheUse.cachedAt,
        ...(failure ? { failure } : {}),
      }),
    );
  }
}

/** Every row of a JSON answer has one raw line break, the one before it. */
function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
