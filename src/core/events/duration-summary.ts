// A summary keeps of many durations their number, their sum, the shortest, the longest, and a histogram for
// percentiles.

/** A percentile is off by at most this share of its true value; one of 0 ms is exact. */
export const PERCENTILE_ERROR = 0.05;

/** The rest of the error is for writing the percentile with five digits. */
const BUCKET_ERROR = 0.0499;

/**
 * Each bucket's upper bound is so much larger than the one before it. Bucket 0 holds 0 ms alone, bucket i what is above
 * GAMMA ** (i - 2) ms and at most GAMMA ** (i - 1) ms. A week is bucket 204. The buckets never change, so rollups of
 * any age add up. From DDSketch (Masson, Rim, Lee: VLDB 2019).
 */
const GAMMA = (1 + BUCKET_ERROR) / (1 - BUCKET_ERROR);
export const LOG_GAMMA = Math.log(GAMMA);

/** In whole milliseconds. `histogram`: how many by bucket, those alone that have any. */
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

const bucketOf = (ms: number): number => (ms <= 0 ? 0 : 1 + Math.ceil(Math.log(ms) / LOG_GAMMA));

export function addDuration(summary: DurationSummary, durationMs: number): void {
  const ms = wholeMs(durationMs);
  addSummary(summary, { count: 1, sumMs: ms, minMs: ms, maxMs: ms, histogram: { [bucketOf(ms)]: 1 } });
}

/** Adds what `other` holds to `summary`. */
export function addSummary(summary: DurationSummary, other: DurationSummary): void {
  if (other.count === 0) return;
  const isFirst = summary.count === 0;
  summary.minMs = isFirst ? other.minMs : Math.min(summary.minMs, other.minMs);
  summary.maxMs = isFirst ? other.maxMs : Math.max(summary.maxMs, other.maxMs);
  summary.count += other.count;
  summary.sumMs += other.sumMs;
  for (const [bucket, count] of Object.entries(other.histogram))
    summary.histogram[bucket] = (summary.histogram[bucket] ?? 0) + count;
}

/**
 * Of each share in `shares`, which rise: the smallest duration that at least so many of them do not exceed, within
 * {@link PERCENTILE_ERROR}.
 */
export function percentilesOf(
  { count, minMs, maxMs, histogram }: DurationSummary,
  shares: readonly number[],
): number[] {
  const percentiles: number[] = [];
  let seen = 0;
  for (const bucket in histogram) {
    seen += histogram[bucket]!;
    while (percentiles.length < shares.length && seen >= shares[percentiles.length]! * count)
      percentiles.push(Math.min(maxMs, Math.max(minMs, middleOf(Number(bucket)))));
  }
  while (percentiles.length < shares.length) percentiles.push(maxMs);
  return percentiles;
}

const middles = new Map<number, number>();

/** The duration that stands for a bucket: no other in the bucket is further from it than the error. */
function middleOf(bucket: number): number {
  const known = middles.get(bucket);
  if (known !== undefined) return known;
  const middle = bucket === 0 ? 0 : Number(((2 * GAMMA ** (bucket - 1)) / (GAMMA + 1)).toPrecision(5));
  middles.set(bucket, middle);
  return middle;
}
