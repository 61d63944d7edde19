// One run of a statement: whose tab it answers, how far it is, and what it has brought. Pure.

import type { FjordProblem } from "../../../api/problem.ts";
import type { Tone } from "../../../ui/data/values.tsx";
import type { ArrowSource } from "../../../ui/grid/arrow-source.ts";
import type { TypedValue } from "../../../api/query-link.ts";

/** What is run: the text as the tab has it, and the values of its parameters. */
export type Question = { sql: string; integrationId: string | null; values: Readonly<Record<string, TypedValue>> };

export type Phase = { name: string; ms: number };

/** The order and the filters that a grid's heads add: the statement runs within another one. */
export type ResultView = {
  sort?: { column: string; isDescending: boolean };
  filters: readonly { column: string; condition: string; label: string }[];
};

export const NO_VIEW: ResultView = { filters: [] };

export type Run = {
  /** The request's id, by which it is cancelled. */
  id: string;
  tabId: string;
  question: Question;
  view: ResultView;
  /** The statement that was sent; the question's own where the view adds nothing. */
  sent: string;
  /** Where the statement begins in the tab's text, for positions in failures. */
  offset: number;
  startedAt: number;
  endedAt?: number;
  state: "running" | "done" | "failed" | "cancelled";
  source?: ArrowSource | undefined;
  rows: number;
  bytes: number;
  phases: readonly Phase[];
  /** What the cache said: `hit`, `miss`, `stale` and the like. */
  cache?: string;
  /** Seconds since a kept result was read. */
  age?: number;
  problem?: FjordProblem;
  /** The result was longer than the browser keeps. */
  isCut: boolean;
  /** The rows were let go, so that other tabs have room. */
  isReleased?: boolean;
};

export const STATE_TONES: Record<Run["state"], Tone> = {
  running: "busy",
  done: "good",
  failed: "bad",
  cancelled: "quiet",
};

export const STATE_WORDS: Record<Run["state"], string> = {
  running: "Running",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** The parts of a `Server-Timing` header. */
export function phasesOf(header: string | null): Phase[] {
  return [...(header ?? "").matchAll(/([\w-]+);dur=([\d.]+)/g)].map(([, name, ms]) => ({
    name: name!,
    ms: Number(ms),
  }));
}

/** `hit`, or the reason why the statement ran, of a `Cache-Status` header. */
export function cacheOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  return /;\s*hit\b/.test(header) ? "hit" : /fwd=([\w-]+)/.exec(header)?.[1];
}
