// A team whose statements are placed among simulated engines, as a Worker and the first engine's object do it.

import { Placement, type Placed, type Refusal } from "../../../../src/platform/engine/placement/placement.ts";
import type { SimulatedEngine, SimulatedStatement } from "./simulated-engines.ts";

/** A statement that arrives: its text names what it reads as well. */
export type Arrival = { afterMs: number; text: string; table: string; isLong: boolean; serviceMs: number };
/** What goes wrong: ends that nobody reports, and engines that die as a statement arrives. */
export type Faults = { lostEnds: ReadonlySet<number>; deaths: ReadonlyMap<number, number> };

type Sent = SimulatedStatement & { text: string; table: string };
/** One placing, as it was seen from outside. */
export type Placing = { sent: Sent; placed: Placed; engines: readonly SimulatedEngine[]; had: ReadonlySet<number> };

export class SimulatedTeam {
  readonly placement = new Placement();
  readonly engines: SimulatedEngine[];
  nowMs = 0;
  ended = 0;
  lost = 0;
  refused = 0;
  readonly #ids: string[] = [];
  readonly #sent = new Map<string, Sent>();
  /** By text, the engines that have it since they started. */
  readonly #had = new Map<string, Set<number>>();
  readonly #faults: Faults;
  readonly #check: (placing: Placing) => void;

  constructor(engines: SimulatedEngine[], faults: Faults, check: (placing: Placing) => void) {
    this.engines = engines;
    this.#faults = faults;
    this.#check = check;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  arrive({ afterMs, text, table, isLong, serviceMs }: Arrival): void {
    this.advance(this.nowMs + afterMs);
    const dies = this.#faults.deaths.get(this.#ids.length);
    if (dies !== undefined) this.#kill(dies % this.engines.length);
    const id = `s${this.#ids.length}`;
    this.#ids.push(id);
    this.send({ id, text, table, statementClass: isLong ? "long" : "short", serviceMs });
  }

  /** Places a statement until an engine takes it, or each has refused it. */
  send(sent: Sent): void {
    const refusals: Refusal[] = [];
    for (;;) {
      this.#look();
      const { id, text, table } = sent;
      const keys = { text, work: id, tables: [table] };
      const engines = this.engines.length;
      const placed = this.placement.place({ id, keys, takesSlot: true, engines, refusals }, this.nowMs);
      if (!placed) {
        this.refused++;
        return;
      }
      const had = this.#had.get(text) ?? new Set<number>();
      this.#check({ sent, placed, engines: this.engines, had });
      if (placed.wakes !== null) this.engines[placed.wakes]!.start(this.nowMs);
      if (this.engines[placed.ordinal]!.take(sent, this.nowMs)) {
        this.#sent.set(id, sent);
        this.#had.set(text, had.add(placed.ordinal));
        return;
      }
      refusals.push({ ordinal: placed.ordinal, reason: "full" });
    }
  }

  advance(untilMs: number): void {
    for (;;) {
      const nextMs = Math.min(untilMs, ...this.engines.map((engine) => engine.nextEventAtMs()));
      this.nowMs = Math.max(this.nowMs, nextMs);
      const ended = this.engines.flatMap((engine) => engine.advance(this.nowMs));
      for (const { id } of ended) this.#end(id);
      if (ended.length === 0 && nextMs >= untilMs) return;
    }
  }

  /** Until all that runs has ended, and long enough for what was lost to be found out. */
  settle(): void {
    for (let last = -1; last !== this.ended; ) {
      last = this.ended;
      this.advance(this.nowMs + 600_000);
    }
    for (let looks = 0; looks < 2; looks++) {
      this.advance(this.nowMs + 60_000);
      this.#look();
    }
  }

  #end(id: string): void {
    this.ended++;
    this.#sent.delete(id);
    if (!this.#faults.lostEnds.has(Number(id.slice(1)))) this.placement.end(id, { isLost: false }, this.nowMs);
  }

  #kill(ordinal: number): void {
    const lost = this.engines[ordinal]!.kill();
    this.lost += lost.length;
    for (const { id } of lost) this.placement.end(id, { isLost: true }, this.nowMs);
    for (const had of this.#had.values()) had.delete(ordinal);
  }

  #look(): void {
    for (const ordinal of this.placement.due(this.engines.length, this.nowMs))
      this.placement.hear(ordinal, this.engines[ordinal]!.look(), this.nowMs, this.nowMs);
  }
}
