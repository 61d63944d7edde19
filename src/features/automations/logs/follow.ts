// A run's log as it grows, as server-sent events: one for each line, and one at the run's end.

import { AUTOMATION_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { SourcedLogEntry } from "../../../platform/logs/log-lines.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import { requireRun } from "../runs/find.ts";
import { mayReadOutput, withoutReason } from "./read-output.ts";
import type { Run } from "../runs/run.ts";
import { findRun } from "../runs/store.ts";
import { lastRunOf } from "../runs/wire-mapping.ts";
import { linesFor } from "./lines.ts";

type Deps = Needs<"scope" | "db" | "openLog">;

/**
 * From the line behind `lastSeen` on, an offset, or from the first. It ends with the run, or after its time: whoever
 * still wants to know comes again with the offset of the last line. Undefined where the run has ended and everything
 * has been seen.
 */
export async function followAutomationRun(
  ctx: Deps,
  { jobId, runId }: { jobId: string; runId: string },
  lastSeen: number | undefined,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const { run } = await requireRun(ctx, jobId, runId);
  const from = lastSeen === undefined ? 0 : lastSeen + 1;
  if (lastSeen !== undefined && hasEnded(run) && (await readLines(ctx, run, from)).lines.length === 0) return undefined;
  const events = eventsOf(ctx, run, from);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await events.return(undefined);
    },
  });
}

const readLines = async (ctx: Deps, run: Run, from: number) =>
  ctx.openLog(run.teamId).query(run.id, { from, limit: AUTOMATION_LIMITS.pageMax, ...(await linesFor(ctx, run)) });

/** The log's own number of a line is its event's id, so that a client which comes again says where it was. */
const eventOf = (line: SourcedLogEntry): string => `id: ${line.offset}\nevent: log\ndata: ${JSON.stringify(line)}\n\n`;

async function* eventsOf(ctx: Deps, run: Run, first: number): AsyncGenerator<string, undefined> {
  const endsAt = Date.now() + AUTOMATION_LIMITS.logFollowMs;
  let from = first;
  let spokeAt = Date.now();
  let seen: Run | undefined = run;
  yield `retry: ${AUTOMATION_LIMITS.logFollowPollMs}\n\n`;
  while (Date.now() < endsAt) {
    const isOver = seen === undefined || hasEnded(seen);
    const { lines, next } = await readLines(ctx, run, from);
    from = next;
    if (lines.length > 0) {
      spokeAt = Date.now();
      yield lines.map(eventOf).join("");
      continue;
    }
    // The last line of a run follows its end: it is read once more after that was seen.
    if (isOver) return void (yield* endOf(ctx, run, from, seen));
    if (Date.now() - spokeAt >= AUTOMATION_LIMITS.logFollowHeartbeatMs) {
      spokeAt = Date.now();
      yield ": still there\n\n";
    }
    await scheduler.wait(AUTOMATION_LIMITS.logFollowPollMs);
    seen = await findRun(ctx.db, run.teamId, run.id);
  }
}

const NOTHING = { state: null, error: null };

async function* endOf(ctx: Deps, run: Run, from: number, ended: Run | undefined): AsyncGenerator<string, undefined> {
  await scheduler.wait(AUTOMATION_LIMITS.logFollowPollMs);
  const { lines } = await readLines(ctx, run, from);
  const shown = ended && lastRunOf(ended);
  const { state, error } = (shown && !(await mayReadOutput(ctx, run)) ? withoutReason(shown) : shown) ?? NOTHING;
  yield `${lines.map(eventOf).join("")}event: end\ndata: ${JSON.stringify({ state, error })}\n\n`;
}
