// Small values as the whole console writes them: times, sizes, counts, durations and states.

import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { formatBytes, formatCount, formatDuration, relativeTime } from "./format.ts";
import styles from "./values.module.css";

const TICK_MS = 15_000;

/** How long ago an instant was, kept up to date; the instant itself is in its tooltip. */
export function Time({ at, never = "never" }: { at: string | null | undefined; never?: string }) {
  const now = useNow(TICK_MS);
  if (!at) return <span className={styles.dim}>{never}</span>;
  return (
    <Tooltip label={new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })}>
      <time dateTime={at}>{relativeTime(Date.parse(at), now)}</time>
    </Tooltip>
  );
}

/** The time of day, again each so many milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export const Bytes = ({ value }: { value: number | null | undefined }) =>
  value == null ? <Unknown /> : <span title={`${value.toLocaleString()} bytes`}>{formatBytes(value)}</span>;

export const Count = ({ value }: { value: number | null | undefined }) =>
  value == null ? <Unknown /> : <span title={value.toLocaleString()}>{formatCount(value)}</span>;

export const Duration = ({ ms }: { ms: number | null | undefined }) =>
  ms == null ? <Unknown /> : <span>{formatDuration(ms)}</span>;

/** What nobody knows is no zero. */
export const Unknown = () => <span className={styles.dim}>unknown</span>;

export type Tone = "good" | "bad" | "warn" | "busy" | "quiet";

/** A state: its word, and a mark whose shape differs too, for whoever sees no colours. */
export function State({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles.state} data-tone={tone}>
      <span className={styles.mark} aria-hidden="true" />
      {children}
    </span>
  );
}
