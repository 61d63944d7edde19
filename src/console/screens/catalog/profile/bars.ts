// The bars of a column's profile: its histogram, else its most frequent values, and NULL where there is any. Pure.

import type { components } from "../../../api/schema.d.ts";
import { formatCount } from "../../../ui/data/format.ts";

type Profile = components["schemas"]["ColumnProfile"];
/** `share` is that of the tallest bar. */
export type Bar = { label: string; share: number; isNull: boolean };

type Counted = { label: string; count: number; isNull: boolean };

export function barsOf({
  histogram,
  top_values,
  null_count,
}: Pick<Profile, "histogram" | "top_values" | "null_count">): Bar[] {
  const values: Counted[] = histogram
    ? histogram.value.map(({ from, to, count }) => ({
        label: `${from} – ${to}: ${formatCount(count)}`,
        count,
        isNull: false,
      }))
    : (top_values?.value ?? []).map(({ value, count }) => ({
        label: `${value}: ${formatCount(count)}`,
        count,
        isNull: false,
      }));
  if (values.length === 0) return [];
  const nulls = null_count?.value ?? 0;
  const all = nulls > 0 ? [...values, { label: `NULL: ${formatCount(nulls)}`, count: nulls, isNull: true }] : values;
  const tallest = Math.max(1, ...all.map(({ count }) => count));
  return all.map(({ label, count, isNull }) => ({ label, share: count / tallest, isNull }));
}
