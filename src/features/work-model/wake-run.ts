// A look at a run's attempt before it is due, because what works on it has ended.

import type { Needs } from "../../clients/context.ts";
import { findAttemptOfJob } from "./attempts.ts";
import { RUN_TABLES, type RunKind } from "./kind.ts";
import { makeDue } from "./store.ts";

/** `workId`: the engine's job, or the doc's run; one that is no attempt's is nobody's. */
type Ended = { teamId: string; workId: string; now: Date };

/** Its message is on its way when this is done. One that is lost is made up for by the look that was planned anyway. */
export async function wakeRunOf(
  kind: RunKind,
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  { teamId, workId, now }: Ended,
): Promise<void> {
  const attempt = await findAttemptOfJob({ db }, teamId, workId);
  if (!attempt) return;
  const run = { teamId, id: attempt.runId };
  const changed = await makeDue(db, RUN_TABLES[kind], run, now.toISOString());
  if (changed.length > 0) await wakeUps.send(kind, run);
}
