// The flaws of a model are listed with their places, and counted in a word.

import { State } from "../../ui/data/values.tsx";
import styles from "./models.module.css";
import type { ModelFlaw } from "./queries.ts";

export function Flaws({ flaws, onOpen }: { flaws: readonly ModelFlaw[]; onOpen: (flaw: ModelFlaw) => void }) {
  if (flaws.length === 0) return null;
  return (
    <ul className={styles.flaws} aria-label="Flaws of the model">
      {flaws.map((flaw) => (
        <li key={`${flaw.file} ${flaw.line} ${flaw.message}`}>
          <button type="button" className={styles.flawPlace} onClick={() => onOpen(flaw)}>
            {[flaw.file, flaw.line].filter((part) => part !== undefined).join(":")}
          </button>
          <span>
            {flaw.member && <code>{flaw.member}</code>} {flaw.message}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Checked({ isChecking, flaws, isKnown }: { isChecking: boolean; flaws: number; isKnown: boolean }) {
  if (isChecking) return <State tone="busy">checking</State>;
  if (!isKnown) return null;
  if (flaws === 0) return <State tone="good">valid</State>;
  return <State tone="bad">{flaws === 1 ? "one flaw" : `${flaws} flaws`}</State>;
}
