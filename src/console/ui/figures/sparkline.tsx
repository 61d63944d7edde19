// A series over time as columns, drawn as SVG: enough to see a rise or a gap, without axes.

import styles from "./sparkline.module.css";

type SparklineProps = { label: string; values: readonly number[]; height?: number };

const STEP = 6;
const BAR = 4;

export function Sparkline({ label, values, height = 44 }: SparklineProps) {
  const max = Math.max(1, ...values);
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${Math.max(1, values.length) * STEP} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, at) => {
        const tall = value === 0 ? 1 : Math.max(2, (value / max) * height);
        return (
          <rect
            key={at}
            x={at * STEP}
            y={height - tall}
            width={BAR}
            height={tall}
            data-empty={value === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
