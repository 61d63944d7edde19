// The query processes: as many statements at once as there are cores for, a bounded queue, and a spare kept warm.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freeBytes, makeRoom } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import { QueryProcess } from "./query-process.ts";
import type { LakeSettings } from "../../core/settings.ts";

/** After a process that could not start, before the next try. */
const RESTART_MS = 250;
/** A process makes a folder before it is ready; with less it can't. */
const START_BYTES = 1024 * 1024;

export class QueryPool {
  readonly #settings: LakeSettings;
  readonly #idle: QueryProcess[] = [];
  readonly #all = new Set<QueryProcess>();
  readonly #waiting: Array<() => void> = [];
  #busy = 0;
  #stopped = false;

  constructor(settings: LakeSettings) {
    this.#settings = settings;
    mkdirSync(join(settings.cacheDirectory, "tmp"), { recursive: true });
    // One more than may run at once: a killed process is made good without a caller waiting for the new one.
    for (let i = 0; i <= settings.processes; i++) this.#start();
  }

  /** Gives a process to `use`, alone. Rejects with `busy` where too many wait, or with the signal's reason. */
  async with<T>(signal: AbortSignal, use: (process: QueryProcess) => Promise<T>): Promise<T> {
    const process = await this.#acquire(signal);
    try {
      return await use(process);
    } finally {
      this.#busy--;
      this.#free(process);
    }
  }

  /**
   * For statements that dirty the jail: the process comes back once its next jail is ready, without the caller waiting.
   */
  async withJail<T>(signal: AbortSignal, use: (process: QueryProcess) => Promise<T>): Promise<T> {
    const process = await this.#acquire(signal);
    try {
      return await use(process);
    } finally {
      this.#busy--;
      void process.settled().then(
        () => this.#free(process),
        () => process.kill(),
      );
      this.#wake();
    }
  }

  /** Ends every process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.splice(0).forEach((wake) => wake());
    await Promise.all(
      [...this.#all].map((process) => {
        process.kill();
        return process.exited;
      }),
    );
  }

  async #acquire(signal: AbortSignal): Promise<QueryProcess> {
    for (let first = true; ; first = false) {
      signal.throwIfAborted();
      if (this.#stopped) throw new Failure("busy", "The engine is stopping.");
      const process = this.#busy < this.#settings.processes ? this.#takeIdle() : undefined;
      if (process) {
        this.#busy++;
        return process;
      }
      if (first && this.#waiting.length >= this.#settings.waitingMax)
        throw new Failure("busy", "As many statements wait as this engine takes; try again shortly.");
      await this.#turn(signal, first);
    }
  }

  #takeIdle(): QueryProcess | undefined {
    for (let process = this.#idle.shift(); process; process = this.#idle.shift()) if (process.alive) return process;
    return undefined;
  }

  /** Waits to be woken; who was woken in vain waits at the head of the queue. */
  async #turn(signal: AbortSignal, first: boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        const at = this.#waiting.indexOf(wake);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve();
      };
      signal.addEventListener("abort", wake, { once: true });
      if (first) this.#waiting.push(wake);
      else this.#waiting.unshift(wake);
    });
  }

  #wake(): void {
    if (this.#idle.length > 0 && this.#busy < this.#settings.processes) this.#waiting[0]?.();
  }

  #free(process: QueryProcess): void {
    if (!process.alive) return;
    this.#idle.push(process);
    this.#wake();
  }

  #start(): void {
    const process = new QueryProcess(this.#settings);
    this.#all.add(process);
    let started = false;
    void process.ready.then(
      () => {
        started = true;
        this.#free(process);
      },
      () => process.kill(),
    );
    void process.exited.then(() => {
      this.#all.delete(process);
      this.#sweep(process);
      if (!started && freeBytes(this.#settings.cacheDirectory) < START_BYTES) makeRoom();
      if (!this.#stopped) setTimeout(() => !this.#stopped && this.#start(), started ? 0 : RESTART_MS);
    });
  }

  /** A killed process leaves its temporary files behind. */
  #sweep({ pid }: QueryProcess): void {
    const directory = join(this.#settings.cacheDirectory, "tmp");
    // A process opens its jails one after the other, so its directories share its id as their prefix.
    for (const name of readdirSync(directory))
      if (name.startsWith(`${pid}-`)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
