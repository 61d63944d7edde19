// The status line of a run tells its state, rows, bytes and time, and whether the result was kept.

import { DetailsButton } from "../../../ui/feedback/details-button.tsx";
import { formatBytes, formatDuration, formatExact } from "../../../ui/data/format.ts";
import { State } from "../../../ui/data/values.tsx";
import { STATE_TONES, STATE_WORDS, type Run } from "../run/run.ts";
import { RESULT_BYTES_MAX } from "../run/send-statement.ts";
import { PhaseBars } from "./phase-bars.tsx";
import styles from "./results.module.css";

export function StatusLine({ run }: { run: Run }) {
  const { state, rows, bytes, endedAt, startedAt, cache, age, phases, isCut, source } = run;
  return (
    <div className={styles.status} role="status">
      <State tone={STATE_TONES[state]}>{STATE_WORDS[state]}</State>
      {source && (
        <span>
          <b>{formatExact(rows)}</b> {rows === 1 ? "row" : "rows"}
        </span>
      )}
      {bytes > 0 && <span>{formatBytes(bytes)}</span>}
      {endedAt !== undefined && (
        <DetailsButton
          className={styles.time}
          title="Where the time went"
          details={<PhaseBars phases={phases} />}
          width={320}
        >
          {formatDuration(endedAt - startedAt)}
        </DetailsButton>
      )}
      {cache === "hit" && <span title={`Read ${age ?? 0} seconds ago`}>kept result</span>}
      {isCut && <span className={styles.cut}>first {formatBytes(RESULT_BYTES_MAX)}; export for all of it</span>}
    </div>
  );
}
