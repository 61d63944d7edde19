// A statement's answer over HTTP: headers only with the first bytes, backpressure, and an end that can't be mistaken.

import type { ServerResponse } from "node:http";
import { Failure } from "./core/failure.ts";
import { CONTENT_TYPES, type Format } from "../../kernel/wire/engine-program.ts";
import type { AnswerSink } from "./core/sink.ts";
import type { AnswerFacts } from "./core/statement.ts";

/** How long a reader may take for the last words of an answer whose statement was aborted. */
const LAST_WORDS_MS = 5_000;

/** So many bytes are copied rather than waited for, and go to the reader with what follows them at once. */
const COPIED_BYTES_MAX = 16 * 1024;

export class Answer implements AnswerSink {
  readonly #response: ServerResponse;
  readonly #format: Format;
  readonly #facts: AnswerFacts;

  constructor(response: ServerResponse, format: Format, facts: AnswerFacts) {
    this.#response = response;
    this.#format = format;
    this.#facts = facts;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  write(bytes: Uint8Array): void | Promise<void> {
    if (bytes.length === 0) return;
    this.#start();
    if (this.#response.destroyed) return Promise.reject(gone());
    if (bytes.length > COPIED_BYTES_MAX || this.#response.writableLength > COPIED_BYTES_MAX) return this.#send(bytes);
    this.#response.write(Buffer.from(bytes));
  }

  end(bytes?: Uint8Array): void {
    this.#start();
    this.#response.end(bytes);
  }

  break(): void {
    this.#response.destroy();
  }

  async ended(signal: AbortSignal): Promise<void> {
    if (this.#response.writableFinished || this.#response.destroyed) return;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#response.once("close", resolve);
    let timer: NodeJS.Timeout | undefined;
    const hurry = () => (timer = setTimeout(() => this.#response.destroy(), LAST_WORDS_MS));
    if (signal.aborted) hurry();
    else signal.addEventListener("abort", hurry, { once: true });
    await closed;
    clearTimeout(timer);
    signal.removeEventListener("abort", hurry);
  }

  #start(): void {
    if (this.#response.headersSent) return;
    const { phases, cacheUse } = this.#facts;
    const { header } = phases;
    const { isNotModified } = cacheUse;
    this.#response.writeHead(isNotModified ? 304 : 200, {
      ...(!isNotModified && { "content-type": CONTENT_TYPES[this.#format] }),
      ...(header !== "" && { "server-timing": header }),
      ...cacheUse.headers,
    });
  }

  /** Settles once the bytes are with the system: until then the bytes' memory may not change. */
  async #send(bytes: Uint8Array): Promise<void> {
    const response = this.#response;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const close = () => reject(gone());
    response.once("close", close);
    response.write(bytes, (error) => (error ? close() : resolve()));
    try {
      await promise;
    } finally {
      response.off("close", close);
    }
  }
}

const gone = () => new Failure("cancelled", "Whoever asked has gone.");
