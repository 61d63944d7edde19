import { sql } from "drizzle-orm";
import { SYNC_LIMITS } from "../limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { syncRuns } from "../../../platform/db/schema/schema.ts";
import { hasRunInSql, insertRunIf } from "../../work-model/runs/store-runs.ts";
import { covers, planRun, type RunRequest } from "./run.ts";
import { rowOf } from "./store-rows.ts";
import { isNextInLine, selectOpenRuns, SYNC_LINE } from "./store.ts";
import { wakeWaiting } from "../../work-model/waiting/wake-next.ts";
import type { Sync } from "../sync.ts";

const TRIES = 5;

/** `waitsFor`: the run whose end comes before this one's beginning; null where it is at work, or next. */
export type StartedRun = { id: string; waitsFor: string | null };

/**
 * Starts a run that somebody asked for, or queues it behind those that are there; answers one that is there where it
 * brings all that was asked for. One that was cancelled brings nothing, though others wait for its end.
 */
export async function startRun(
  { scope, db, wakeUps }: Needs<"scope" | "db" | "wakeUps">,
  sync: Sync,
  asked: Omit<RunRequest, "scheduledFor">,
): Promise<StartedRun> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const open = await selectOpenRuns(db, scope.teamId, sync.id);
    const at = open.findIndex((run) => !run.cancelRequested && covers(run, asked));
    const found = open[at];
    if (found) return { id: found.id, waitsFor: open[at - 1]?.id ?? null };
    if (open.length > SYNC_LIMITS.runsWaitingMax) {
      throw new Problem(
        "work_in_progress",
        `This sync has ${open.length} runs that have not ended, and takes no more. Wait for them, or cancel ` +
          "those that are no longer wanted.",
      );
    }
    const run = planRun(sync, { ...asked, scheduledFor: null }, scope.now);
    const [inserted] = await db.batch([
      insertRunIf(db, syncRuns, rowOf(run), isNextInLine(run, open)),
      // That it was configured is audited by itself.
      recordAuditIf(db, scope, {
        action: "sync.run",
        subjectId: sync.id,
        when: asked.cause === "manual" ? hasRunInSql(syncRuns, run) : sql`false`,
        after: { run_id: run.id, is_full: run.isFull, only_tables: run.onlyTables },
      }),
    ]);
    if (inserted.length > 0) {
      await wakeWaiting(SYNC_LINE, { db, wakeUps }, { teamIds: [run.teamId], at: scope.now });
      return { id: run.id, waitsFor: open.at(-1)?.id ?? null };
    }
    // Another run came in between, or the sync is gone.
  }
  throw notFound("Sync", sync.id);
}
