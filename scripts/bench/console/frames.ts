// The work of a page's main thread in each frame, as Chromium's trace tells it.

import type { Browser, Page } from "playwright-core";
import { percentile } from "../support/measure.ts";

/** Milliseconds of the main thread's CPU time for a frame that drew something; `perSecond`: such frames. */
export type FrameReport = { p50: number; p95: number; max: number; perSecond: number };

/** A part of Chromium's trace, in microseconds: `dur` by the clock, `tdur` of the thread's own CPU time. */
type TraceEvent = { name: string; cat: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"];
const [BEGIN, END] = ["bench-begin", "bench-end"];

/** Watches the page while it is acted upon. */
export async function watchFrames(browser: Browser, page: Page, act: () => Promise<void>): Promise<FrameReport> {
  await browser.startTracing(page, { categories: [...CATEGORIES, "disabled-by-default-devtools.timeline.frame"] });
  await page.evaluate(`performance.mark("${BEGIN}")`);
  await act();
  await page.evaluate(`performance.mark("${END}")`);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return reportOf(traceEvents);
}

function reportOf(events: readonly TraceEvent[]): FrameReport {
  const mark = (name: string) => events.find((event) => event.name === name && event.cat.includes("user_timing"))!;
  const [begin, end] = [mark(BEGIN), mark(END)];
  const main = events
    .filter(({ pid, tid, ts }) => pid === begin.pid && tid === begin.tid && ts >= begin.ts && ts <= end.ts)
    .sort((a, b) => a.ts - b.ts);
  const work = workOfDrawn(framesOf(main));
  if (work.length === 0) throw new Error("The page drew nothing.");
  return {
    p50: percentile(work, 0.5),
    p95: percentile(work, 0.95),
    max: Math.max(...work),
    perSecond: (work.length * 1e6) / (end.ts - begin.ts),
  };
}

type Frame = { workMs: number; hasPainted: boolean };

/** A frame goes from its beginning to that of the next: it has the task in which it begins, and all that follow. */
function framesOf(main: readonly TraceEvent[]): Frame[] {
  const frames: Frame[] = [];
  let task: TraceEvent | undefined;
  for (const event of main) {
    const frame = frames.at(-1);
    if (event.name === "RunTask") {
      task = event;
      if (frame) frame.workMs += workOf(task);
    } else if (event.name === "BeginMainThreadFrame") {
      const own = task && task.ts + (task.dur ?? 0) >= event.ts ? workOf(task) : 0;
      if (frame) frame.workMs -= own;
      frames.push({ workMs: own, hasPainted: false });
    } else if (event.name === "Paint" && frame) frame.hasPainted = true;
  }
  return frames;
}

/**
 * Whoever renders after a frame that draws nothing draws in the next one: the work of both is that one's. So a grid is
 * not the better for rendering where no frame is drawn.
 */
function workOfDrawn(frames: readonly Frame[]): number[] {
  const drawn: number[] = [];
  let workMs = 0;
  for (const frame of frames) {
    workMs += frame.workMs;
    if (!frame.hasPainted) continue;
    drawn.push(workMs);
    workMs = 0;
  }
  return drawn;
}

/** Throws where the browser does not say what CPU time a task took: no work must not be read out of that. */
function workOf({ tdur }: TraceEvent): number {
  if (tdur === undefined) throw new Error("The browser's trace has no CPU times.");
  return tdur / 1_000;
}
