// The runs of this window. A run belongs to one tab from its first moment, and whatever comes of it is written to that
// run alone: no answer can stand in another tab.

import { useSyncExternalStore } from "react";
import { FjordProblem, asProblem } from "../../../api/problem.ts";
import { cancelStatement } from "../../../api/statement.ts";
import { ArrowSource } from "../../../ui/grid/arrow-source.ts";
import { cacheOf, phasesOf, NO_VIEW, type Question, type ResultView, type Run } from "./run.ts";
import { readArrow, sendStatement } from "./send-statement.ts";
import { formatExact } from "../../../ui/data/format.ts";

/** Rows of all tabs together that the window keeps; those go first that no tab shows, and then the oldest. */
const KEPT_BYTES_MAX = 400_000_000;
const ANNOUNCED_EVERY_MS = 120;

const runs = new Map<string, Run>();
/** The last run of each tab. */
const current = new Map<string, string>();
/** The tab's run before that one, where it ended well: its rows stay for comparisons. */
const earlier = new Map<string, string>();
const controllers = new Map<string, AbortController>();
const listeners = new Set<() => void>();
const endListeners = new Set<(run: Run) => void>();

export type NewRun = { tabId: string; question: Question; sent?: string; view?: ResultView; offset?: number };

/** Runs a statement for a tab, in place of what the tab ran before. */
export function startRun({ tabId, question, sent = question.sql, view = NO_VIEW, offset = 0 }: NewRun): Run {
  const before = runOf(tabId);
  if (before) {
    cancelRun(before.id);
    // Another view asks the same question, and its run is no other result.
    if (before.state === "done" && before.source && before.question !== question) {
      runs.delete(earlier.get(tabId) ?? "");
      earlier.set(tabId, before.id);
    } else runs.delete(before.id);
  }
  const run: Run = {
    id: crypto.randomUUID(),
    tabId,
    question,
    view,
    sent,
    offset,
    startedAt: Date.now(),
    state: "running",
    rows: 0,
    bytes: 0,
    phases: [],
    isCut: false,
  };
  runs.set(run.id, run);
  current.set(tabId, run.id);
  void carryOut(run.id);
  announce();
  return run;
}

/** Cancels at the source; the rows that have come stay. */
export function cancelRun(id: string): void {
  if (runs.get(id)?.state !== "running") return;
  change(id, { state: "cancelled", endedAt: Date.now() });
  announceEnd(id);
  void cancelStatement(id);
  controllers.get(id)?.abort();
}

/** Forgets what a closed tab has run, and what was run for it. */
export function forgetRun(tabId: string): void {
  for (const { id, tabId: own } of [...runs.values()]) {
    if (own !== tabId && !own.startsWith(`${tabId}/`)) continue;
    cancelRun(id);
    runs.delete(id);
    current.delete(own);
    earlier.delete(own);
  }
  announce();
}

/** The name under which a statement of the past is run again for a tab: it stands in the tab's place nowhere. */
export const againTab = (tabId: string, pastId: string): string => `${tabId}/${pastId}`;

export const runOf = (tabId: string): Run | undefined => runs.get(current.get(tabId) ?? "");

/** The run of the tab before its last one. */
export const earlierRunOf = (tabId: string): Run | undefined => runs.get(earlier.get(tabId) ?? "");

/** Calls the listener with each run that has ended. */
export function onRunEnd(listener: (run: Run) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

export function useRun(tabId: string): Run | undefined {
  return useSyncExternalStore(subscribe, () => runOf(tabId));
}

/** Draws again whenever a run of any tab has changed. */
export const useRuns = (): number => useSyncExternalStore(subscribe, () => announced);

/** The tabs whose statements run, as one text, so that equal answers are equal. */
export function useRunningTabs(): string {
  return useSyncExternalStore(subscribe, () =>
    [...runs.values()]
      .filter(({ state }) => state === "running")
      .map(({ tabId }) => tabId)
      .join(" "),
  );
}

async function carryOut(id: string): Promise<void> {
  const { sent, question } = runs.get(id)!;
  const controller = new AbortController();
  controllers.set(id, controller);
  let source: ArrowSource | undefined;
  try {
    const response = await sendStatement({ id, sql: sent, question, signal: controller.signal, format: "arrow" });
    const cache = cacheOf(response.headers.get("Cache-Status"));
    const age = response.headers.get("Age");
    change(id, {
      phases: phasesOf(response.headers.get("Server-Timing")),
      ...(cache && { cache }),
      ...(age !== null && { age: Number(age) }),
    });
    const isCut = await readArrow(response, {
      onSchema(schema) {
        source = new ArrowSource(schema.fields);
        change(id, { source });
      },
      onBatch(batch, bytes) {
        source!.add(batch);
        change(id, { rows: source!.rowCount, bytes }, true);
      },
    });
    if (isCut) {
      controller.abort();
      void cancelStatement(id);
    }
    end(id, { state: "done", isCut });
  } catch (error) {
    end(id, { state: "failed", problem: problemAfter(error, source?.rowCount) });
  } finally {
    controllers.delete(id);
    releaseOld(id);
  }
}

function problemAfter(error: unknown, rows: number | undefined): FjordProblem {
  if (error instanceof FjordProblem || rows === undefined) return asProblem(error);
  return new FjordProblem(0, {
    message: `The result broke off after ${formatExact(rows)} rows: the platform ended it, or the connection is down.`,
    error: { code: "broken_off", retryable: true },
  });
}

function end(id: string, ending: Partial<Run>): void {
  // One that was cancelled has ended already.
  if (runs.get(id)?.state !== "running") return;
  change(id, { ...ending, endedAt: Date.now() });
  announceEnd(id);
}

function announceEnd(id: string): void {
  const run = runs.get(id)!;
  for (const listener of endListeners) listener(run);
}

let announcing: ReturnType<typeof setTimeout> | undefined;

function change(id: string, part: Partial<Run>, isFrequent = false): void {
  const run = runs.get(id);
  // The tab runs another statement by now, or is closed.
  if (!run) return;
  runs.set(id, { ...run, ...part });
  if (!isFrequent) announce();
  else if (announcing === undefined)
    announcing = setTimeout(() => {
      announcing = undefined;
      announce();
    }, ANNOUNCED_EVERY_MS);
}

function releaseOld(latest: string): void {
  const shown = new Set(current.values());
  const kept = [...runs.values()]
    .filter(({ source }) => source)
    .sort((a, b) => Number(shown.has(b.id)) - Number(shown.has(a.id)) || b.startedAt - a.startedAt);
  let bytes = 0;
  for (const { id, bytes: own, state } of kept) {
    bytes += own;
    if (bytes <= KEPT_BYTES_MAX || id === latest || state === "running") continue;
    runs.set(id, { ...runs.get(id)!, source: undefined, isReleased: true });
  }
  announce();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let announced = 0;

function announce(): void {
  announced++;
  for (const listener of listeners) listener();
}
