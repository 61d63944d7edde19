// A grid moves by the true position of its rows, which wheel, keys and the scroll bar change, and draws at most once a
// frame.

import { useCallback, useEffect, useRef, type RefObject } from "react";
import { clampTop, scaleOf, topThatShows, type Extent } from "./scaled-scroll.ts";

const LINE_PX = 26;
const DELTA_LINES = 1;

export type GridScroll = {
  top(): number;
  /** Moves the rows so that this one is in view. */
  showRow(row: number): void;
  /** Draws in the next frame. */
  schedule(): void;
};

export function useGridScroll(
  scroller: RefObject<HTMLElement | null>,
  extentOf: () => Extent,
  draw: () => void,
): GridScroll {
  const top = useRef(0);
  /** Where the scroll bar was put by us: an event that tells of it is no wish of the user's. */
  const placed = useRef(0);
  const frame = useRef(0);
  const latest = useRef({ extentOf, draw });
  latest.current = { extentOf, draw };

  const schedule = useCallback(() => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      latest.current.draw();
    });
  }, []);

  const moveTo = useCallback(
    (wanted: number) => {
      const element = scroller.current;
      if (!element) return;
      const extent = latest.current.extentOf();
      top.current = clampTop(wanted, extent);
      element.scrollTop = Math.round(top.current / scaleOf(extent));
      placed.current = element.scrollTop;
      schedule();
    },
    [scroller, schedule],
  );

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      if (Math.abs(element.scrollTop - placed.current) >= 1) {
        const extent = latest.current.extentOf();
        placed.current = element.scrollTop;
        top.current = clampTop(element.scrollTop * scaleOf(extent), extent);
      }
      schedule();
    };
    const onWheel = (event: WheelEvent) => {
      // Where the browser has a pixel for each true one it scrolls by itself.
      if (event.ctrlKey || event.deltaY === 0 || scaleOf(latest.current.extentOf()) === 1) return;
      event.preventDefault();
      moveTo(top.current + event.deltaY * (event.deltaMode === DELTA_LINES ? LINE_PX : 1));
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("wheel", onWheel);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [scroller, moveTo, schedule]);

  return {
    top: () => top.current,
    showRow: (row) => moveTo(topThatShows(row, top.current, latest.current.extentOf())),
    schedule,
  };
}
