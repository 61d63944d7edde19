// The end of work whose rights are gone: of somebody who was removed from the team, or of a doc that was archived.

import { LIMITS } from "../../../core/limits.ts";
import type { Needs } from "../../../platform/context.ts";
import { endRunNow } from "../../docs/runs/order-run.ts";
import { listOpenRunsOf, listRunsWithoutRights, type RunToCut } from "../../docs/runs/cut/list-open.ts";
import { cancelRunsOf, cancelRunsWithoutRights } from "./store.ts";

type Deps = Needs<"db" | "wakeUps" | "openSandbox">;
type Lost = { kind: "owner_gone"; userId: string } | { kind: "doc_archived"; docId: string };

const REASONS: Record<Lost["kind"], string> = {
  owner_gone: "The user whose rights it ran with was removed from the team.",
  doc_archived: "The doc was archived.",
};

/**
 * Ends what runs: a job's run by its next step, whose message goes out at once, and other runs here. The sweep ends
 * what is left.
 */
export async function cutWork(deps: Deps, teamId: string, lost: Lost, now: Date): Promise<void> {
  const { db, wakeUps } = deps;
  const of = lost.kind === "owner_gone" ? { ownerId: lost.userId } : { docId: lost.docId };
  const why = { at: now.toISOString(), code: lost.kind, reason: REASONS[lost.kind] };
  await wakeUps.sendAll("automation_run", await cancelRunsOf(db, teamId, { of, ...why }));
  const which = lost.kind === "owner_gone" ? { userId: lost.userId } : { docId: lost.docId };
  await endAll(deps, await listOpenRunsOf(deps, teamId, { of: which, code: lost.kind }), now);
}

/** Ends work of all teams that goes on although its rights are gone, and says how much. */
export async function sweepCutWork(deps: Deps, now: Date): Promise<{ runsCut: number }> {
  const { db, wakeUps } = deps;
  let runsCut = 0;
  for (const code of Object.keys(REASONS) as Lost["kind"][]) {
    const why = { at: now.toISOString(), reason: REASONS[code] };
    const cancelled = await cancelRunsWithoutRights(db, code, why);
    await wakeUps.sendAll("automation_run", cancelled);
    runsCut += cancelled.length;
  }
  const left = await listRunsWithoutRights(deps, LIMITS.runsSweptMax);
  await endAll(deps, left, now);
  return { runsCut: runsCut + left.length };
}

async function endAll(deps: Deps, runs: RunToCut[], now: Date): Promise<void> {
  for (const { code, ...name } of runs)
    await endRunNow(deps, name, { state: "cancelled", code, error: REASONS[code], now });
}
