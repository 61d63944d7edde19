// The parts of one statement are timed. Some go on side by side, so that their sum may be more than the whole.

import { PHASES, type EarlierPhases, type Phase } from "../../../kernel/wire/phases.ts";

export class Phases {
  readonly #earlier: EarlierPhases;
  readonly #ms = new Map<Phase, number>();

  constructor(earlier: EarlierPhases = {}) {
    this.#earlier = earlier;
  }

  add(phase: Phase, ms: number): void {
    this.#ms.set(phase, (this.#ms.get(phase) ?? 0) + ms);
  }

  /** Counts what `work` takes, whatever comes of it. */
  async time<T>(phase: Phase, work: () => T | Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.add(phase, performance.now() - startedAt);
    }
  }

  /** Milliseconds, to the microsecond; phases that did not occur are absent. */
  toJSON(): EarlierPhases & Partial<Record<Phase, number>> {
    return { ...this.#earlier, ...this.#own() };
  }

  /** The phases that are known so far, as the value of a `Server-Timing` header, to which the platform adds its own. */
  get header(): string {
    return Object.entries(this.#own())
      .map(([phase, ms]) => `${phase};dur=${ms}`)
      .join(", ");
  }

  #own(): Partial<Record<Phase, number>> {
    const known = PHASES.filter((phase) => this.#ms.has(phase));
    return Object.fromEntries(known.map((phase) => [phase, Math.round(this.#ms.get(phase)! * 1_000) / 1_000]));
  }
}
