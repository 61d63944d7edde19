// One query process as the engine sees it: orders in, frames out, and an end to it when it does not answer.

import type { ChildProcess } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { Failure } from "../../core/failure.ts";
import { endedBy } from "../../core/process-end.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { Footers } from "../../parquet/footers.ts";
import type { AnalysisOptions } from "../sql/gate.ts";
import type { Scan } from "../pruning/plan-scans.ts";
import { FrameReader } from "./frames.ts";
import type { Frame, Order, ResultFrame, RunOrder, Taken, WriteOrder } from "./messages.ts";
import { spawnProgram } from "./spawn-program.ts";
import type { Analysis } from "../sql/analysis.ts";
import type { ProbeOrder } from "../pruning/plan-probe.ts";
import type { RowGroups, RowGroupQuestion } from "../pruning/row-groups.ts";
import type { LakeSettings } from "../../core/settings.ts";

/** Time for opening DuckDB twice, on a busy machine. */
const START_MS = 30_000;
/** Time from an interrupt, which DuckDB looks for between vectors, to the kill. */
const GRACE_MS = 1_000;

const DIED = "The statement used more than one statement may have, or crashed its query process.";

export class QueryProcess {
  /** Settles when the process takes its first order; rejects where it can't start. */
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  readonly #frames = new FrameReader();
  #child: ChildProcess | undefined;
  #keys = new Set<string>();
  #gone = false;
  #killed = false;
  /** The signal by which the process ended. */
  #signal: NodeJS.Signals | null = null;
  #abandoned = false;

  /** `priority`: as `os.setPriority` takes it. */
  constructor(settings: LakeSettings, priority: number = constants.priority.PRIORITY_NORMAL) {
    const { promise: exited, resolve } = Promise.withResolvers<void>();
    const settle = (signal: NodeJS.Signals | null = null): void => {
      this.#gone = true;
      this.#signal = signal;
      resolve();
    };
    this.exited = exited;
    const timer = setTimeout(() => this.kill(), START_MS);
    this.ready = this.#start(settings, priority, settle).finally(() => clearTimeout(timer));
    this.ready.catch(() => undefined);
  }

  async #start(
    settings: LakeSettings,
    priority: number,
    settle: (signal?: NodeJS.Signals | null) => void,
  ): Promise<void> {
    try {
      const pipe = await this.#frames.open();
      try {
        if (this.#killed) throw new Failure("internal", DIED);
        this.#child = spawnProgram(settings, pipe)
          .once("exit", (_, signal) => settle(signal))
          .once("error", () => settle());
      } finally {
        // The process has its own copy of this end.
        pipe.destroy();
      }
    } catch (error) {
      this.#frames.close();
      settle();
      throw error;
    }
    // The priority is set before the process has threads: they inherit it.
    this.#setPriority(priority);
    await this.#expectReady();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get alive(): boolean {
    return !this.#gone;
  }

  /** Whether the process keeps a database for this key. */
  keeps(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Kills the process. Frames that nobody has taken are dropped. */
  kill(): void {
    this.#killed = true;
    this.#child?.kill("SIGKILL");
    this.#frames.close();
  }

  /** Kills the process and drops frames that nobody has taken: its statement fails for resources. */
  abandon(): void {
    this.#abandoned = true;
    this.kill();
  }

  /** Lowers the process's priority for good, as a priority can't be raised again. */
  lowerPriority(): void {
    this.#setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  }

  /** Rejects with the gate's Failure. The process is free again when this settles. */
  analyse(sql: string, options: AnalysisOptions, signal: AbortSignal): Promise<Analysis> {
    return this.#ask({ do: "analyse", sql, ...options }, signal);
  }

  /** The footers of files in the cache. */
  inspect(paths: string[], chunked: string[], signal: AbortSignal): Promise<Footers> {
    return this.#ask({ do: "inspect", paths, chunked }, signal);
  }

  /** The parts of its tables that a statement which passed the gate reads; null where that is not certain. */
  probe(order: ProbeOrder, signal: AbortSignal): Promise<Scan[] | null> {
    return this.#ask({ do: "probe", ...order }, signal);
  }

  /** The row groups that can't matter, question by question. */
  prune(questions: RowGroupQuestion[], signal: AbortSignal): Promise<RowGroups[]> {
    return this.#ask({ do: "prune", questions }, signal);
  }

  /**
   * One of the orders of a statement that writes; see {@link WriteOrder}. After `leave`, await {@link settled} instead.
   */
  runWriteOrder<T>(order: WriteOrder, signal: AbortSignal): Promise<T> {
    return this.#ask(order, signal);
  }

  #ask<T>(order: Order, signal: AbortSignal): Promise<T> {
    return this.#guarded(signal, async () => {
      this.#order(order);
      const { value } = await this.#expect("answer");
      if ("failure" in value) throw failureOf(value.failure);
      return value.answer as T;
    });
  }

  /** Ends what {@link runWriteOrder} began, whatever became of it. */
  leave(): void {
    this.#order({ do: "leave" });
  }

  /**
   * Runs a statement and hands its frames to `take`, which holds the process back by the promise it answers. A frame of
   * data may come in pieces.
   * Rejects with a Failure; after an abort, with the signal's reason. Await {@link settled} before the next order.
   */
  async run(
    order: RunOrder,
    signal: AbortSignal,
    take: (frame: ResultFrame) => void | Promise<Taken>,
  ): Promise<{ truncated: boolean }> {
    return this.#guarded(signal, async () => {
      this.#order({ do: "run", ...order });
      let broken: { error: unknown } | undefined;
      // A JSON document can tell a failure behind any row, but not within one.
      const inPieces = order.result.format !== "json";
      for (;;) {
        const frame = await this.#next(inPieces);
        if (frame.kind === "end") {
          if (broken) throw broken.error;
          if ("failure" in frame.value) throw failureOf(frame.value.failure);
          return frame.value;
        }
        if (frame.kind !== "columns" && frame.kind !== "data" && frame.kind !== "part")
          throw new Failure("internal", DIED);
        if (broken || signal.aborted) continue;
        try {
          // A taker that waits for ever must not outlast the signal.
          const taken = take(frame);
          if (taken && (await untilAborted(taken, signal)) === "inUse") this.#frames.leaveBytes();
        } catch (error) {
          this.#frames.leaveBytes();
          broken = { error };
          this.#order({ do: "interrupt" });
        }
      }
    });
  }

  /** After a run: waits until the process takes the next order. Rejects where it has died. */
  async settled(): Promise<void> {
    const timer = setTimeout(() => this.kill(), START_MS);
    await this.#expectReady().finally(() => clearTimeout(timer));
  }

  async #expectReady(): Promise<void> {
    this.#keys = new Set((await this.#expect("ready")).value.keys);
  }

  /** Linux has a priority for each thread. Elsewhere, and where the process is gone, it stays as it is. */
  #setPriority(priority: number): void {
    const { pid } = this;
    if (priority === constants.priority.PRIORITY_NORMAL || pid === undefined) return;
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
    } catch {
      // Without the priority the process still works, only less fairly.
    }
  }

  #order(order: Order): void {
    if (this.#child?.connected) this.#child.send(order, () => undefined);
  }

  async #next(inPieces = false): Promise<Frame> {
    const frame = await this.#frames.next(inPieces);
    if (!frame) throw await this.#whyGone();
    if (this.#abandoned) throw new Failure("resources_exceeded", DIED);
    return frame;
  }

  /** The reason for the process's end. The pipe may end a moment before the exit event, which gives the reason. */
  async #whyGone(): Promise<Failure> {
    this.#gone = true;
    const timer = setTimeout(() => this.kill(), GRACE_MS);
    if (!this.#killed) await this.exited;
    clearTimeout(timer);
    return endedBy(this.#killed ? undefined : this.#signal, DIED);
  }

  async #expect<Kind extends Frame["kind"]>(kind: Kind): Promise<Extract<Frame, { kind: Kind }>> {
    const frame = await this.#next();
    if (frame.kind !== kind) throw new Failure("internal", DIED);
    return frame as Extract<Frame, { kind: Kind }>;
  }

  /** On abort: interrupt, and after the grace kill. An error that `work` then throws becomes the signal's reason. */
  async #guarded<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      this.#order({ do: "interrupt" });
      timer = setTimeout(() => this.kill(), GRACE_MS);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }
}

const failureOf = ({
  code,
  message,
  position,
}: {
  code: Failure["code"];
  message: string;
  position?: number | undefined;
}): Failure => new Failure(code, message, { position });
