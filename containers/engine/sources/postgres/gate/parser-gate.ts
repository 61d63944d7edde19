// Checks statements in a thread of the gate, one at a time, and replaces a thread that ended, hangs or has grown: a
// statement built to blow the parser up costs that thread, not the engine.

import { Worker } from "node:worker_threads";
import { Semaphore } from "../../../../program/semaphore.ts";
import { Failure } from "../../../core/failure.ts";
import type { BoundStatement } from "../access/bound-statement.ts";
import type { Replacement, RewrittenStatement } from "../access/rewrite-statement.ts";
import { TooComplex, type StatementText } from "./check-statement.ts";
import type { GateAnswer, GateRequest } from "./gate-request.ts";

const START_MS = 30_000;
const CHECK_MS = 10_000;
/** A longer text leaves the parser's memory grown for good: its thread is not kept. */
const KEPT_CHARACTERS_MAX = 100_000;
const WAITING_MAX = 256;

/** `ready` settles when the parser is loaded, or to false when the thread ended or took too long. */
type GateThread = { worker: Worker; ready: Promise<boolean> };

/** The gate of one kind of source. */
export class ParserGate {
  readonly #file: URL;
  #current: GateThread | undefined;
  /** One statement at a time. */
  readonly #use = new Semaphore(1, {
    waitingMax: WAITING_MAX,
    refuse: () => new Failure("busy", "Too many statements wait to be checked; try again."),
  });

  /** `file` is the thread's, which calls `serveGate`. */
  constructor(file: URL) {
    this.#file = file;
  }

  /**
   * Rejects where `checkStatement` throws, without trusting this thread's memory and time to the text. A waiting
   * request leaves the queue when `signal` aborts.
   */
  async check(text: StatementText, signal: AbortSignal): Promise<void> {
    await this.#use.run(() => this.#ask({ kind: "check", ...text }), signal);
  }

  /** Reads a bound caller's statement in the thread, with the result of `readBoundStatement`. */
  async read(text: StatementText, signal: AbortSignal): Promise<BoundStatement> {
    return (await this.#use.run(() => this.#ask({ kind: "read", ...text }), signal)).statement!;
  }

  /** Runs `rewriteStatement` in the thread. */
  async rewrite(text: StatementText, replacements: Replacement[], signal: AbortSignal): Promise<RewrittenStatement> {
    return (await this.#use.run(() => this.#ask({ kind: "rewrite", ...text, replacements }), signal)).rewritten!;
  }

  async #ask(request: GateRequest): Promise<GateAnswer> {
    const thread = (this.#current ??= startThread(this.#file));
    const { worker, ready } = thread;
    worker.ref();
    if (!(await ready)) {
      this.#stop(thread);
      throw new Failure("busy", "The engine could not start its SQL parser in time; try again.");
    }
    const answer = await askThread(worker, request);
    worker.unref();
    const { failure, isTooComplex } = answer;
    const characters = request.sql.length + (answer.rewritten?.sql.length ?? 0);
    if (characters > KEPT_CHARACTERS_MAX || isTooComplex === true) this.#stop(thread);
    if (failure) throw new Failure(failure.code, failure.message, { position: failure.position });
    return answer;
  }

  #stop(thread: GateThread): void {
    if (this.#current === thread) this.#current = undefined;
    void thread.worker.terminate();
  }
}

/** A thread that ends, or does not answer in time, was lost to the statement: it is too complex. */
async function askThread(worker: Worker, request: GateRequest): Promise<GateAnswer> {
  const answer = Promise.withResolvers<GateAnswer>();
  const lost = () => answer.resolve({ failure: new TooComplex().toJSON(), isTooComplex: true });
  const timer = setTimeout(lost, CHECK_MS);
  worker.once("message", answer.resolve).once("exit", lost);
  worker.postMessage(request);
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", answer.resolve).off("exit", lost);
  }
}

function startThread(file: URL): GateThread {
  const worker = new Worker(file, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 8 } });
  const { promise: ready, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), START_MS);
  worker.once("message", () => resolve(true));
  worker.once("exit", () => resolve(false));
  // A waiting request learns of the exit that follows an error.
  worker.on("error", () => undefined);
  void ready.then(() => clearTimeout(timer));
  return { worker, ready };
}
