// A figure beside its limit, as a bar; a figure without a limit is its number alone.

import type { ReactNode } from "react";
import styles from "./meter.module.css";

type MeterProps = {
  label: string;
  used: number;
  limit: number | null;
  format: (value: number) => string;
  note?: ReactNode;
};

const NEAR = 0.85;

export function Meter({ label, used, limit, format, note }: MeterProps) {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  return (
    <div className={styles.meter}>
      <div className={styles.words}>
        <span>{label}</span>
        <span>
          <b>{format(used)}</b>
          {limit !== null && <> of {format(limit)}</>}
        </span>
      </div>
      {limit !== null && (
        <div
          className={styles.track}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={used}
        >
          <div className={styles.fill} data-near={share >= NEAR || undefined} style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {note && <small>{note}</small>}
    </div>
  );
}
