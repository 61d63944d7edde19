// The placement of a team's statements among its engines: what runs where, what is kept where, and who is next. The
// clock is a parameter; nothing here waits or asks.

import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import type { EngineStatus } from "../../../../kernel/wire/engine.ts";
import { LruMap } from "../../../../kernel/text/lru-map.ts";
import { choose, type EngineView, type SlotUse, type Waits } from "./choose.ts";
import { EngineState, type Ticket } from "./engine-state.ts";
import type { StatementKeys } from "./statement-keys.ts";

/** An engine that did not take a statement: it had taken on as many as it can, or could not be started. */
export type Refusal = { ordinal: number; reason: "full" | "down" };

export type PlaceRequest = {
  id: string;
  keys: StatementKeys;
  /** False for a statement that no query process runs. */
  takesSlot: boolean;
  /** How many engines the team has now. */
  engines: number;
  /** The engines that have refused this statement. */
  refusals: readonly Refusal[];
};

/** `wakes`: an engine that is better started now, though no statement goes to it yet. */
export type Placed = { ordinal: number; waits: Waits | null; wakes: number | null };

/** What an engine says of itself: nothing where it does not run, is about to, or runs and is silent. */
export type Heard = EngineStatus | "asleep" | "starting" | "silent";

/** An engine that said nothing of a statement for so long after its placing does not have it. */
const UNSEEN_MS = 5_000;
const AWAY_MS: Record<Refusal["reason"], number> = { full: 1_000, down: 10_000 };
const SILENT_MS = 2_000;
/** Between two looks at an engine: one that runs, and one that sleeps. */
const LOOK_MS = { up: 1_000, asleep: 30_000 };
const KEYS_MAX = 10_000;
/** No team has more statements under way: engines refuse them before. */
const TICKETS_MAX = 2_000;
/** From a statement's placing to its end where it does not wait, before any has ended. */
const USUAL_MS: Record<StatementClass, number> = { short: 100, long: 5_000 };
/** The share of the newest statement in the mean. */
const NEWEST_SHARE = 0.1;
/** What an engine keeps for the same text is worth more than the same files. */
const TEXT_WORTH = 2;

export class Placement {
  readonly #engines: EngineState[] = [];
  readonly #tickets = new Map<string, Ticket>();
  /** By text or table: the generation of each engine, by its ordinal, that met it last. */
  readonly #met = new LruMap<number[]>(KEYS_MAX);
  /** By text. Statements that were never seen holding a slot are taken for short. */
  readonly #classes = new LruMap<StatementClass>(KEYS_MAX);
  readonly #usualMs = { ...USUAL_MS };

  /** Null where each engine has refused the statement. A statement that is placed already stays where it is. */
  place({ id, keys, takesSlot, engines, refusals }: PlaceRequest, nowMs: number): Placed | null {
    for (const { ordinal, reason } of refusals) this.#engine(ordinal).awayUntilMs = nowMs + AWAY_MS[reason];
    const isRefused = (ordinal: number) => refusals.some((refusal) => refusal.ordinal === ordinal);
    const known = this.#tickets.get(id);
    if (known && !isRefused(known.ordinal)) return { ordinal: known.ordinal, waits: null, wakes: null };
    if (known) this.#drop(known, nowMs);
    const all = Array.from({ length: engines }, (_, ordinal) => this.#engine(ordinal));
    const open = all.filter(({ ordinal }) => !isRefused(ordinal));
    if (open.length === 0) return null;
    const near = open.filter(({ awayUntilMs }) => awayUntilMs <= nowMs);
    const statementClass = takesSlot ? (this.#classes.get(keys.text) ?? "short") : null;
    const use: SlotUse = statementClass ?? "none";
    const views = (near.length > 0 ? near : open).map((engine) => this.#viewOf(engine, keys, nowMs));
    const choice = choose(use, views);
    const { text, work } = keys;
    const wasFree = choice.waits === null;
    this.#add({ id, ordinal: choice.ordinal, text, work, statementClass, placedAtMs: nowMs, wasFree });
    this.#meet(this.#engine(choice.ordinal), keys);
    for (const ordinal of [choice.ordinal, choice.wakes]) if (ordinal !== null) this.#engine(ordinal).start(nowMs);
    return choice;
  }

  /** `isLost`: its engine has ended with it. */
  end(id: string, { isLost }: { isLost: boolean }, nowMs: number): void {
    const ticket = this.#tickets.get(id);
    if (!ticket) return;
    this.#drop(ticket, nowMs);
    if (isLost) this.#engine(ticket.ordinal).stop(nowMs, true);
    else if (ticket.statementClass && ticket.wasFree) this.#count(ticket.statementClass, nowMs - ticket.placedAtMs);
  }

  /** The engine that a statement was placed at; undefined where none is known. */
  whereIs(id: string): number | undefined {
    return this.#tickets.get(id)?.ordinal;
  }

  /** The engines among the first so many, and among those that have statements, that should be asked for their load. */
  due(engines: number, nowMs: number): number[] {
    for (let ordinal = 0; ordinal < engines; ordinal++) this.#engine(ordinal);
    const due = this.#engines.filter((engine) => {
      const isUp = engine.isUp(nowMs) || engine.tickets.size > 0;
      return (isUp || engine.ordinal < engines) && nowMs - engine.askedAtMs >= (isUp ? LOOK_MS.up : LOOK_MS.asleep);
    });
    for (const engine of due) engine.askedAtMs = nowMs;
    return due.map(({ ordinal }) => ordinal);
  }

  /** What an engine says that was asked at `askedAtMs`. */
  hear(ordinal: number, heard: Heard, askedAtMs: number, nowMs: number): void {
    const engine = this.#engine(ordinal);
    if (heard === "silent") engine.awayUntilMs = Math.max(engine.awayUntilMs, nowMs + SILENT_MS);
    if (heard === "starting") engine.start(nowMs);
    if (heard === "silent" || heard === "starting") return;
    if (heard === "asleep") engine.stop(nowMs, false);
    else engine.run(heard, askedAtMs, nowMs);
    const load = heard === "asleep" ? undefined : heard.load;
    for (const { id, statementClass } of load?.admitted ?? []) this.#learn(id, ordinal, statementClass);
    // An engine of an earlier release does not list its statements.
    if (heard !== "asleep" && !load) return;
    const listed = new Set(load?.statementIds);
    for (const ticket of [...engine.tickets.values()])
      if (!listed.has(ticket.id) && ticket.placedAtMs < askedAtMs - UNSEEN_MS) this.#drop(ticket, nowMs);
  }

  /** An engine could not be started. */
  failStart(ordinal: number, nowMs: number): void {
    const engine = this.#engine(ordinal);
    engine.stop(nowMs, true);
    engine.awayUntilMs = nowMs + AWAY_MS.down;
  }

  #engine(ordinal: number): EngineState {
    for (let next = this.#engines.length; next <= ordinal; next++) this.#engines.push(new EngineState(next));
    return this.#engines[ordinal]!;
  }

  #add(ticket: Ticket): void {
    if (this.#tickets.size >= TICKETS_MAX) return;
    this.#tickets.set(ticket.id, ticket);
    this.#engine(ticket.ordinal).tickets.set(ticket.id, ticket);
  }

  #drop(ticket: Ticket, nowMs: number): void {
    this.#tickets.delete(ticket.id);
    this.#engine(ticket.ordinal).end(ticket, nowMs);
  }

  #learn(id: string | null, ordinal: number, statementClass: StatementClass): void {
    const ticket = id === null ? undefined : this.#tickets.get(id);
    if (ticket?.ordinal !== ordinal) return;
    ticket.statementClass = statementClass;
    this.#classes.set(ticket.text, statementClass);
  }

  #count(statementClass: StatementClass, ms: number): void {
    this.#usualMs[statementClass] += NEWEST_SHARE * (ms - this.#usualMs[statementClass]);
  }

  #viewOf(engine: EngineState, { text, tables }: StatementKeys, nowMs: number): EngineView {
    const has = (key: string): boolean => this.#met.get(key)?.[engine.ordinal] === engine.generation;
    const kept = (has(text) ? TEXT_WORTH : 0) + tables.filter(has).length / Math.max(1, tables.length);
    return engine.view(this.#usualMs, kept / (TEXT_WORTH + 1), nowMs);
  }

  #meet({ ordinal, generation }: EngineState, { text, tables }: StatementKeys): void {
    for (const key of [text, ...tables]) {
      const met = this.#met.get(key) ?? [];
      met[ordinal] = generation;
      this.#met.set(key, met);
    }
  }
}
