// Escape cancels what runs, unless something nearer has taken it: a list that closes, a field that is emptied.

import { useEffect, useRef } from "react";

export function useEscape(cancel: () => unknown): void {
  const latest = useRef(cancel);
  latest.current = cancel;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) latest.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
