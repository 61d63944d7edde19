// Checks statements in the gate's thread, one at a time, and replaces a thread that ended, hangs or has grown: a
// statement built to blow the parser up costs that thread, not the engine.

import { Worker } from "node:worker_threads";
import { Semaphore } from "../../../../program/semaphore.ts";
import { Failure } from "../../../core/failure.ts";
import type { EngineFailure } from "../../../contract/protocol.ts";
import { TOO_COMPLEX } from "./check-statement.ts";

const START_MS = 30_000;
const CHECK_MS = 10_000;
/** A longer text leaves the parser's memory grown for good: its thread is not kept. */
const KEPT_CHARACTERS_MAX = 100_000;
const WAITING_MAX = 256;

/** `ready` settles when the parser is loaded, or to false when the thread ended or took too long. */
type GateThread = { worker: Worker; ready: Promise<boolean> };

let current: GateThread | undefined;
/** One statement at a time. */
const threadUse = new Semaphore(1, {
  waitingMax: WAITING_MAX,
  refuse: () => new Failure("busy", "Too many statements wait to be checked; try again."),
});

/**
 * Rejects as `checkPostgresStatement` throws, without trusting this thread's memory and time to the text. Whoever waits
 * leaves the line when `signal` aborts.
 */
export const checkInThread = (sql: string, signal: AbortSignal): Promise<void> =>
  threadUse.run(() => check(sql), signal);

async function check(sql: string): Promise<void> {
  const thread = (current ??= startThread());
  const { worker, ready } = thread;
  worker.ref();
  if (!(await ready)) {
    stopThread(thread);
    throw new Failure("busy", "The engine could not start its SQL parser in time; try again.");
  }
  const failure = await askThread(worker, sql);
  worker.unref();
  if (sql.length > KEPT_CHARACTERS_MAX || failure?.message === TOO_COMPLEX) stopThread(thread);
  if (failure) throw new Failure(failure.code, failure.message, { position: failure.position });
}

/** A thread that ends, or does not answer in time, was lost to the statement: it is too complex. */
async function askThread(worker: Worker, sql: string): Promise<EngineFailure | null> {
  const answer = Promise.withResolvers<EngineFailure | null>();
  const lost = () => answer.resolve({ code: "statement_refused", message: TOO_COMPLEX });
  const timer = setTimeout(lost, CHECK_MS);
  worker.once("message", answer.resolve).once("exit", lost);
  worker.postMessage(sql);
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", answer.resolve).off("exit", lost);
  }
}

function startThread(): GateThread {
  const worker = new Worker(new URL("./gate-thread.ts", import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 8 },
  });
  const { promise: ready, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), START_MS);
  worker.once("message", () => resolve(true));
  worker.once("exit", () => resolve(false));
  // Whoever waits hears of the exit that follows an error.
  worker.on("error", () => undefined);
  void ready.then(() => clearTimeout(timer));
  return { worker, ready };
}

function stopThread(thread: GateThread): void {
  if (current === thread) current = undefined;
  void thread.worker.terminate();
}
