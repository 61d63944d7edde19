// The query processes of one class of statements: as many statements at once as the class has slots, a bounded queue,
// and processes that are started before they are needed.

import { EventEmitter, once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Semaphore, type Release } from "../../../../program/semaphore.ts";
import { freeBytes, freeDiskSpace } from "../../../core/disk.ts";
import { Failure } from "../../../core/failure.ts";
import type { LakeSettings } from "../../../core/settings.ts";
import { QueryProcess } from "../query-process.ts";
import { cannotStart, restartMs, START_FAILURES_MAX } from "./restarts.ts";
import type { Share } from "./shares.ts";

/**
 * The wait between one process being ready and the start of the next that no statement waits for: the first statements
 * go first.
 */
const GROW_MS = 500;
/** The least free disk space with which a process is started, as it makes a folder before it is ready. */
const START_BYTES = 1024 * 1024;
/** The assumed time of a statement before any has ended. */
const USUAL_MS = 100;
/** The share of the newest statement in the mean. */
const NEWEST_SHARE = 0.1;
const RETRY_SECONDS_MAX = 60;
/** The time after which a statement makes way for waiting ones; a short statement should not take longer. */
const OVERDUE_MS = 2_000;

/** The requests to a process. `key`: of the database that the statement would have; better a process that keeps it. */
export type ProcessUse<T> = {
  signal: AbortSignal;
  key?: string | undefined;
  work: (process: QueryProcess) => Promise<T>;
  /** When the process takes its next order; its caller does not wait for that. */
  settle?: (process: QueryProcess) => Promise<void>;
  /** Whether a rejection for resources would do no harm now: nothing of the answer is gone. */
  canRestart?: (() => boolean) | undefined;
  /** Asks that the process not wait for whoever reads its answer. */
  letGo?: () => void;
};

export class ProcessGroup {
  readonly #settings: LakeSettings;
  readonly #share: Share;
  /** Called some time after a process was ready. */
  readonly #whenReady: () => void;
  readonly #slots: Semaphore;
  readonly #idle: QueryProcess[] = [];
  readonly #all = new Set<QueryProcess>();
  /** Emits `idle` when a process is free, and when there will be none any more. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  /** Processes that are starting. */
  #starting = 0;
  /** Processes that have ended and are about to be replaced. */
  #restarting = 0;
  /** Processes in a row that ended before they took a statement. */
  #failures = 0;
  /** Statements that have a slot and wait for a process. */
  #waiting = 0;
  /** Statements that have given their slot back before their end. */
  #overdue = 0;
  /** The mean time of recent statements. */
  #meanMs = USUAL_MS;
  #stopped = false;

  constructor(settings: LakeSettings, share: Share, whenReady: () => void) {
    this.#settings = { ...settings, queryMemoryMb: share.memoryMb };
    this.#share = share;
    this.#whenReady = whenReady;
    this.#slots = new Semaphore(share.slots, { waitingMax: share.waitingMax, refuse: () => this.#refusal() });
  }

  /** How many statements wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Seconds until the waiting statements may have run, judged by recent ones: 1 to {@link RETRY_SECONDS_MAX}. */
  get retryAfterSeconds(): number {
    const seconds = Math.ceil((this.waiting * this.#meanMs) / this.#share.slots / 1_000);
    return Math.min(RETRY_SECONDS_MAX, Math.max(1, seconds));
  }

  /** Starts one process, or the next of the warm ones. False: all of them are there. */
  grow(): boolean {
    if (this.#stopped || this.#all.size >= this.#share.warm) return false;
    if (this.#starting === 0) this.#startProcess();
    return true;
  }

  /** Rejects with `queue_full` where too many wait, or with the signal's reason. */
  async use<T>({ signal, key, work, settle, ...hurry }: ProcessUse<T>): Promise<T> {
    const release = await this.#slots.acquire(signal);
    let process: QueryProcess;
    try {
      process = await this.#takeIdle(signal, key);
    } catch (error) {
      release();
      throw error;
    }
    const startedAt = performance.now();
    const watch = this.#watch(process, release, hurry);
    try {
      return await work(process);
    } finally {
      this.#failures = 0;
      this.#meanMs += NEWEST_SHARE * (performance.now() - startedAt - this.#meanMs);
      if (watch.end()) process.kill();
      else if (!settle) this.#free(process);
      else
        void settle(process).then(
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

  #refusal(): Failure {
    const { name, slots } = this.#share;
    const { waiting, retryAfterSeconds } = this;
    return new Failure(
      "queue_full",
      `${slots} ${name} statements run and ${waiting} wait, as many as may; yours would be number ${waiting + 1} of ` +
        "those that wait. Send it again when some have ended.",
      { retryAfterSeconds },
    );
  }

  /**
   * A statement that takes longer than its class is meant to gives its slot to the next, as far as there are processes
   * to spare, and goes on with what processor time others leave; where there are none, and it can run in another class
   * from its beginning, its process is killed, and otherwise it is not held back by its reader any more. `end` says
   * whether the process can't take another statement.
   */
  #watch(
    process: QueryProcess,
    release: Release,
    { canRestart, letGo }: Pick<ProcessUse<unknown>, "canRestart" | "letGo">,
  ): { end: () => boolean } {
    const { spares } = this.#share;
    let isOverdue = false;
    const timer = setInterval(() => {
      if (this.#overdue < spares) {
        clearInterval(timer);
        isOverdue = true;
        this.#overdue++;
        process.lowerPriority();
        release();
      } else if (this.#slots.waiting > 0) {
        if (canRestart?.()) process.abandon();
        else letGo?.();
      }
    }, OVERDUE_MS);
    return {
      end: () => {
        clearInterval(timer);
        if (isOverdue) this.#overdue--;
        return isOverdue;
      },
    };
  }

  /** Waits for an idle process, also while a killed one is replaced; rejects where none can be started. */
  async #takeIdle(signal: AbortSignal, key: string | undefined): Promise<QueryProcess> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#stopped) throw new Failure("busy", "The engine is stopping.");
      for (let process = this.#nextIdle(key); process; process = this.#nextIdle(key)) if (process.alive) return process;
      if (this.#failures >= START_FAILURES_MAX && this.#all.size === this.#starting) throw cannotStart();
      const isStarting = this.#starting + this.#restarting > 0;
      if (!isStarting && this.#all.size < this.#share.slots + this.#share.spares) this.#startProcess();
      this.#waiting++;
      // An abort rejects with another error than the signal's reason.
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

  #startProcess(): void {
    const process = new QueryProcess(this.#settings, this.#share.priority);
    this.#all.add(process);
    this.#starting++;
    let started = false;
    void process.ready.then(
      () => {
        started = true;
        this.#starting--;
        this.#free(process);
        this.#growLater();
      },
      () => {
        this.#starting--;
        process.kill();
      },
    );
    // A start that fails is over, and counted as failed, once `ready` has settled, which follows the exit.
    const over = process.exited.then(() => process.ready.catch(() => undefined));
    void over.then(() => {
      this.#all.delete(process);
      sweep(this.#settings.cacheDirectory, process);
      if (!started && freeBytes(this.#settings.cacheDirectory) < START_BYTES) freeDiskSpace();
      this.#replaceLater(started && !this.#idle.includes(process));
    });
  }

  #growLater(): void {
    setTimeout(() => this.#whenReady(), this.#waiting > 0 ? 0 : GROW_MS).unref();
  }

  /** `wasOfUse`: the process did not end by itself before it took a statement. */
  #replaceLater(wasOfUse: boolean): void {
    this.#restarting++;
    if (!wasOfUse && ++this.#failures >= START_FAILURES_MAX) this.#events.emit("idle");
    setTimeout(
      () => {
        this.#restarting--;
        this.#replace();
      },
      wasOfUse ? 0 : restartMs(this.#failures),
    ).unref();
  }

  /** Replaces a process that has ended, where it is a warm one, or where a statement waits. */
  #replace(): void {
    const { warm, slots, spares } = this.#share;
    if (!this.#stopped && this.#all.size < (this.#waiting > 0 ? slots + spares : warm)) this.#startProcess();
  }
}

/** A killed process leaves its temporary files behind. */
function sweep(cacheDirectory: string, { pid }: QueryProcess): void {
  const directory = join(cacheDirectory, "tmp");
  // A process opens its databases one after the other, so their directories share its id as their prefix.
  for (const name of readdirSync(directory))
    if (name.startsWith(`${pid}-`)) rmSync(join(directory, name), { recursive: true, force: true });
}
