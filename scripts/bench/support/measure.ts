// Every benchmark shares these: medians of alternating rounds, plain tables, and what a process has cost.

import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";

/** Milliseconds that `run` takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The least value that so large a share of them does not exceed. */
export const percentile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/**
 * Measures every contender once a round, in the same order, so that what else the machine does falls on all of them.
 * Answers one array of results for each contender, round by round.
 */
export async function alternate<Result, Name extends string>(
  rounds: number,
  contenders: Record<Name, () => Promise<Result>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await contenders[name]());
  }
  return results;
}

/**
 * The median of the rounds' own ratios: neighbours in time are compared, not the best of one with the worst of the
 * other.
 */
export const ratio = (ours: number[], theirs: number[]): number =>
  median(ours.map((value, round) => value / theirs[round]!));

/** Prints rows under their heads, the first column to the left, the others to the right. */
export function printTable(title: string, heads: string[], rows: string[][]): void {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  console.log(
    `\n${title}\n\n` +
      [heads, widths.map((width) => "-".repeat(width)), ...rows].map((row) => `  ${line(row)}`).join("\n"),
  );
}

export const say = (text: string): void => console.log(`  ${text}`);

/** A value, and the aim that it is to be no more than. */
export const besideAim = (value: number, aim: number): string =>
  `${fixed(value, 2)} (aim ${aim}: ${value <= aim ? "reached" : "missed"})`;

export const fixed = (value: number, digits = 1): string => value.toFixed(digits);

/** The load of the last minute, so that a reader can tell a quiet machine from a busy one. */
export const machineLoad = (): string => fixed(loadavg()[0]!, 1);

/** Kernel ticks are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds of CPU a process has used so far; undefined where there is no /proc. */
export async function cpuMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name in parentheses may hold blanks; the numbers start behind it, with the state as the third field.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** A process's resident memory in MB, now and at its peak; undefined where there is no /proc. */
export async function memoryMb(pid: number): Promise<{ now: number; peak: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  if (!status) return undefined;
  const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}
