// A log, line by line. It keeps to its end while one looks at the end, and stays put where one has scrolled back.

import { useEffect, useRef } from "react";
import styles from "./log-lines.module.css";

export type LogLine = { offset: number; at: string; level: "info" | "warning" | "error"; message: string };

const AT_END_PX = 24;

export function LogLines({ label, lines }: { label: string; lines: readonly LogLine[] }) {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines.length]);
  if (lines.length === 0) return <p>Nothing was logged yet.</p>;
  return (
    <ol
      ref={list}
      className={styles.log}
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - AT_END_PX;
      }}
    >
      {lines.map(({ offset, at, level, message }) => (
        <li key={offset} data-level={level}>
          <time dateTime={at}>{new Date(at).toLocaleTimeString(undefined, { hour12: false })}</time>
          <span>{message}</span>
        </li>
      ))}
    </ol>
  );
}
