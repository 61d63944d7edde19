// The statements that ask for the end of automations' runs. Only the sweep looks across teams.

import { and, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { ResourceFacts } from "../../../core/resource-types.ts";
import type { Db } from "../../../platform/db/client.ts";
import { isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
import { automationRuns, type CancelCode } from "../../../platform/db/schema/work-schema.ts";
import { cancelRuns, type Cancelling } from "../../work-model/runs/store-runs.ts";

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
  cancelRuns(db, automationRuns, and(eq(automationRuns.teamId, teamId), isOf(of)), why);

/** True in SQL of a job's run that works with rights that nobody has any more; an operator's are of another team. */
const LOST_RIGHTS = {
  owner_gone: sql`not exists (select 1 from users where users.id = ${automationRuns.ownerId}
    and (users.team_id = ${automationRuns.teamId} or ${isOfTypes(automationRuns.resourceType, ({ mayBeOperators }) => mayBeOperators)}))`,
  doc_archived: sql`exists (select 1 from docs where docs.archived_at is not null and docs.id = iif(${isOn("doc")},
    ${automationRuns.resourceId}, (select d.source_id from deliveries d where d.team_id = ${automationRuns.teamId}
      and d.id = ${automationRuns.resourceId})))`,
} satisfies Partial<Record<CancelCode, SQL>>;
export type LostRights = keyof typeof LOST_RIGHTS;

/** Only runs with an attempt under way are cancelled; a run that waits fails with the reason as it begins. */
export const cancelRunsWithoutRights = (db: Db, teamId: string | undefined, why: Cancelling & { code: LostRights }) =>
  cancelRuns(
    db,
    automationRuns,
    and(
      teamId === undefined ? undefined : eq(automationRuns.teamId, teamId),
      inArray(automationRuns.state, ["starting", "running"]),
      isNotNull(automationRuns.automationId),
      LOST_RIGHTS[why.code],
    ),
    why,
  );
