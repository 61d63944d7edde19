// The latest runs as columns, the oldest first: the height is how long one took, the colour what became of it.

import { Link } from "wouter";
import { formatDuration } from "../../../ui/data/format.ts";
import { durationOf, stateOfRun, type SyncRun } from "../sync-state.ts";
import styles from "./run-timeline.module.css";

const SHOWN_MAX = 60;
const LEAST_PERCENT = 6;

export function RunTimeline({ runs, now }: { runs: readonly SyncRun[]; now: number }) {
  const shown = runs.slice(0, SHOWN_MAX).reverse();
  const longest = Math.max(1, ...shown.map((run) => durationOf(run, now) ?? 0));
  return (
    <ol className={styles.timeline} aria-label="How long the latest runs took">
      {shown.map((run) => {
        const ms = durationOf(run, now) ?? 0;
        const { tone, text } = stateOfRun(run, now);
        const label = `${new Date(run.created_at).toLocaleString()}: ${text}, ${formatDuration(ms)}`;
        return (
          <li key={run.run_id}>
            <Link href={`/syncs/${run.src_integration_id}/runs/${run.run_id}`} aria-label={label} title={label}>
              <span data-tone={tone} style={{ height: `${Math.max(LEAST_PERCENT, (ms / longest) * 100)}%` }} />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
