// A load method keeps some things and does not see others; both are said beside the choice.

import { State, type Tone } from "../../../ui/data/values.tsx";
import { CURSOR_LIMITS, LOAD_METHODS, WITHOUT_CURSOR, type LoadMethod, type Coverage } from "../load-methods.ts";
import styles from "../syncs.module.css";

const TONES: Record<Coverage, Tone> = { seen: "good", "not seen": "bad", "seen within limits": "warn" };

export function LoadMethodNote({ method, appendsFullRows }: { method: LoadMethod; appendsFullRows: boolean }) {
  const { title, text, deletes, changes, lateRows } = LOAD_METHODS[method];
  const coverages: [string, Coverage][] = [
    ["deleted rows", deletes],
    ["changed rows", changes],
    ["rows committed late", lateRows],
  ];
  return (
    <div className={styles.note}>
      <p>
        <b>{title}.</b> {text}
      </p>
      <ul className={styles.coverages}>
        {coverages.map(([what, coverage]) => (
          <li key={what}>
            {what} <State tone={TONES[coverage]}>{coverage}</State>
          </li>
        ))}
      </ul>
      {method === "append" && (
        <small>
          {CURSOR_LIMITS}{" "}
          {appendsFullRows ? "A table without a cursor gets all of its rows added at every run." : WITHOUT_CURSOR}
        </small>
      )}
    </div>
  );
}
