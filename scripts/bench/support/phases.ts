// A statement's answer tells the phases in which its time went.

import { fixed, median, printTable } from "./measure.ts";

/** Milliseconds by phase: those of the document, and those that only `Server-Timing` names. */
export type PhaseTimes = Record<string, number>;

/** `document`: none of a streamed answer, whose header names what was known by its first byte. */
export function phasesOf(serverTiming: string | undefined, document?: { timing: { phases?: PhaseTimes } }): PhaseTimes {
  const named = (serverTiming ?? "").split(",").flatMap((entry) => {
    const [, name, ms] = /^\s*([\w-]+)\s*;\s*dur=([\d.]+)/.exec(entry) ?? [];
    return name === undefined ? [] : [[name, Number(ms)] as const];
  });
  return { ...Object.fromEntries(named), ...document?.timing.phases };
}

/** Prints a row for each operation: the medians of its rounds, phase by phase. */
export function printPhases(title: string, byOperation: ReadonlyMap<string, readonly PhaseTimes[]>): void {
  const names = [...new Set([...byOperation.values()].flat().flatMap((phases) => Object.keys(phases)))];
  const medians = [...byOperation].map(([operation, rounds]) => ({
    operation,
    ms: names.map((name) => median(rounds.map((phases) => phases[name] ?? 0))),
  }));
  const sums = names.map((_, i) => medians.reduce((sum, { ms }) => sum + ms[i]!, 0));
  const rows = [...medians, { operation: "sum", ms: sums }];
  printTable(
    title,
    ["", ...names],
    rows.map(({ operation, ms }) => [operation, ...ms.map((each) => fixed(each))]),
  );
}
