// One jailed process as the parent sees it: an order in, output and one report out, and an end to it whatever it does.

import { spawn, type ChildProcess } from "node:child_process";
import { chmod, chown, copyFile, mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { z } from "zod";
import { commandFor, homeIn, type WorkerPlan, type Jail } from "../jail/jail.ts";
import { watch } from "./resource-watch.ts";
import type { DriveFolder } from "../drive/drive.ts";
import { ResultKind } from "../contract/protocol.ts";

/** Starting Python and importing everything, on a machine busy with other things. */
const START_MS = 60_000;
/** From the order to the code's first line: the inputs are read. */
const INPUTS_MS = 120_000;
/** From the code's last word to the end of its processes. */
const LEAVE_MS = 2_000;
/** Past this much output a process is read at 64 KB every so often. */
const FREE_BYTES = 8 * 1024 * 1024;
const SLOW_MS = 10;
const EVENT_BYTES_MAX = 4 * 1024 * 1024;

const Ended = z.object({
  event: z.literal("ended"),
  error: z.string().max(16_384).nullable(),
  traceback: z.string().max(65_536).nullable(),
  durationMs: z.number().nonnegative(),
  peakBytes: z.number().int().nonnegative(),
  result: z
    .object({
      kind: ResultKind,
      rows: z.number().int().nonnegative().nullable(),
      bytes: z.number().int().nonnegative(),
      columns: z
        .array(z.object({ name: z.string().max(400), type: z.string().max(800) }))
        .max(1_000)
        .nullable(),
    })
    .nullable(),
});
const Event = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), lacks: z.array(z.string()) }),
  z.object({ event: z.literal("started") }),
  Ended,
]);
type Event = z.infer<typeof Event>;

/** A file for the worker: a copy, under a name, that it may read and nobody else's worker sees. */
export type WorkerFile = { name: string; from: string; mode: 0o400 | 0o444 };

/** What dependents get: a dataset's result, or a query's answer. */
export type InputKind = z.infer<typeof ResultKind> | "answer";

export type WorkerOrder = {
  /** What tracebacks call the code. */
  name: string;
  code: string;
  environment: Record<string, string>;
  /** `path` is under `inputsPath`. */
  inputs: { as: string; kind: InputKind; path: string }[];
  baseUrl: string;
  /** A folder that is not as it should be: whoever looks into it hears why. */
  closed: { path: string; why: string } | null;
};

export type Outcome = Omit<z.infer<typeof Ended>, "event" | "peakBytes"> & {
  startedAt: Date | null;
  peakBytes: number | null;
};
export type Output = (stream: "stdout" | "stderr", chunk: Buffer) => void;

export class WorkerProcess {
  /** Settles when it takes its order. */
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
  readonly #child: ChildProcess;
  readonly #stop: NodeJS.Signals;
  readonly #events: AsyncGenerator<Event>;
  #isClosed = false;
  #complaints = "";

  private constructor(jail: Jail, plan: WorkerPlan, result: FileHandle, resultFile: string) {
    const { file, args, env, inputsPath, stop } = commandFor(jail, plan);
    this.#plan = plan;
    this.#jail = jail;
    this.#stop = stop;
    this.inputsPath = inputsPath;
    this.resultFile = resultFile;
    this.token = plan.token;
    this.drive = plan.drive;
    this.#child = spawn(file, args, { cwd: "/", env, stdio: ["ignore", "pipe", "pipe", "pipe", result.fd] });
    this.closed = new Promise((resolve) => {
      const settle = () => {
        this.#isClosed = true;
        resolve();
      };
      this.#child.once("close", settle).once("error", settle);
    });
    const control = this.#child.stdio[3] as Duplex;
    control.on("error", () => undefined);
    this.#events = readEvents(control);
    const complain = (chunk: Buffer) => void (this.#complaints = (this.#complaints + chunk.toString()).slice(-2_000));
    this.#child.stderr!.on("data", complain);
    const timer = setTimeout(() => this.kill(), START_MS);
    this.ready = this.#expect("ready")
      .then((event) => void (this.lacks = event.lacks))
      .catch(() => Promise.reject(new Error(`A Python process did not start. ${this.#complaints}`)))
      .finally(() => {
        clearTimeout(timer);
        this.#child.stderr!.off("data", complain).pause();
      });
    this.ready.catch(() => this.kill());
  }

  static async start(jail: Jail, plan: WorkerPlan): Promise<WorkerProcess> {
    const resultFile = join(jail.settings.directory, "results", plan.id);
    const home = homeIn(plan.scratchDirectory);
    await mkdir(plan.inputsDirectory, { recursive: true });
    await mkdir(home, { recursive: true });
    // Of mkdir's mode the umask takes its part.
    const others = [join(plan.inputsDirectory, ".."), plan.inputsDirectory, plan.scratchDirectory];
    for (const directory of others) await chmod(directory, 0o711);
    await chmod(home, 0o700);
    if (plan.uid !== null) await chown(home, plan.uid, plan.uid);
    const result = await open(resultFile, "wx", 0o600);
    try {
      return new WorkerProcess(jail, plan, result, resultFile);
    } finally {
      await result.close();
    }
  }

  get isAlive(): boolean {
    return !this.#isClosed;
  }

  /** Ends all its processes; {@link closed} tells when they are gone. */
  kill(): void {
    if (this.#isClosed) return;
    // A process that waits for a file of the drive can't end before it is answered.
    this.drive.close();
    // What nobody reads would keep its pipes open.
    (this.#child.stdio[3] as Duplex).destroy();
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) stream.resume();
    this.#child.kill(this.#stop);
    // A subreaper that hangs has a bound of its own.
    if (this.#stop !== "SIGKILL") setTimeout(() => this.#isClosed || this.#child.kill("SIGKILL"), 10_000).unref();
  }

  /** Puts a file where the worker will find it, and answers its path there. */
  async give({ name, from, mode }: WorkerFile): Promise<string> {
    const path = join(this.#plan.inputsDirectory, name);
    await copyFile(from, path, constants.COPYFILE_FICLONE);
    await chmod(path, mode);
    if (mode === 0o400 && this.#plan.uid !== null) await chown(path, this.#plan.uid, this.#plan.uid);
    return join(this.inputsPath, name);
  }

  /**
   * Runs the one order. `timeoutMs` counts from the code's first line. Never rejects: what goes wrong is the outcome's
   * `error`, for the author. When it settles, every process of the worker is gone.
   */
  async run(order: WorkerOrder, timeoutMs: number, signal: AbortSignal, output: Output): Promise<Outcome> {
    for (const name of ["stdout", "stderr"] as const) flow(this.#child[name]!, (chunk) => output(name, chunk));
    const ended: Outcome = {
      error: null,
      traceback: null,
      durationMs: 0,
      peakBytes: null,
      result: null,
      startedAt: null,
    };
    let startedAt = 0;
    let verdict: string | undefined;
    const stopWorker = (why: string) => {
      verdict ??= why;
      this.kill();
    };
    const abort = () => stopWorker(signal.reason instanceof Error ? signal.reason.message : "The run was cancelled.");
    let timer = setTimeout(
      () => stopWorker(`The dataset's inputs could not be read within ${INPUTS_MS / 1000} s.`),
      INPUTS_MS,
    );
    const scratch = { directory: this.#plan.scratchDirectory, isMounted: this.#jail.mounts };
    const watching = watch(this.#child.pid!, scratch, this.#jail.settings.limits, stopWorker);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    try {
      (this.#child.stdio[3] as Duplex).write(`${JSON.stringify(order)}\n`);
      await this.#expect("started");
      clearTimeout(timer);
      ended.startedAt = new Date();
      startedAt = performance.now();
      timer = setTimeout(
        () => stopWorker(`The dataset ran longer than its ${timeoutMs} ms and was stopped.`),
        timeoutMs,
      );
      const { event: _, ...said } = await this.#expect("ended");
      Object.assign(ended, said);
    } catch (error) {
      ended.error =
        error instanceof NotStarted
          ? error.ended.error
          : "The dataset's process was killed, or ended itself, before the code had run to its end.";
      if (error instanceof NotStarted) ended.traceback = error.ended.traceback;
    }
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    if (verdict !== undefined) ended.error = verdict;
    (this.#child.stdio[3] as Duplex).destroy();
    const leave = setTimeout(() => this.kill(), LEAVE_MS);
    await this.closed;
    clearTimeout(leave);
    const peak = watching.stop();
    if (ended.error !== null) ended.result = null;
    if (startedAt > 0 && ended.durationMs === 0) ended.durationMs = performance.now() - startedAt;
    return { ...ended, peakBytes: Math.max(peak, ended.peakBytes ?? 0) || null };
  }

  /** Forgets what it wrote. The result file, too, unless it was taken. */
  async dispose(): Promise<void> {
    this.kill();
    await this.closed;
    this.drive.close();
    await Promise.all([
      rm(join(this.#plan.inputsDirectory, ".."), { recursive: true, force: true }),
      rm(this.resultFile, { force: true }),
    ]);
  }

  async #expect<Name extends Event["event"]>(name: Name): Promise<Extract<Event, { event: Name }>> {
    const { value, done } = await this.#events.next();
    if (done || value === undefined) throw new Error("It has ended.");
    if (value.event === "ended" && name === "started") throw new NotStarted(value);
    if (value.event !== name) throw new Error(`It said ${value.event} instead of ${name}.`);
    return value as Extract<Event, { event: Name }>;
  }
}

/** It ended before the code's first line: an input or the syntax. */
class NotStarted extends Error {
  readonly ended: z.infer<typeof Ended>;

  constructor(ended: z.infer<typeof Ended>) {
    super("The code did not start.");
    this.ended = ended;
  }
}

/** Reads as it comes; a process that writes without end is let to, slowly. */
function flow(stream: Readable, take: (chunk: Buffer) => void): void {
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    take(chunk);
    if (bytes < FREE_BYTES) return;
    stream.pause();
    setTimeout(() => stream.resume(), SLOW_MS);
  });
  stream.resume();
}

/** Lines of JSON from a process that may send anything: bounded, parsed, and over at the first that is not an event. */
async function* readEvents(stream: Readable): AsyncGenerator<Event> {
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > EVENT_BYTES_MAX) return;
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const parsed = Event.safeParse(parseJson(rest.subarray(0, end).toString()));
        if (!parsed.success) return;
        yield parsed.data;
        rest = rest.subarray(end + 1);
      }
    }
  } catch {
    // A broken pipe says the same as its end.
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
