import { newId } from "../../core/ids.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { forgetLiveTeam } from "../../platform/db/live-teams.ts";
import { removeLakesStatement, wakeLakeRemovals } from "../lakes/remove-lake.ts";
import { getTeam } from "./get.ts";
import { forgetCallers } from "./keys/find-caller.ts";
import { buryStatements, hasOperatorOf, insertRemoval, isRemoval, selectWork } from "./removal/store.ts";

/** Work may end between the tombstone that it kept away and the look at what it was. */
const TRIES = 3;

/**
 * The end of a team, first move: from here on it is nowhere found, and nobody acts for it. What it leaves goes later.
 * Throws 409 while a sync or a maintenance of it is at work, and for a team of operators.
 */
export async function deleteTeam(ctx: Needs<"scope" | "db" | "wakeUps">, teamId: string): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const ofOperator = { ...scope, byOperator: true };
  for (let left = TRIES; ; left--) {
    const { name, domain, plan } = await getTeam(ctx, teamId);
    const at = scope.now.toISOString();
    const removal = { teamId, id: newId(scope.now), createdAt: at, nextTryAt: at };
    const [inserted, lakes] = await db.batch([
      insertRemoval(db, removal),
      removeLakesStatement(db, teamId, scope.now, isRemoval(removal)),
      ...buryStatements(db, removal),
      // In the log of the operator's own team, which stays.
      recordAuditIf(db, ofOperator, {
        action: "team.delete",
        subjectId: teamId,
        when: isRemoval(removal),
        before: { name, domain, plan },
      }),
    ]);
    if (inserted.length > 0) {
      forgetCallers((caller) => caller.teamId === teamId);
      forgetLiveTeam(teamId);
      await wakeUps.send("team_removal", { teamId, id: teamId });
      await wakeLakeRemovals(ctx, lakes);
      return;
    }
    await refuse(ctx, teamId, left === 1);
  }
}

/** Throws what keeps the team; returns where that has ended meanwhile, unless this was the last try. */
async function refuse({ db }: Needs<"db">, teamId: string, isLast: boolean): Promise<void> {
  await getTeam({ db }, teamId);
  if (await hasOperatorOf(db, teamId))
    throw new Problem("resource_conflict", "Operators of the platform are in this team; it can't be deleted.");
  const work = await selectWork(db, teamId);
  if (work.length === 0 && !isLast) return;
  const named = work.map(({ what, id }) => `${what} ${id}`).join(", ");
  const problem = new Problem(
    "work_in_progress",
    `Work of the team goes on: ${named || "it changes all the time"}. Cancel it, or wait for its end, and try again.`,
  );
  problem.conflictsWith = work.map(({ id }) => id);
  throw problem;
}
