// Runs or attempts as bars along the time that they took.

import { formatDuration } from "../data/format.ts";
import type { AnyRunState } from "./run-state.tsx";
import styles from "./timeline.module.css";

/** `to` is null while it goes on. */
export type Bar = { key: string; state: AnyRunState; from: string; to: string | null };

const LEAST_PERCENT = 0.6;

export function Timeline({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const now = Date.now();
  const spans = bars.map(({ from, to }) => [Date.parse(from), to ? Date.parse(to) : now] as const);
  const first = Math.min(...spans.map(([from]) => from));
  const last = Math.max(...spans.map(([, to]) => to));
  const percent = (ms: number) => (ms / Math.max(1, last - first)) * (100 - LEAST_PERCENT);
  return (
    <figure className={styles.timeline} aria-label={label}>
      {bars.map(({ key, state }, at) => {
        const [from, to] = spans[at]!;
        return (
          <span
            key={key}
            className={styles.bar}
            data-state={state}
            title={`${state.replace("_", " ")}, ${formatDuration(Math.max(0, to - from))}`}
            style={{ left: `${percent(from - first)}%`, width: `${Math.max(LEAST_PERCENT, percent(to - from))}%` }}
          />
        );
      })}
      <figcaption>
        <time dateTime={new Date(first).toISOString()}>{new Date(first).toLocaleString()}</time>
        <span>{formatDuration(Math.max(0, last - first))}</span>
        <time dateTime={new Date(last).toISOString()}>{new Date(last).toLocaleString()}</time>
      </figcaption>
    </figure>
  );
}
