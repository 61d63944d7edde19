// Engines that are simulated: slots by class, a line for each, starts that take time, and deaths. The clock only moves
// from one event to the next.

import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import type { Heard } from "../../../../src/platform/engine/placement/placement.ts";

export type SimulatedStatement = { id: string; statementClass: StatementClass; serviceMs: number };
type Running = SimulatedStatement & { endsAtMs: number };

export class SimulatedEngine {
  readonly slots: Record<StatementClass, number>;
  readonly statementsMax: number;
  readonly startTakesMs: number;
  #isUp = false;
  #upAtMs: number | undefined;
  #running: Running[] = [];
  #waiting: SimulatedStatement[] = [];
  /** Milliseconds of statements that have run to their end. */
  servedMs = 0;

  constructor(options: { slots: number; statementsMax: number; startTakesMs: number }) {
    this.slots = { short: options.slots, long: options.slots };
    this.statementsMax = options.statementsMax;
    this.startTakesMs = options.startTakesMs;
  }

  get statements(): SimulatedStatement[] {
    return [...this.#running, ...this.#waiting];
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get isFull(): boolean {
    return this.statements.length >= this.statementsMax;
  }

  hasFreeSlot(statementClass: StatementClass): boolean {
    return this.#isUp && this.#countOf(statementClass) < this.slots[statementClass];
  }

  start(nowMs: number): void {
    if (!this.#isUp) this.#upAtMs ??= nowMs + this.startTakesMs;
  }

  /** False where it has taken on as many as it can. */
  take(statement: SimulatedStatement, nowMs: number): boolean {
    if (this.isFull) return false;
    this.start(nowMs);
    this.#waiting.push(statement);
    this.#fill(nowMs);
    return true;
  }

  /** Ends the engine; answers the statements that are lost with it. */
  kill(): SimulatedStatement[] {
    const lost = this.statements;
    this.#isUp = false;
    this.#upAtMs = undefined;
    [this.#running, this.#waiting] = [[], []];
    return lost;
  }

  nextEventAtMs(): number {
    return Math.min(this.#upAtMs ?? Infinity, ...this.#running.map(({ endsAtMs }) => endsAtMs));
  }

  /** Answers the statements that end by then. */
  advance(nowMs: number): SimulatedStatement[] {
    if (this.#upAtMs !== undefined && this.#upAtMs <= nowMs) {
      this.#isUp = true;
      this.#upAtMs = undefined;
    }
    const ended = this.#running.filter(({ endsAtMs }) => endsAtMs <= nowMs);
    this.#running = this.#running.filter(({ endsAtMs }) => endsAtMs > nowMs);
    for (const { serviceMs } of ended) this.servedMs += serviceMs;
    this.#fill(nowMs);
    return ended;
  }

  look(): Heard {
    if (!this.#isUp) return this.#upAtMs === undefined ? "asleep" : "starting";
    const { statements, slots, statementsMax } = this;
    const admitted = statements.map(({ id, statementClass }) => ({ id, statementClass }));
    const load = { statementsMax, slots, admitted, statementIds: admitted.map(({ id }) => id) };
    return { protocol: 0, statements: statements.length, requests: 0, jobs: 0, load };
  }

  #fill(nowMs: number): void {
    if (!this.#isUp) return;
    for (const next of [...this.#waiting]) {
      if (this.#countOf(next.statementClass) >= this.slots[next.statementClass]) continue;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.push({ ...next, endsAtMs: nowMs + next.serviceMs });
    }
  }

  #countOf = (statementClass: StatementClass): number =>
    this.#running.filter((each) => each.statementClass === statementClass).length;
}
