// The engine for one statement is chosen by what each engine has taken on and keeps. Pure.

import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";

/** What a statement takes of an engine: a slot of its class, or nothing but its place among all statements. */
export type SlotUse = StatementClass | "none";

/** An engine as a statement finds it. */
export type EngineView = {
  ordinal: number;
  /** Milliseconds until the engine can take a statement on: none while it runs. */
  startMs: number;
  isStarting: boolean;
  /** Statements that hold or wait for a slot of a class; of equal ones, which wait for one another, one. */
  load: Record<StatementClass, number>;
  slots: Record<StatementClass, number>;
  /** Milliseconds that a statement of a class holds its slot there. */
  heldMs: Record<StatementClass, number>;
  /** All statements that the engine has taken on, and the most that it takes. */
  statements: number;
  statementsMax: number;
  jobs: number;
  /** The share of what the statement reads that lies in the engine's caches. */
  keptShare: number;
};

/**
 * Why a statement has to wait, and at which place it stands: for a slot of its class, or for an engine that starts.
 * `full`: the engine may refuse it, for it has taken on as many as it can.
 */
export type Waits = { place: number; reason: "slots" | "start" | "full" };

/** `wakes`: an engine that is better started now, as the chosen one has much to do before the statement's turn. */
export type Choice = { ordinal: number; waits: Waits | null; wakes: number | null };

/** The usual time of a start: a statement that would wait for longer is taken to an engine that sleeps. */
export const START_MS = 3_000;
/** Another engine is started where a statement will wait for longer. */
const WAKE_MS = 500;

/**
 * Chooses the engine: of the running ones that have a free slot the one that keeps most of what the statement reads,
 * and of equal ones that with the least to do. Where none has one, the engine where the statement will wait the
 * shortest, be it for its start. There has to be one engine at least.
 */
export function choose(use: SlotUse, engines: readonly EngineView[]): Choice {
  const free = engines.filter((engine) => engine.startMs === 0 && hasFreeSlot(use, engine)).sort(byKept);
  if (free.length > 0) return { ordinal: free[0]!.ordinal, waits: null, wakes: null };
  const [best] = engines
    .map((engine) => ({ engine, ms: waitMs(use, engine) }))
    .sort((a, b) => compare(a.ms, b.ms) || byKept(a.engine, b.engine));
  const { engine, ms } = best!;
  const asleep = engines.find((other) => other !== engine && other.startMs > 0 && !other.isStarting);
  return {
    ordinal: engine.ordinal,
    waits: waitsAt(use, engine),
    wakes: ms > WAKE_MS && engine.startMs === 0 ? (asleep?.ordinal ?? null) : null,
  };
}

const isFull = ({ statements, statementsMax }: EngineView): boolean => statements >= statementsMax;

const hasFreeSlot = (use: SlotUse, engine: EngineView): boolean =>
  !isFull(engine) && (use === "none" || engine.load[use] < engine.slots[use]);

/** The wait that is to be expected; infinite where the engine would refuse the statement. */
function waitMs(use: SlotUse, engine: EngineView): number {
  if (isFull(engine)) return Infinity;
  if (use === "none") return engine.startMs;
  const ahead = Math.max(0, engine.load[use] + 1 - engine.slots[use]);
  return engine.startMs + (ahead * engine.heldMs[use]) / engine.slots[use];
}

function waitsAt(use: SlotUse, engine: EngineView): Waits {
  const { load, slots, statements, startMs } = engine;
  if (isFull(engine)) return { place: statements + 1, reason: "full" };
  const ahead = use === "none" ? 0 : Math.max(0, load[use] - slots[use]);
  return { place: ahead + 1, reason: startMs > 0 ? "start" : "slots" };
}

/** What an engine has to do, over what it can do at once. */
const busyShare = ({ load, slots, jobs }: EngineView): number =>
  (load.short + jobs) / slots.short + (load.long + jobs) / slots.long;

const byKept = (a: EngineView, b: EngineView): number =>
  b.keptShare - a.keptShare || busyShare(a) - busyShare(b) || a.ordinal - b.ordinal;

/** Infinity less itself is no number. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
