// Memory is divided between the two classes of lake statements. Pure.

import type { StatementClass } from "../../../kernel/wire/engine-program.ts";

/** Short statements' share of the memory. Long ones have the rest. */
const SHORT_MEMORY_SHARE = 0.25;
const SHORT_MEMORY_MB_MIN = 256;

/**
 * Processes for short statements beyond those that may run at once: one that was killed, or that a statement has kept
 * for too long, is made good at once.
 */
export const sparesOf = (processes: number): number => Math.max(1, Math.floor(processes / 2));

/** Memory of one process of each class, where all together may have `memoryMb`. */
export function divideMemory(memoryMb: number, processes: number): Record<StatementClass, number> {
  const short = (memoryMb * SHORT_MEMORY_SHARE) / (processes + sparesOf(processes));
  const long = (memoryMb * (1 - SHORT_MEMORY_SHARE)) / processes;
  return { short: Math.max(SHORT_MEMORY_MB_MIN, Math.floor(short)), long: Math.floor(long) };
}
