// The height of the editor above the result, which is pulled by mouse or moved by arrow keys; the browser remembers it.

import { useState, type KeyboardEvent, type PointerEvent } from "react";

const KEY = "fjord-query-split";
const MIN_PX = 80;
const STEP_PX = 24;
const START_PX = 240;

export function useSplit() {
  const [height, setHeight] = useState(() => Number(localStorage.getItem(KEY)) || START_PX);
  const [start, setStart] = useState<{ y: number; height: number }>();
  const move = (wanted: number) => {
    const next = Math.round(Math.max(MIN_PX, Math.min(innerHeight * 0.75, wanted)));
    setHeight(next);
    localStorage.setItem(KEY, String(next));
  };
  const handle = {
    role: "separator",
    tabIndex: 0,
    "aria-label": "Height of the editor",
    "aria-orientation": "horizontal" as const,
    "aria-valuenow": height,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      setStart({ y: event.clientY, height });
    },
    onPointerMove: (event: PointerEvent) => start && move(start.height + event.clientY - start.y),
    onPointerUp: () => setStart(undefined),
    onKeyDown(event: KeyboardEvent) {
      const step = { ArrowUp: -STEP_PX, ArrowDown: STEP_PX }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      move(height + step);
    },
  };
  return { height, handle };
}
