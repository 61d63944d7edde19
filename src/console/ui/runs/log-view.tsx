// A log that grows: its last lines stay in view until somebody scrolls up.

import { useEffect, useRef } from "react";
import type { LogLine } from "./log-lines.ts";
import { formatExact } from "../data/format.ts";
import styles from "./log-view.module.css";

const SHOWN_MAX = 5_000;
const NEAR_END_PX = 40;
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

type LogViewProps = { label: string; lines: readonly LogLine[]; isLive: boolean };

export function LogView({ label, lines, isLive }: LogViewProps) {
  const place = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current) place.current?.scrollTo(0, place.current.scrollHeight);
  }, [lines.length]);
  const shown = lines.slice(-SHOWN_MAX);
  return (
    <section
      ref={place}
      className={styles.log}
      tabIndex={0}
      aria-label={label}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - NEAR_END_PX;
      }}
    >
      {shown.length < lines.length && (
        <p className={styles.note}>{formatExact(lines.length - shown.length)} earlier lines</p>
      )}
      {shown.map(({ offset, at, source, message }) => (
        <div key={offset} className={styles.line} data-source={source}>
          <time dateTime={at}>{clock.format(new Date(at))}</time>
          <span>{message}</span>
        </div>
      ))}
      {lines.length === 0 && <p className={styles.note}>{isLive ? "Nothing was said yet …" : "It said nothing."}</p>}
      {isLive && lines.length > 0 && <p className={styles.note}>live …</p>}
    </section>
  );
}
