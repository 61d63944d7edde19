// One composition at a time in an isolate: two at once might hold more than its memory, and end what else it serves.

import { WORK_LIMITS } from "../../work-model/limits.ts";

/** The end of the time of whoever composes; it outlives no step, whose run is another's by then. */
let takenUntilMs = 0;

/** `busy` where something else is composed in this isolate now: whoever hears that tries again later. */
export async function whileAlone<Result>(work: () => Promise<Result>): Promise<Result | "busy"> {
  const now = Date.now();
  if (takenUntilMs > now) return "busy";
  // A request whose time is over is dropped in the middle, and frees nothing: its time ends by itself.
  const untilMs = now + WORK_LIMITS.stepMs;
  takenUntilMs = untilMs;
  try {
    return await work();
  } finally {
    if (takenUntilMs === untilMs) takenUntilMs = 0;
  }
}
