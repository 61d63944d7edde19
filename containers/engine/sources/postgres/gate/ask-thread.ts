// Checks statements in the gate's thread, one at a time, and replaces a thread that ended, hangs or has grown: a
// statement built to blow the parser up costs that thread, not the engine.

import { Worker } from "node:worker_threads";
import { Semaphore } from "../../../../program/semaphore.ts";
import { Failure } from "../../../core/failure.ts";
import type { BoundStatement } from "../access/bound-statement.ts";
import type { Replacement, RewrittenStatement } from "../access/rewrite-statement.ts";
import { TOO_COMPLEX, type StatementText } from "./check-statement.ts";
import type { GateAnswer, GateRequest } from "./gate-request.ts";

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
export async function checkInThread(text: StatementText, signal: AbortSignal): Promise<void> {
  await threadUse.run(() => ask({ kind: "check", ...text }), signal);
}

/** The same for a statement whose caller is bound by data-access roles, as `readBoundStatement` does. */
export const readInThread = async (text: StatementText, signal: AbortSignal): Promise<BoundStatement> =>
  (await threadUse.run(() => ask({ kind: "read", ...text }), signal)).statement!;

/** As `rewriteStatement` does. */
export const rewriteInThread = async (
  text: StatementText,
  replacements: Replacement[],
  signal: AbortSignal,
): Promise<RewrittenStatement> =>
  (await threadUse.run(() => ask({ kind: "rewrite", ...text, replacements }), signal)).rewritten!;

async function ask(request: GateRequest): Promise<GateAnswer> {
  const thread = (current ??= startThread());
  const { worker, ready } = thread;
  worker.ref();
  if (!(await ready)) {
    stopThread(thread);
    throw new Failure("busy", "The engine could not start its SQL parser in time; try again.");
  }
  const answer = await askThread(worker, request);
  worker.unref();
  const { failure } = answer;
  const characters = request.sql.length + (answer.rewritten?.sql.length ?? 0);
  if (characters > KEPT_CHARACTERS_MAX || failure?.message === TOO_COMPLEX) stopThread(thread);
  if (failure) throw new Failure(failure.code, failure.message, { position: failure.position });
  return answer;
}

/** A thread that ends, or does not answer in time, was lost to the statement: it is too complex. */
async function askThread(worker: Worker, request: GateRequest): Promise<GateAnswer> {
  const answer = Promise.withResolvers<GateAnswer>();
  const lost = () => answer.resolve({ failure: { code: "statement_refused", message: TOO_COMPLEX } });
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
