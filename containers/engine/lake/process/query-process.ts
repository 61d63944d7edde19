// One query process as the engine sees it: orders in, frames out, and an end to it when it does not answer.

import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { Failure } from "../../core/failure.ts";
import type { Footers } from "../../parquet/footers.ts";
import type { AnalysisOptions } from "../sql/gate.ts";
import type { Scan } from "../pruning/plan-scans.ts";
import type { ProcessLimits } from "./program.ts";
import { FrameReader, type Frame, type Order, type RunOrder, type WriteOrder } from "./messages.ts";
import type { Analysis } from "../sql/analysis.ts";
import type { ProbeOrder } from "../pruning/plan-probe.ts";
import type { RowGroups, RowGroupQuestion } from "../pruning/row-groups.ts";
import type { LakeSettings } from "../../core/settings.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));
/** Opening DuckDB twice, on a machine busy with other things. */
const START_MS = 30_000;
/** From an interrupt, which DuckDB looks for between vectors, to the kill. */
const GRACE_MS = 1_000;
/** DuckDB's own bound, under the kernel's, which also holds what DuckDB does not count. */
const DUCKDB_SHARE = 0.6;
/**
 * What Node and two idle DuckDB instances have mapped (most of it never touched), which the kernel's bound counts as
 * well.
 */
const IDLE_DATA_MB = 700;
/**
 * A process whose statement left more than this share mapped is replaced: its next statement would find less than its
 * due.
 */
const RESIDUE_SHARE = 0.25;
const NODE_HEAP_MB = 256;

const DIED = "The statement used more than one statement may have, or crashed its query process.";

export class QueryProcess {
  /** Settles when the process takes its first order; rejects where it can't start. */
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #frames: FrameReader;
  #keys = new Set<string>();
  #gone = false;
  #abandoned = false;

  /** `priority`: as `os.setPriority` takes it. */
  constructor(settings: LakeSettings, priority: number = constants.priority.PRIORITY_NORMAL) {
    const { queryMemoryMb, threads, spillMb, cacheDirectory } = settings;
    const limits: ProcessLimits = {
      threads,
      memoryMb: Math.floor(queryMemoryMb * DUCKDB_SHARE),
      spillMb,
      residueMb: Math.floor(queryMemoryMb * RESIDUE_SHARE),
    };
    // No core dumps (they would hold data), and a data bound that DuckDB's memory_limit alone does not keep.
    const script = `ulimit -c 0; ulimit -d ${(IDLE_DATA_MB + queryMemoryMb) * 1024}; exec "$0" "$@"`;
    const { PATH = "", NODE_COMPILE_CACHE } = process.env;
    this.#child = spawn("/bin/sh", ["-c", script, process.execPath, `--max-old-space-size=${NODE_HEAP_MB}`, PROGRAM], {
      cwd: cacheDirectory,
      // One malloc arena: with one for each thread, memory that is free in one is missing in the others.
      env: { PATH, NODE_COMPILE_CACHE, QUERY_LIMITS: JSON.stringify(limits), MALLOC_ARENA_MAX: "1" },
      stdio: ["ignore", "ignore", "inherit", "pipe", "ipc"],
    });
    // Before it has threads: they get the priority of the thread that starts them.
    this.#setPriority(priority);
    this.#frames = new FrameReader(this.#child.stdio[3] as unknown as NodeJS.ReadableStream);
    this.exited = new Promise((resolve) => {
      const settle = (): void => {
        this.#gone = true;
        resolve();
      };
      this.#child.once("exit", settle);
      this.#child.once("error", settle);
    });
    const timer = setTimeout(() => this.kill(), START_MS);
    this.ready = this.#expectReady().finally(() => clearTimeout(timer));
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return !this.#gone;
  }

  /** Whether a database is kept here that a statement with this key can have. */
  keeps(key: string): boolean {
    return this.#keys.has(key);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Kills it, and drops what it has sent and nobody has taken: its statement has failed for resources from now on. */
  abandon(): void {
    this.#abandoned = true;
    this.kill();
  }

  /** For good: a priority can't be raised again. */
  lowerPriority(): void {
    this.#setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  }

  /** Rejects with the gate's Failure. The process is free again when this settles. */
  async analyse(sql: string, options: AnalysisOptions, signal: AbortSignal): Promise<Analysis> {
    return this.#guarded(signal, async () => {
      this.#order({ do: "analyse", sql, ...options });
      const { value } = await this.#expect("analysis");
      if ("failure" in value) throw failureOf(value.failure);
      return value;
    });
  }

  /** What the footers of files in the cache say. */
  async inspect(paths: string[], chunked: string[], signal: AbortSignal): Promise<Footers> {
    return this.#guarded(signal, async () => {
      this.#order({ do: "inspect", paths, chunked });
      const { value } = await this.#expect("footers");
      if ("failure" in value) throw failureOf(value.failure);
      return value;
    });
  }

  /** What a statement that passed the gate reads of its tables; null where that is not certain. */
  async probe(order: ProbeOrder, signal: AbortSignal): Promise<Scan[] | null> {
    return this.#guarded(signal, async () => {
      this.#order({ do: "probe", ...order });
      return (await this.#expect("scans")).value;
    });
  }

  /** The row groups that can't matter, question by question. */
  async prune(questions: RowGroupQuestion[], signal: AbortSignal): Promise<RowGroups[]> {
    return this.#guarded(signal, async () => {
      this.#order({ do: "prune", questions });
      const { value } = await this.#expect("pruned");
      if ("failure" in value) throw failureOf(value.failure);
      return value;
    });
  }

  /**
   * One of the orders of a statement that writes; see {@link WriteOrder}. After `leave`, await {@link settled} instead.
   */
  async runWriteOrder<T>(order: WriteOrder, signal: AbortSignal): Promise<T> {
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
   * Runs a statement and hands its frames to `take`, which holds the process back by the promise it answers.
   * Rejects with a Failure; after an abort, with the signal's reason. Await {@link settled} before the next order.
   */
  async run(
    order: RunOrder,
    signal: AbortSignal,
    take: (frame: Extract<Frame, { kind: "columns" | "data" | "part" }>) => void | Promise<void>,
  ): Promise<{ truncated: boolean }> {
    return this.#guarded(signal, async () => {
      this.#order({ do: "run", ...order });
      let broken: { error: unknown } | undefined;
      const stop = aborted(signal);
      stop.catch(() => undefined);
      for (;;) {
        const frame = await this.#next();
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
          await Promise.race([take(frame), stop]);
        } catch (error) {
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
    const { pid } = this.#child;
    if (priority === constants.priority.PRIORITY_NORMAL || pid === undefined) return;
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
    } catch {
      // Fairness is lost, and nothing else.
    }
  }

  #order(order: Order): void {
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  async #next(): Promise<Frame> {
    const frame = await this.#frames.next();
    // The pipe may end a moment before the exit event comes.
    if (!frame) this.#gone = true;
    if (!frame || this.#abandoned) throw new Failure("resources_exceeded", DIED);
    return frame;
  }

  async #expect<Kind extends Frame["kind"]>(kind: Kind): Promise<Extract<Frame, { kind: Kind }>> {
    const frame = await this.#next();
    if (frame.kind !== kind) throw new Failure("internal", DIED);
    return frame as Extract<Frame, { kind: Kind }>;
  }

  /** On abort: interrupt, and after the grace kill. What `work` then throws becomes the signal's reason. */
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

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
