// A placement knows of each engine whether it runs, what it said of its load, and what was placed there since.

import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import type { EngineLoad } from "../../../../kernel/wire/engine.ts";
import { START_MS, type EngineView } from "./choose.ts";

/** A statement that was placed and has not ended, as far as is known. */
export type Ticket = {
  id: string;
  ordinal: number;
  text: string;
  work: string;
  /** Null: it takes no slot. */
  statementClass: StatementClass | null;
  placedAtMs: number;
  /** The engine had a free slot for it: it did not wait. */
  wasFree: boolean;
};

/** Until an engine has said how many statements it takes. */
const UNKNOWN = { statementsMax: 64, slots: { short: 2, long: 2 } };
/** An engine may list a statement for so long after its end. */
const ENDING_MS = 2_000;
/** A start that takes longer has failed. */
const START_MS_MAX = 30_000;
const STARTS_WITHIN_MS_MIN = 500;

export class EngineState {
  readonly ordinal: number;
  /** Rises when the engine loses what it has kept; 0 is none. */
  generation = 1;
  /** Until then no statement is taken to it, if there is another. */
  awayUntilMs = 0;
  /** When it was asked for its load last. */
  askedAtMs = -Infinity;
  readonly tickets = new Map<string, Ticket>();
  #isRunning = false;
  #runningSinceMs = 0;
  readonly #lastEndAtMs: Record<StatementClass, number> = { short: 0, long: 0 };
  #startingSinceMs: number | undefined;
  #load: EngineLoad | undefined;
  /** The statements that have ended of late, which what the engine said before still lists. */
  readonly #endedAtMs = new Map<string, number>();
  #jobs = 0;

  constructor(ordinal: number) {
    this.ordinal = ordinal;
  }

  /** Whether the engine runs, or is about to. */
  isUp(nowMs: number): boolean {
    return this.#isRunning || this.#isStarting(nowMs);
  }

  /** The engine is being started, by a statement that is taken to it or ahead of one. */
  start(nowMs: number): void {
    if (!this.isUp(nowMs)) this.#startingSinceMs = nowMs;
  }

  /** The engine runs, and says what it has taken on, as it was asked for at `askedAtMs`. */
  run({ load, jobs }: { load?: EngineLoad | undefined; jobs: number }, askedAtMs: number, nowMs: number): void {
    if (!this.#isRunning) this.#runningSinceMs = nowMs;
    this.#isRunning = true;
    this.#startingSinceMs = undefined;
    this.#load = load;
    this.#jobs = jobs;
    for (const [id, atMs] of this.#endedAtMs) if (atMs < askedAtMs - ENDING_MS) this.#endedAtMs.delete(id);
  }

  /** A statement that was placed there has ended. */
  end({ id, statementClass }: Ticket, nowMs: number): void {
    this.tickets.delete(id);
    if (statementClass) this.#lastEndAtMs[statementClass] = nowMs;
    if (this.#isRunning) this.#endedAtMs.set(id, nowMs);
  }

  /** The engine has ended, or sleeps: its caches are gone. One that starts is not found running at once. */
  stop(nowMs: number, isCertain: boolean): void {
    if (!isCertain && this.#isStarting(nowMs)) return;
    if (this.#isRunning) this.generation++;
    this.#isRunning = false;
    this.#startingSinceMs = undefined;
    this.#load = undefined;
    this.#jobs = 0;
    this.#endedAtMs.clear();
  }

  /** `usualMs`: what a statement of a class takes. */
  view(usualMs: Record<StatementClass, number>, keptShare: number, nowMs: number): EngineView {
    const { statementsMax, slots } = this.#load ?? UNKNOWN;
    const isOwn = (id: string): boolean => !this.tickets.has(id) && !this.#endedAtMs.has(id);
    const own = (this.#load?.admitted ?? []).filter(({ id }) => id === null || isOwn(id));
    const unplaced = (this.#load?.statementIds ?? []).filter(isOwn).length;
    const of = (statementClass: StatementClass): number =>
      this.#works(statementClass) + own.filter((each) => each.statementClass === statementClass).length;
    return {
      ordinal: this.ordinal,
      startMs: this.#startMs(nowMs),
      isStarting: this.#isStarting(nowMs),
      load: { short: of("short"), long: of("long") },
      slots,
      heldMs: {
        short: this.#heldMs("short", usualMs, slots.short, nowMs),
        long: this.#heldMs("long", usualMs, slots.long, nowMs),
      },
      statements: this.tickets.size + unplaced,
      statementsMax,
      jobs: this.#jobs,
      keptShare,
    };
  }

  #isStarting(nowMs: number): boolean {
    return this.#startingSinceMs !== undefined && nowMs - this.#startingSinceMs < START_MS_MAX;
  }

  #startMs(nowMs: number): number {
    if (this.#isRunning) return 0;
    const since = this.#isStarting(nowMs) ? nowMs - this.#startingSinceMs! : 0;
    // A start that is late already is taken to be as late again.
    return Math.max(STARTS_WITHIN_MS_MIN, Math.abs(START_MS - since));
  }

  /** Equal statements wait for one another, and hold one slot. */
  #works(statementClass: StatementClass): number {
    const works = new Set<string>();
    for (const ticket of this.tickets.values()) if (ticket.statementClass === statementClass) works.add(ticket.work);
    return works.size;
  }

  /**
   * What has run for long goes on for long: the statements that came first, which hold the slots, are taken to hold
   * them as long again as they have. Statements that waited did so until another ended.
   */
  #heldMs(
    statementClass: StatementClass,
    usualMs: Record<StatementClass, number>,
    slots: number,
    nowMs: number,
  ): number {
    const usual = usualMs[statementClass];
    if (!this.#isRunning) return usual;
    const turnAtMs = Math.max(this.#runningSinceMs, this.#lastEndAtMs[statementClass]);
    const beganAtMs = ({ placedAtMs, wasFree }: Ticket) => (wasFree ? placedAtMs : Math.max(placedAtMs, turnAtMs));
    const ages = [...this.tickets.values()]
      .filter((ticket) => ticket.statementClass === statementClass)
      .slice(0, slots)
      .map((ticket) => Math.max(usual, nowMs - beganAtMs(ticket)));
    return ages.length === 0 ? usual : ages.reduce((sum, ms) => sum + ms, 0) / ages.length;
  }
}
