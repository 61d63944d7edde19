// A summary keeps of many durations their number, their sum, the shortest, the longest, and a histogram for
// percentiles.

/** A percentile is off by at most this share of its true value; one of 0 ms is exact. */
export const PERCENTILE_ERROR = 0.05;

/** The rest of the error is for writing the percentile with five digits. */
const BIN_ERROR = 0.0499;

/**
 * Each bin's upper bound is so much larger than the one before it. Bin 0 holds 0 ms alone, bin i what is above
 * GAMMA ** (i - 2) ms and at most GAMMA ** (i - 1) ms. A week is bin 204. The bins never change, so rollups of
 * any age add up. From DDSketch (Masson, Rim, Lee: VLDB 2019).
 */
const GAMMA = (1 + BIN_ERROR) / (1 - BIN_ERROR);
export const LOG_GAMMA = Math.log(GAMMA);

/** In whole milliseconds. `histogram`: how many by bin, those alone that have any. */
export type DurationSummary = {
  count: number;
  sumMs: number;
  minMs: number;
  maxMs: number;
  histogram: Record<string, number>;
};

export const emptySummary = (): DurationSummary => ({ count: 0, sumMs: 0, minMs: 0, maxMs: 0, histogram: {} });

/** What would have ended before it began, by the clocks of two machines, took no time; nor did what has no number. */
const wholeMs = (durationMs: number): number =>
  Number.isFinite(durationMs) && durationMs > 0 ? Math.round(durationMs) : 0;

const binOf = (ms: number): number => (ms <= 0 ? 0 : 1 + Math.ceil(Math.log(ms) / LOG_GAMMA));

export function addDuration(summary: DurationSummary, durationMs: number): void {
  const ms = wholeMs(durationMs);
  addSummary(summary, { count: 1, sumMs: ms, minMs: ms, maxMs: ms, histogram: { [binOf(ms)]: 1 } });
}

/** Adds what `other` holds to `summary`. */
export function addSummary(summary: DurationSummary, other: DurationSummary): void {
  if (other.count === 0) return;
  const isFirst = summary.count === 0;
  summary.minMs = isFirst ? other.minMs : Math.min(summary.minMs, other.minMs);
  summary.maxMs = isFirst ? other.maxMs : Math.max(summary.maxMs, other.maxMs);
  summary.count += other.count;
  summary.sumMs += other.sumMs;
  for (const [bin, count] of Object.entries(other.histogram))
    summary.histogram[bin] = (summary.histogram[bin] ?? 0) + count;
}

/**
 * The smallest duration that at least so many of them do not exceed, for each share in `shares`, which rise; within
 * {@link PERCENTILE_ERROR}.
 */
export function percentilesOf(
  { count, minMs, maxMs, histogram }: DurationSummary,
  shares: readonly number[],
): number[] {
  const percentiles: number[] = [];
  let seen = 0;
  for (const bin in histogram) {
    seen += histogram[bin]!;
    while (percentiles.length < shares.length && seen >= shares[percentiles.length]! * count)
      percentiles.push(Math.min(maxMs, Math.max(minMs, middleOf(Number(bin)))));
  }
  while (percentiles.length < shares.length) percentiles.push(maxMs);
  return percentiles;
}

const middles = new Map<number, number>();

/** The duration that stands for a bin: no other in the bin is further from it than the error. */
function middleOf(bin: number): number {
  const known = middles.get(bin);
  if (known !== undefined) return known;
  const middle = bin === 0 ? 0 : Number(((2 * GAMMA ** (bin - 1)) / (GAMMA + 1)).toPrecision(5));
  middles.set(bin, middle);
  return middle;
}
