import type { Needs } from "../../platform/context.ts";
import { requireRun } from "./find.ts";
import { detailOf, type Run, type SyncRunDetail } from "./run.ts";
import { openRunMatter } from "./run-matter.ts";
import { findProgress } from "./store-runs.ts";
import { progressOf } from "./watch-attempt.ts";

type Matter = Needs<"scope" | "db" | "env">;

/** A run with its tables: as its job tells them now, or, where none is under way, as they were at the end of the last attempt. */
export const getSyncRun = async (ctx: Matter, integrationId: string, runId: string): Promise<SyncRunDetail> => describeRun(ctx, await requireRun(ctx, integrationId, runId));

export async function describeRun({ scope, db, env }: Matter, run: Run): Promise<SyncRunDetail> {
  const live = run.state === "running" ? await progressOf(openRunMatter(env).openLake(run.lakeId), run) : undefined;
  return detailOf(run, live ?? (await findProgress(db, scope.teamId, run.id)));
}
