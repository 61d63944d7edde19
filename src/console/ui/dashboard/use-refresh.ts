// A dashboard that refreshes by itself asks again each so many seconds.

import { useEffect, useRef } from "react";

/** A dashboard that refreshed more often would never be done. */
const SECONDS_MIN = 5;

/** Fewer seconds, or none, are no refresh. */
export function useRefresh(seconds: number, refresh: () => void): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    if (!(seconds >= SECONDS_MIN)) return;
    const timer = setInterval(() => latest.current(), seconds * 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
}
