// Asks the parser's thread about statements, one at a time, and replaces a thread that is lost, stuck or grown.

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

/** `ready` settles when the parser is loaded, or false when the thread came to nothing. */
type Thread = { worker: Worker; ready: Promise<boolean> };

let thread: Thread | undefined;
/** One statement at a time. */
const threadUse = new Semaphore(1, {
  waitingMax: WAITING_MAX,
  refuse: () => new Failure("busy", "Too many statements wait to be checked; try again."),
});

/** `checkPostgresStatement`, without trusting the text with this thread. Whoever waits leaves the line when `signal` aborts. */
export const checkInThread = (sql: string, signal: AbortSignal): Promise<void> => threadUse.run(() => ask(sql), signal);

async function ask(sql: string): Promise<void> {
  const mine = (thread ??= open());
  const { worker, ready } = mine;
  worker.ref();
  if (!(await ready)) {
    close(mine);
    throw new Failure("busy", "The engine could not start its SQL parser in time; try again.");
  }
  const answer = Promise.withResolvers<EngineFailure | null>();
  const lost = () => answer.resolve({ code: "statement_refused", message: TOO_COMPLEX });
  const timer = setTimeout(lost, CHECK_MS);
  worker.once("message", answer.resolve).once("exit", lost);
  worker.postMessage(sql);
  const failure = await answer.promise;
  clearTimeout(timer);
  worker.off("message", answer.resolve).off("exit", lost);
  worker.unref();
  if (sql.length > KEPT_CHARACTERS_MAX || failure?.message === TOO_COMPLEX) close(mine);
  if (failure) throw new Failure(failure.code, failure.message, { position: failure.position });
}

function open(): Thread {
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

function close(mine: Thread): void {
  if (thread === mine) thread = undefined;
  void mine.worker.terminate();
}
