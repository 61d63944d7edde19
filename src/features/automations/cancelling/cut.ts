// The end of work whose rights are gone: of somebody who was removed from the team, or of a doc that was archived.

import type { Needs } from "../../../clients/context.ts";
import { listRunsWithoutRights } from "../../docs/runs/cut/list-open.ts";
import { endRunNow } from "../../docs/runs/order-run.ts";
import { cancelRunsWithoutRights, type LostRights } from "./store.ts";

type Deps = Needs<"db" | "bucket" | "wakeUps" | "openSandbox" | "openLake">;

const REASONS: Record<LostRights, string> = {
  owner_gone: "The user whose rights it ran with was removed from the team.",
  doc_archived: "The doc was archived.",
};

/**
 * Ends what runs without rights in a team, or in all, and says how many: a job's run by its next step, whose message
 * goes out at once, and other runs here.
 */
export async function cutWork(deps: Deps, teamId: string | undefined, now: Date): Promise<number> {
  const { db, wakeUps } = deps;
  const cancelled = await Promise.all(
    (Object.keys(REASONS) as LostRights[]).map((code) =>
      cancelRunsWithoutRights(db, teamId, { at: now.toISOString(), code, reason: REASONS[code] }),
    ),
  );
  await wakeUps.sendAll("automation_run", cancelled.flat());
  const others = await listRunsWithoutRights(deps, teamId);
  // The lake of one run may not answer: the others end all the same, and this one at the next look.
  for (const { code, ...name } of others)
    await endRunNow(deps, name, { state: "cancelled", code, error: REASONS[code], now }).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "doc_run_not_cut", runId: name.id, cause: String(error) })),
    );
  return cancelled.flat().length + others.length;
}

/** Makes up for messages that were lost. */
export const sweepCutWork = async (deps: Deps, now: Date): Promise<{ runsCut: number }> => ({
  runsCut: await cutWork(deps, undefined, now),
});
