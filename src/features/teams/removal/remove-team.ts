// The end of a team, second move: what it leaves behind goes, and at last its own row and the tombstone.

import { TEAM_LIMITS } from "../limits.ts";
import { emptyPrefix } from "../../../platform/bucket/empty-prefix.ts";
import type { Needs } from "../../../clients/context.ts";
import { TENANT_TABLES } from "../../../platform/db/tenant-tables.ts";
import type { WakeUpSubject } from "../../../platform/messages.ts";
import { giveUploadsUp } from "../../drive/give-uploads-up.ts";
import { countLakeRemovals, removeLakesStatement, wakeLakeRemovals } from "../../lakes/remove-lake.ts";
import { deleteRowsOf, deleteTeamStatements, findRemoval, setNextTry } from "./store.ts";

type Outcome = "gone" | "deleting" | "waiting" | "done";
export type RemovalDeps = Needs<"db" | "bucket" | "wakeUps" | "openEngine" | "openSandbox" | "openLog" | "meter">;

/**
 * Repeatable at any point. Programs go first, so that nothing is written any more. Keys that other isolates remember
 * and URLs that were signed before can be used for a while, so all of it is done once more when they have run out.
 */
export async function removeTeam(deps: RemovalDeps, { teamId }: WakeUpSubject, now = new Date()): Promise<Outcome> {
  const { db, wakeUps, openEngine, openSandbox, openLog, meter } = deps;
  const removal = await findRemoval(db, teamId);
  if (!removal) return "gone";
  await Promise.all([openEngine(teamId).remove(), openSandbox(teamId).remove()]);
  // Lakes that somebody made while the team was on its way out.
  await wakeLakeRemovals(deps, await removeLakesStatement(db, teamId, now));
  if (!(await removeObjects(deps, teamId)) || !(await removeRows(deps, teamId))) {
    // Its own message is delivered again where the next can't be sent: the sweep would come much later.
    if (!(await wakeUps.send("team_removal", { teamId, id: teamId }))) throw new Error("No wake-up message was sent.");
    return "deleting";
  }
  await Promise.all([openLog(teamId).destroy(), meter.openObject(teamId).destroy()]);
  const lastAt = new Date(Date.parse(removal.createdAt) + TEAM_LIMITS.removalMs);
  const isWaiting = now < lastAt;
  if (isWaiting || (await countLakeRemovals(db, teamId)) > 0) {
    await setNextTry(
      db,
      teamId,
      (isWaiting ? lastAt : new Date(now.getTime() + TEAM_LIMITS.removalRetryMs)).toISOString(),
    );
    return "waiting";
  }
  await db.batch([...deleteTeamStatements(db, teamId)]);
  return "done";
}

/** All under the team's prefix: its lakes, its drive, its results. Says whether none is left. */
const removeObjects = async (deps: RemovalDeps, teamId: string): Promise<boolean> =>
  (await giveUploadsUp(deps, teamId)) && (await emptyPrefix(deps.bucket, `${teamId}/`, TEAM_LIMITS.removalStepsMax));

/** A bounded number of each statement, and of statements: says whether none is left. */
async function removeRows({ db }: RemovalDeps, teamId: string): Promise<boolean> {
  let left: number = TEAM_LIMITS.removalStatementsMax;
  for (const table of TENANT_TABLES) {
    for (let isLeft = true; isLeft; left--) {
      if (left === 0) return false;
      isLeft = (await deleteRowsOf(db, table, teamId, TEAM_LIMITS.removalRowsMax)) === TEAM_LIMITS.removalRowsMax;
    }
  }
  return true;
}
