// The query processes: as many statements at once as there are cores for, a bounded queue, and a spare kept warm.

import { EventEmitter, once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Semaphore, type Release } from "../../../program/semaphore.ts";
import { freeBytes, freeDiskSpace } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import { QueryProcess } from "./query-process.ts";
import type { LakeSettings } from "../../core/settings.ts";

/** After a process that could not start, before the next try. */
const RESTART_MS = 250;
/** From one process that is ready to the start of the next that nobody waits for: the first statements go first. */
const GROW_MS = 500;
/** A process makes a folder before it is ready; with less it can't. */
const START_BYTES = 1024 * 1024;

export class QueryPool {
  readonly #settings: LakeSettings;
  readonly #idle: QueryProcess[] = [];
  readonly #all = new Set<QueryProcess>();
  /** Emits `idle` when a process is free, and when there will be none any more. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #statements: Semaphore;
  /** Processes that are not ready yet. */
  #starting = 0;
  /** Statements without one. */
  #waiting = 0;
  #stopped = false;

  constructor(settings: LakeSettings) {
    this.#settings = settings;
    this.#statements = new Semaphore(settings.processes, {
      waitingMax: settings.waitingMax,
      refuse: () => new Failure("busy", "As many statements wait as this engine takes; try again shortly."),
    });
  }

  /**
   * Starts the first process; statements that come before it is ready wait for it. The others follow one by one: all at
   * once they would keep the cores from the first, and from the statement that waits for it.
   */
  start(): void {
    mkdirSync(join(this.#settings.cacheDirectory, "tmp"), { recursive: true });
    this.#grow();
  }

  /** Gives a process to `use`, alone. Rejects with `busy` where too many wait, or with the signal's reason. */
  async withProcess<T>(signal: AbortSignal, use: (process: QueryProcess) => Promise<T>): Promise<T> {
    const { process, release } = await this.#acquire(signal);
    try {
      return await use(process);
    } finally {
      this.#free(process);
      release();
    }
  }

  /**
   * For statements that take a locked database: the process comes back once it is ready for the next, without the
   * caller waiting. Better one that keeps a database under `key`.
   */
  async withDatabase<T>(signal: AbortSignal, use: (process: QueryProcess) => Promise<T>, key?: string): Promise<T> {
    const { process, release } = await this.#acquire(signal, key);
    try {
      return await use(process);
    } finally {
      void process.settled().then(
        () => this.#free(process),
        () => process.kill(),
      );
      release();
    }
  }

  /** Ends every process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#events.emit("idle");
    await Promise.all(
      [...this.#all].map((process) => {
        process.kill();
        return process.exited;
      }),
    );
  }

  async #acquire(signal: AbortSignal, key?: string): Promise<{ process: QueryProcess; release: Release }> {
    const release = await this.#statements.acquire(signal);
    try {
      return { process: await this.#takeIdle(signal, key), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Waits while a killed process is made good. */
  async #takeIdle(signal: AbortSignal, key: string | undefined): Promise<QueryProcess> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#stopped) throw new Failure("busy", "The engine is stopping.");
      for (let process = this.#nextIdle(key); process; process = this.#nextIdle(key)) if (process.alive) return process;
      if (this.#starting === 0) this.#grow();
      this.#waiting++;
      // Rejects when the signal aborts, with another error than its reason.
      await once(this.#events, "idle", { signal })
        .catch(() => signal.throwIfAborted())
        .finally(() => this.#waiting--);
    }
  }

  #nextIdle(key: string | undefined): QueryProcess | undefined {
    const best = key === undefined ? -1 : this.#idle.findIndex((process) => process.keeps(key));
    return this.#idle.splice(Math.max(0, best), 1)[0];
  }

  #free(process: QueryProcess): void {
    if (!process.alive) return;
    this.#idle.push(process);
    this.#events.emit("idle");
  }

  /**
   * Starts one more process where there are too few. There is one more than statements may run at once: a killed one is
   * made good without a caller waiting for the new one.
   */
  #grow(): void {
    if (this.#stopped || this.#all.size > this.#settings.processes) return;
    const process = new QueryProcess(this.#settings);
    this.#all.add(process);
    this.#starting++;
    let started = false;
    void process.ready.then(
      () => {
        started = true;
        this.#starting--;
        this.#free(process);
        setTimeout(() => this.#grow(), this.#waiting > this.#idle.length ? 0 : GROW_MS).unref();
      },
      () => {
        this.#starting--;
        process.kill();
      },
    );
    void process.exited.then(() => {
      this.#all.delete(process);
      this.#sweep(process);
      if (!started && freeBytes(this.#settings.cacheDirectory) < START_BYTES) freeDiskSpace();
      setTimeout(() => this.#grow(), started ? 0 : RESTART_MS);
    });
  }

  /** A killed process leaves its temporary files behind. */
  #sweep({ pid }: QueryProcess): void {
    const directory = join(this.#settings.cacheDirectory, "tmp");
    // A process opens its databases one after the other, so their directories share its id as their prefix.
    for (const name of readdirSync(directory))
      if (name.startsWith(`${pid}-`)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
