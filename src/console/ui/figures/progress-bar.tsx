// A bar shows how far something is that will be done.

import styles from "./progress-bar.module.css";

/** `share` is from 0 to 1. */
export const ProgressBar = ({ label, share }: { label: string; share: number }) => (
  <div
    className={styles.track}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(share * 100)}
  >
    <div style={{ width: `${share * 100}%` }} />
  </div>
);
