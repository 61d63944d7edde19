// A time has a granularity by which rows are grouped, and a range that is asked for.

import { Choice, CloseButton } from "../../../ui/controls.ts";
import type { TimeSlice } from "../state/exploration.ts";
import type { Granularity } from "../state/members.ts";
import styles from "./chosen-members.module.css";
import { TypedText } from "./typed-text.tsx";

export const RANGES = [
  "today",
  "yesterday",
  "this week",
  "last 7 days",
  "last 30 days",
  "this month",
  "last month",
  "this quarter",
  "last quarter",
  "this year",
  "last year",
  "last 12 months",
];
const NOT_GROUPED = "";

type TimeRowProps = {
  slice: TimeSlice;
  title: string;
  granularities: readonly Granularity[];
  onChange: (next: TimeSlice) => void;
  onRemove: () => void;
};

export function TimeRow({ slice, title, granularities, onChange, onRemove }: TimeRowProps) {
  const { dimension, granularity, dateRange } = slice;
  return (
    <>
      <span className={styles.member}>{title}</span>
      <Choice
        size="xs"
        w={140}
        aria-label={`Granularity of ${title}`}
        data={[
          ...granularities.map(({ value, label }) => ({ value, label: `by ${label}` })),
          { value: NOT_GROUPED, label: "not grouped" },
        ]}
        value={granularity ?? NOT_GROUPED}
        onChange={(next) =>
          onChange({
            dimension,
            ...(next !== null && next !== NOT_GROUPED && { granularity: next }),
            ...(dateRange !== undefined && { dateRange }),
          })
        }
      />
      <TypedText
        label={`Range of ${title}`}
        placeholder="all times, or: last 30 days; from 2026-01-01 to now"
        width={330}
        proposals={RANGES}
        value={dateRange === undefined ? "" : typeof dateRange === "string" ? dateRange : rangeText(dateRange)}
        onDone={(text) =>
          onChange({
            dimension,
            ...(granularity !== undefined && { granularity }),
            ...(text !== "" && { dateRange: text }),
          })
        }
      />
      <CloseButton size="xs" aria-label={`Remove ${title}`} onClick={onRemove} />
    </>
  );
}

/** Two dates as the words that mean them; one stands for itself. */
const rangeText = ([from = "", to = from]: readonly string[]): string => (from === to ? from : `from ${from} to ${to}`);
