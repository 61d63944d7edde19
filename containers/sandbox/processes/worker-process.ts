// One jailed process as the parent sees it: an order in, output and one report out, and an end to it whatever it does.

import { chmod, chown, copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { homeIn, inputsPathIn, type WorkerPlan, type Jail } from "../jail/jail.ts";
import type { StartedProcess, StartWorker } from "./start-worker.ts";
import { NotStarted, WorkerEvents, type Ended } from "./worker-events.ts";
import { readOutput, type Output } from "./read-output.ts";
import { watch } from "./resource-watch.ts";
import type { DriveFolder } from "../drive/drive.ts";
import type { ResultKind } from "../../../kernel/wire/sandbox.ts";

/** Time for starting Python and importing everything, on a busy machine. */
const START_MS = 60_000;
/** Time from the order to the code's first line, in which the inputs are read. */
const INPUTS_MS = 120_000;
/** Time from the code's end to the end of its processes. */
const LEAVE_MS = 2_000;
const COMPLAINT_CHARACTERS_MAX = 2_000;
/** A file for the worker, under a name: a copy of another, or a text. It may be read, and no other worker sees it. */
export type WorkerFile = { name: string; from: string | { text: string }; mode: 0o400 | 0o444 };

/** The input that dependents get: a dataset's result, a query's answer, or either as the files of a table. */
export type InputKind = z.infer<typeof ResultKind> | "answer" | "answer_table";

export type WorkerOrder = {
  /** The name of the code in tracebacks. */
  name: string;
  code: string;
  environment: Record<string, string>;
  /** The paths are under `inputsPath`; only a table may have several. */
  inputs: { as: string; kind: InputKind; paths: string[] }[];
  /** Whether the result is written as the rows of a table. */
  isTable: boolean;
  baseUrl: string;
  /** A folder that is not as it should be: code that opens it gets the reason as its error. */
  closed: { path: string; why: string } | null;
};

export type Outcome = Omit<Ended, "event" | "peakBytes"> & { startedAt: Date | null; peakBytes: number | null };

export class WorkerProcess {
  /** Settles when the process takes its order. */
  readonly ready: Promise<void>;
  /** Settles when none of its processes is left and its output was read. */
  readonly closed: Promise<void>;
  readonly inputsPath: string;
  readonly resultFile: string;
  readonly token: string;
  readonly drive: DriveFolder;
  /** Restrictions that could not be set. */
  lacks: string[] = [];
  readonly #plan: WorkerPlan;
  readonly #jail: Jail;
  readonly #process: StartedProcess;
  readonly #events: WorkerEvents;
  #isClosed = false;

  private constructor(jail: Jail, plan: WorkerPlan, resultFile: string, started: StartedProcess) {
    this.#plan = plan;
    this.#jail = jail;
    this.inputsPath = inputsPathIn(jail, plan);
    this.resultFile = resultFile;
    this.token = plan.token;
    this.drive = plan.drive;
    this.#process = started;
    this.closed = started.closed.then(() => void (this.#isClosed = true));
    this.#events = new WorkerEvents(started.control);
    this.ready = this.#becomeReady();
    this.ready.catch(() => this.kill());
  }

  static async start(jail: Jail, plan: WorkerPlan, startWorker: StartWorker): Promise<WorkerProcess> {
    const resultFile = join(jail.settings.directory, "results", plan.id);
    const home = homeIn(plan.scratchDirectory);
    await mkdir(plan.inputsDirectory, { recursive: true });
    await mkdir(home, { recursive: true });
    // The umask takes its part of the mode given to mkdir, so that it is set again.
    const others = [join(plan.inputsDirectory, ".."), plan.inputsDirectory, plan.scratchDirectory];
    for (const directory of others) await chmod(directory, 0o711);
    await chmod(home, 0o700);
    if (plan.uid !== null) await chown(home, plan.uid, plan.uid);
    await writeFile(resultFile, "", { flag: "wx", mode: 0o600 });
    return new WorkerProcess(jail, plan, resultFile, await startWorker(jail, plan, resultFile));
  }

  /** Waits until the process is ready. Rejects with its stderr where it ends before. */
  async #becomeReady(): Promise<void> {
    let complaints = "";
    const listen = (chunk: Buffer) =>
      void (complaints = (complaints + chunk.toString()).slice(-COMPLAINT_CHARACTERS_MAX));
    const { stderr } = this.#process;
    stderr.on("data", listen);
    const timer = setTimeout(() => this.kill(), START_MS);
    try {
      this.lacks = (await this.#events.expect("ready")).lacks;
    } catch {
      throw new Error(`A Python process did not start. ${complaints}`);
    } finally {
      clearTimeout(timer);
      stderr.off("data", listen).pause();
    }
  }

  get isAlive(): boolean {
    return !this.#isClosed;
  }

  /** Ends all its processes; {@link closed} settles when they are gone. */
  kill(): void {
    if (this.#isClosed) return;
    // A process that waits for a file of the drive can't end before it is answered.
    this.drive.close();
    // Unread output would keep its pipes open.
    const { control, stdout, stderr } = this.#process;
    control.destroy();
    for (const stream of [stdout, stderr]) stream.resume();
    this.#process.stop();
  }

  /** Puts a file where the worker will find it, and answers its path there. */
  async give({ name, from, mode }: WorkerFile): Promise<string> {
    const path = join(this.#plan.inputsDirectory, name);
    if (typeof from === "string") await copyFile(from, path, constants.COPYFILE_FICLONE);
    else await writeFile(path, from.text);
    await chmod(path, mode);
    if (mode === 0o400 && this.#plan.uid !== null) await chown(path, this.#plan.uid, this.#plan.uid);
    return join(this.inputsPath, name);
  }

  /**
   * Runs the one order. `timeoutMs` counts from the code's first line. Never rejects: what goes wrong is the outcome's
   * `error`, for the author. When it settles, every process of the worker is gone.
   */
  async run(order: WorkerOrder, timeoutMs: number, signal: AbortSignal, output: Output): Promise<Outcome> {
    for (const name of ["stdout", "stderr"] as const) readOutput(this.#process[name], (chunk) => output(name, chunk));
    let whyStopped: string | undefined;
    const stop = (why: string) => {
      whyStopped ??= why;
      this.kill();
    };
    const abort = () => stop(signal.reason instanceof Error ? signal.reason.message : "The run was cancelled.");
    const scratch = { directory: this.#plan.scratchDirectory, isMounted: this.#jail.mounts };
    const watching = watch(this.#process.pid, scratch, this.#jail.settings.limits, stop);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const outcome = await this.#execute(order, timeoutMs, stop);
    signal.removeEventListener("abort", abort);
    if (whyStopped !== undefined) outcome.error = whyStopped;
    await this.#exit();
    // A process that was killed did not say how long its code ran; its end belongs to it.
    if (outcome.startedAt !== null && outcome.durationMs === 0)
      outcome.durationMs = Math.max(0, Date.now() - outcome.startedAt.getTime());
    const peak = watching.stop();
    if (outcome.error !== null) outcome.result = null;
    return { ...outcome, peakBytes: Math.max(peak, outcome.peakBytes ?? 0) || null };
  }

  /**
   * Sends the order and waits for the code's end. `stop` is called when reading the inputs or the code takes too long.
   */
  async #execute(order: WorkerOrder, timeoutMs: number, stop: (why: string) => void): Promise<Outcome> {
    const outcome = emptyOutcome();
    const inputsLate = `The dataset's inputs could not be read within ${INPUTS_MS / 1000} s.`;
    const tooLong = `The dataset ran longer than its ${timeoutMs} ms and was stopped.`;
    let timer = setTimeout(() => stop(inputsLate), INPUTS_MS);
    try {
      this.#process.control.write(`${JSON.stringify(order)}\n`);
      await this.#events.expect("started");
      clearTimeout(timer);
      outcome.startedAt = new Date();
      timer = setTimeout(() => stop(tooLong), timeoutMs);
      const { event: _, ...ended } = await this.#events.expect("ended");
      Object.assign(outcome, ended);
    } catch (error) {
      Object.assign(outcome, errorOf(error));
    }
    clearTimeout(timer);
    return outcome;
  }

  /** Gives its processes a moment to end by themselves, and settles when none is left. */
  async #exit(): Promise<void> {
    this.#process.control.destroy();
    const timer = setTimeout(() => this.kill(), LEAVE_MS);
    await this.closed;
    clearTimeout(timer);
  }

  /** Removes the process's files, with the result file unless it was taken. */
  async dispose(): Promise<void> {
    this.kill();
    await this.closed;
    this.drive.close();
    await Promise.all([
      rm(join(this.#plan.inputsDirectory, ".."), { recursive: true, force: true }),
      rm(this.resultFile, { force: true }),
    ]);
  }
}

const emptyOutcome = (): Outcome => ({
  error: null,
  traceback: null,
  durationMs: 0,
  peakBytes: null,
  result: null,
  startedAt: null,
});

function errorOf(error: unknown): Pick<Outcome, "error" | "traceback"> {
  if (error instanceof NotStarted) return { error: error.ended.error, traceback: error.ended.traceback };
  const message = "The dataset's process was killed, or ended itself, before the code had run to its end.";
  return { error: message, traceback: null };
}
