// The compile processes of an engine, and whose order is next. Each caller has one order under way at a time, and
// callers take turns, so that no caller's slow query takes the process that another caller's needs.

import { KeyedMutex, Semaphore } from "../../../../program/semaphore.ts";
import { Failure, stopping } from "../../../core/failure.ts";
import { untilAborted } from "../../../core/until-aborted.ts";
import { CompileProcess, ProcessDied } from "./compile-process.ts";
import type { CompileAnswer, CompileOrder } from "./messages.ts";

/**
 * Compile processes of an engine: one more than a caller can occupy. Each may have all the memory that a compile
 * process may.
 */
const PROCESSES_MAX = 2;
/** How many orders of one caller wait, and how many callers: as many as an engine takes statements at all. */
const WAITING_MAX = 64;
/** The time after which a process that is not needed ends, to free its memory; warm ones stay. */
const IDLE_MS = 5 * 60_000;
/** Processes that stay, as starting one takes most of a second. */
const WARM = 1;
/** An order that takes a process longer than this has another one started beside it, for the next caller. */
const SPARE_AFTER_MS = 250;

const BUSY = "As many semantic queries wait as this engine takes; try again shortly.";
/** The things that an order waits for before a process has it. */
const WAITS = {
  caller: "Until then another semantic query of the same caller was being compiled.",
  turn: "Until then semantic queries of other callers were being compiled.",
  process: "Until then a process that compiles it was being started.",
};

export type CompilePoolOptions = { idleMs?: number; warm?: number };
/**
 * `sender`: the caller whose turn it takes. `onWaited` gets the milliseconds that the order waited, once a process has
 * it.
 */
export type CompileCaller = { sender: string; onWaited?: (ms: number) => void };

export class CompilePool {
  readonly #callers = new KeyedMutex(lineOf(WAITING_MAX));
  readonly #turns = new Semaphore(PROCESSES_MAX, lineOf(WAITING_MAX));
  readonly #idleMs: number;
  readonly #warm: number;
  /** Processes in the order of their start: the first free one is taken, as it knows the most models. */
  #processes: CompileProcess[] = [];
  readonly #working = new Set<CompileProcess>();
  #idle: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ idleMs = IDLE_MS, warm = WARM }: CompilePoolOptions = {}) {
    this.#idleMs = idleMs;
    this.#warm = warm;
  }

  /** Rejects with a Failure; or, where the signal is aborted, with its reason, or one that says what it waited for. */
  async ask(order: CompileOrder, { sender, onWaited }: CompileCaller, signal: AbortSignal): Promise<CompileAnswer> {
    const since = performance.now();
    let waitsFor: keyof typeof WAITS | undefined = "caller";
    const onBegun = (): void => {
      waitsFor = undefined;
      onWaited?.(performance.now() - since);
    };
    const work = (): Promise<CompileAnswer> => {
      waitsFor = "process";
      return this.#ask({ order, onBegun }, signal);
    };
    const takeTurn = (): Promise<CompileAnswer> => {
      waitsFor = "turn";
      return this.#turns.run(work, signal);
    };
    try {
      return await this.#callers.run(sender, takeTurn, signal);
    } catch (error) {
      if (!waitsFor || error !== signal.reason || !(error instanceof Failure)) throw error;
      throw new Failure(error.code, `${error.message} ${WAITS[waitsFor]}`, { cause: error });
    }
  }

  /** The ids of the processes that there are. */
  get pids(): number[] {
    return this.#living().flatMap(({ pid }) => pid ?? []);
  }

  /** Ends the processes and starts none any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#idle);
    for (const process of this.#processes) process.kill();
  }

  async #ask(order: Turn, signal: AbortSignal): Promise<CompileAnswer> {
    clearTimeout(this.#idle);
    try {
      return await this.#askProcess(order, signal);
    } finally {
      this.#keep(this.#warm);
      this.#idle = setTimeout(() => this.#endIdle(), this.#idleMs).unref();
    }
  }

  async #askProcess(order: Turn, signal: AbortSignal): Promise<CompileAnswer> {
    const process = this.#living().find((each) => !this.#working.has(each)) ?? this.#start();
    const isFresh = process.answered === 0;
    try {
      return await this.#work(process, order, signal);
    } catch (error) {
      // The process may have died of an earlier order, or been on its way out.
      if (!(error instanceof ProcessDied) || isFresh) throw error;
      return this.#work(this.#start(), order, signal);
    }
  }

  async #work(process: CompileProcess, { order, onBegun }: Turn, signal: AbortSignal): Promise<CompileAnswer> {
    let spare: NodeJS.Timeout | undefined;
    this.#working.add(process);
    try {
      // A start that nobody waits for any more goes on, for the next order.
      await untilAborted(process.ready, signal);
      onBegun();
      spare = setTimeout(() => this.#keep(PROCESSES_MAX), SPARE_AFTER_MS).unref();
      return await process.ask(order, signal);
    } finally {
      clearTimeout(spare);
      this.#working.delete(process);
    }
  }

  #start(): CompileProcess {
    if (this.#stopped) throw stopping();
    const process = new CompileProcess();
    this.#processes = [...this.#living(), process];
    return process;
  }

  #living(): CompileProcess[] {
    return this.#processes.filter(({ alive }) => alive);
  }

  /** Starts as many as are missing. */
  #keep(count: number): void {
    if (this.#stopped) return;
    for (let missing = count - this.#living().length; missing > 0; missing--) this.#start();
  }

  #endIdle(): void {
    const idle = this.#living().filter((process) => !this.#working.has(process));
    for (const process of idle.slice(this.#warm)) process.kill();
  }
}

/** An order that has come to its turn; `onBegun` is called once a process has it. */
type Turn = { order: CompileOrder; onBegun: () => void };

function lineOf(waitingMax: number) {
  return { waitingMax, refuse: () => new Failure("busy", BUSY) };
}
