// The statements that ask for the end of automations' runs. Only the sweep looks across teams.

import { and, eq, inArray, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { ResourceFacts } from "../../../core/resource-types.ts";
import type { Db } from "../../../platform/db/client.ts";
import { isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
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

const isOn = (what: ResourceFacts["subject"]): SQL =>
  isOfTypes(automationRuns.resourceType, ({ subject }) => subject === what);

export type RunsOf = { jobId: string } | { lakeId: string };

/** The runs of a job, or the maintenances of a lake. */
const isOf = (of: RunsOf): SQL =>
  "jobId" in of
    ? eq(automationRuns.automationId, of.jobId)
    : and(eq(automationRuns.resourceId, of.lakeId), isOn("lake"))!;

/** Everything that has not ended of these. */
export const cancelRunsOf = (db: Db, teamId: string, { of, ...why }: { of: RunsOf } & Cancelling) =>
  db
    .update(automationRuns)
    .set(cancelled(why))
    .where(and(eq(automationRuns.teamId, teamId), isOf(of), isCancellable))
    .returning({ id: automationRuns.id, teamId: automationRuns.teamId });

/** True in SQL of a job's run that works with rights that nobody has any more; an operator's are of another team. */
const LOST_RIGHTS = {
  owner_gone: sql`not exists (select 1 from users where users.id = ${automationRuns.ownerId}
    and (users.team_id = ${automationRuns.teamId} or ${isOfTypes(automationRuns.resourceType, ({ mayBeOperators }) => mayBeOperators)}))`,
  doc_archived: sql`${isOn("doc")} and exists (select 1 from docs
    where docs.id = ${automationRuns.resourceId} and docs.archived_at is not null)`,
} satisfies Partial<Record<CancelCode, SQL>>;
export type LostRights = keyof typeof LOST_RIGHTS;

/** Only runs with an attempt under way are cancelled; a run that waits fails with the reason as it begins. */
export const cancelRunsWithoutRights = (db: Db, teamId: string | undefined, why: Cancelling & { code: LostRights }) =>
  db
    .update(automationRuns)
    .set(cancelled(why))
    .where(
      and(
        teamId === undefined ? undefined : eq(automationRuns.teamId, teamId),
        inArray(automationRuns.state, ["starting", "running"]),
        isNull(automationRuns.endedAt),
        isNotNull(automationRuns.automationId),
        isCancellable,
        LOST_RIGHTS[why.code],
      ),
    )
    .returning({ id: automationRuns.id, teamId: automationRuns.teamId });
