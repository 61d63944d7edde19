// The statements that ask for the end of automations' runs. Only the sweep looks across teams.

import { and, eq, inArray, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { automationRuns, type CancelCode } from "../../../platform/db/schema/work-schema.ts";
import type { RunName } from "../../work-model/run.ts";
import { isRun } from "../runs/store-rows.ts";

const isCancellable = and(isNull(automationRuns.endedAt), isNull(automationRuns.cancelRequestedAt))!;

/** True in SQL while the run goes on and nobody has asked for its end. */
export const isCancellableInSql = ({ teamId, id }: RunName): SQL =>
  sql`exists (select 1 from ${automationRuns} where team_id = ${teamId} and id = ${id} and ended_at is null
    and cancel_requested_at is null)`;

type Cancelling = { at: string; code: CancelCode; reason: string };

/** The first to ask says why. Whoever works on the run sees it at the next step. */
const cancelled = ({ at, code, reason }: Cancelling) => ({
  cancelRequestedAt: at,
  cancelCode: code,
  cancelReason: reason,
  dueAt: at,
  updatedAt: at,
});

export const cancelRunRow = (db: Db, run: RunName, at: string, reason: string) =>
  db
    .update(automationRuns)
    .set(cancelled({ at, code: "requested", reason }))
    .where(and(isRun(run), isCancellable))
    .returning({ id: automationRuns.id, teamId: automationRuns.teamId });

export type RunsOf = { jobId: string } | { lakeId: string } | { docId: string } | { ownerId: string };

/**
 * All of a job and of a lake's maintenance. Of a doc, and of jobs with the rights of their owner, attempts under way: a
 * run that waits says as it begins that the doc or the owner is gone.
 */
function isOf(of: RunsOf): SQL {
  if ("jobId" in of) return eq(automationRuns.automationId, of.jobId);
  if ("lakeId" in of)
    return and(
      eq(automationRuns.resourceId, of.lakeId),
      eq(automationRuns.resourceType, "lake_integration_maintenance"),
    )!;
  const isIt =
    "docId" in of
      ? and(eq(automationRuns.resourceId, of.docId), eq(automationRuns.resourceType, "doc"))
      : and(eq(automationRuns.ownerId, of.ownerId), isNotNull(automationRuns.automationId));
  return and(isIt, inArray(automationRuns.state, ["starting", "running"]))!;
}

/** Everything that has not ended of these. */
export const cancelRunsOf = (db: Db, teamId: string, { of, ...why }: { of: RunsOf } & Cancelling) =>
  db
    .update(automationRuns)
    .set(cancelled(why))
    .where(and(eq(automationRuns.teamId, teamId), isOf(of), isCancellable))
    .returning({ id: automationRuns.id, teamId: automationRuns.teamId });

/** True in SQL of a job's run that works with rights that nobody has any more; an operator's are of another team. */
const LOST_RIGHTS: Record<"owner_gone" | "doc_archived", SQL> = {
  owner_gone: sql`not exists (select 1 from users where users.id = ${automationRuns.ownerId}
    and (users.team_id = ${automationRuns.teamId} or ${automationRuns.resourceType} <> 'doc'))`,
  doc_archived: sql`${automationRuns.resourceType} = 'doc' and exists (select 1 from docs
    where docs.id = ${automationRuns.resourceId} and docs.archived_at is not null)`,
};

/** Only runs with an attempt under way are cancelled; a run that waits fails with the reason as it begins. */
export const cancelRunsWithoutRights = (db: Db, code: keyof typeof LOST_RIGHTS, why: Omit<Cancelling, "code">) =>
  db
    .update(automationRuns)
    .set(cancelled({ ...why, code }))
    .where(
      and(
        inArray(automationRuns.state, ["starting", "running"]),
        isNull(automationRuns.endedAt),
        isNotNull(automationRuns.automationId),
        isCancellable,
        LOST_RIGHTS[code],
      ),
    )
    .returning({ id: automationRuns.id, teamId: automationRuns.teamId });
