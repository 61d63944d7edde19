// The time of a statement is drawn as a bar for each part that the platform told.

import { formatDuration } from "../../../ui/data/format.ts";
import type { Phase } from "../run/run.ts";
import styles from "./results.module.css";

/** What stands for several others, and would be counted twice. */
const SUMS = new Set(["total", "engine"]);
const TITLES: Record<string, string> = {
  authenticate: "Who asks",
  prepare: "Prepare",
  compile: "Semantic query to SQL",
  gate: "Check the text",
  describe: "Look up tables",
  plan: "Look up files",
  sign: "Sign addresses",
  fetch: "Fetch files",
  prune: "Skip files",
  wait: "Wait for a process",
  setup: "Set up",
  run: "Run",
  write: "Send rows",
  commit: "Commit",
};

export function PhaseBars({ phases }: { phases: readonly Phase[] }) {
  const parts = phases.filter(({ name }) => !SUMS.has(name));
  const most = Math.max(1, ...parts.map(({ ms }) => ms));
  if (parts.length === 0) return <p>The source says nothing about its time.</p>;
  return (
    <div className={styles.phases}>
      {parts.map(({ name, ms }) => (
        <div key={name} className={styles.phase}>
          <span>{TITLES[name] ?? name}</span>
          <span className={styles.track}>
            <span className={styles.fill} style={{ width: `${(ms / most) * 100}%` }} />
          </span>
          <span>{formatDuration(ms)}</span>
        </div>
      ))}
      <small>Until the first row; some parts go on side by side.</small>
    </div>
  );
}
