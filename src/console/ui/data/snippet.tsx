// A text that stands as it is, to be read or copied: a command, a secret, a document. The keyboard scrolls it, too.

import { CopyButton } from "../forms/copy-button.tsx";
import styles from "./snippet.module.css";

/** `label` says what the text is, for screen readers. */
export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.snippet}>
      <pre className={styles.text} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  );
}
