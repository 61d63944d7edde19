// A month's bill, by what it is for.

import { PLAN_USD, PRICES, type Billed } from "./cloudflare.ts";
import type { Amounts } from "./use.ts";

/** Parts of a bill, each of some prices. */
export const PARTS = {
  "the Worker": ["requests", "cpuMs"],
  D1: ["d1RowsRead", "d1RowsWritten", "d1Gb"],
  "Durable Objects": ["objectRequests", "objectGbSeconds", "objectRowsRead", "objectRowsWritten", "objectGb"],
  queues: ["queueOperations"],
  R2: ["bucketGb", "classA", "classB"],
  containers: ["containerGibSeconds", "containerCpuSeconds", "containerDiskGbSeconds"],
} as const satisfies Record<string, readonly Billed[]>;

export type Part = keyof typeof PARTS;

/** Dollars for an amount of one month, beyond what the plan includes. */
export function costOf(billed: Billed, amount: number): number {
  const { included, usd, per } = PRICES[billed];
  return (Math.max(0, amount - included) / per) * usd;
}

export const costOfPart = (part: Part, amounts: Amounts): number =>
  PARTS[part].reduce((sum, billed) => sum + costOf(billed, amounts[billed]), 0);

export const billOf = (amounts: Amounts): number =>
  (Object.keys(PARTS) as Part[]).reduce((sum, part) => sum + costOfPart(part, amounts), PLAN_USD);
