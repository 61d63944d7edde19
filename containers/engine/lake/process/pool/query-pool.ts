// The query processes of an engine: some for short statements and some for long ones, so that neither waits for the
// other.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LakeSettings } from "../../../core/settings.ts";
import type { QueryProcess } from "../query-process.ts";
import { ProcessGroup } from "./process-group.ts";
import type { StatementClass } from "../../../../../kernel/wire/engine-program.ts";
import { sharesOf } from "./shares.ts";

/**
 * `id`: of the statement, where a sender's own is read. `key`: the key of the statement's locked database; a process
 * that keeps this database is preferred. `canRestart`: whether the statement can run anew as a long one after a
 * rejection for resources. `letGo`: asks that the process not wait for the result's reader.
 */
export type DatabaseUse = {
  id?: string;
  statementClass: StatementClass;
  key?: string | undefined;
  canRestart?: (() => boolean) | undefined;
  letGo?: () => void;
};

/** A statement that holds a slot of its class, or waits for one. */
export type Admitted = { id: string | null; statementClass: StatementClass };

export class QueryPool {
  readonly #settings: LakeSettings;
  readonly #groups: Record<StatementClass, ProcessGroup>;
  readonly #admitted = new Set<Admitted>();

  constructor(settings: LakeSettings) {
    this.#settings = settings;
    const { short, long } = sharesOf(settings);
    const grow = (): void => this.#grow();
    this.#groups = { short: new ProcessGroup(settings, short, grow), long: new ProcessGroup(settings, long, grow) };
  }

  /**
   * Starts the first process; statements that come before it is ready wait for it. The others follow one by one: all at
   * once they would keep the cores from the first, and from the statement that waits for it.
   */
  start(): void {
    mkdirSync(join(this.#settings.cacheDirectory, "tmp"), { recursive: true });
    this.#grow();
  }

  /**
   * Gives a process to `work` that takes milliseconds, alone. Rejects with `queue_full` where too many wait, or with
   * the signal's reason.
   */
  withProcess<T>(signal: AbortSignal, work: (process: QueryProcess) => Promise<T>): Promise<T> {
    return this.#groups.short.use({ signal, work });
  }

  /**
   * Gives a process to a statement that takes a locked database. The process comes back once it is ready for the next
   * statement; the caller does not wait for that.
   */
  async withDatabase<T>(
    { id, statementClass, ...use }: DatabaseUse,
    signal: AbortSignal,
    work: (process: QueryProcess) => Promise<T>,
  ): Promise<T> {
    const admitted = { id: id ?? null, statementClass };
    this.#admitted.add(admitted);
    try {
      return await this.#groups[statementClass].use({ ...use, signal, work, settle: (process) => process.settled() });
    } finally {
      this.#admitted.delete(admitted);
    }
  }

  get admitted(): Admitted[] {
    return [...this.#admitted];
  }

  /** Statements of each class that run at once. */
  get slots(): Record<StatementClass, number> {
    const { short, long } = sharesOf(this.#settings);
    return { short: short.slots, long: long.slots };
  }

  /**
   * Seconds after which the waiting statements of a class may all have run; where both classes wait, of the quicker
   * one.
   */
  get retryAfterSeconds(): number {
    const crowded = Object.values(this.#groups).filter(({ waiting }) => waiting > 0);
    return crowded.length > 0 ? Math.min(...crowded.map(({ retryAfterSeconds }) => retryAfterSeconds)) : 1;
  }

  /** Ends every process. */
  async stop(): Promise<void> {
    await Promise.all([this.#groups.short.stop(), this.#groups.long.stop()]);
  }

  #grow(): void {
    if (!this.#groups.short.grow()) this.#groups.long.grow();
  }
}
