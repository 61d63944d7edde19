// The statements that find runs whose rights are gone. A read takes the team first; only the sweep looks across teams.

import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Db } from "../../../../platform/db/client.ts";
import { docRuns } from "../../../../platform/db/schema/schema.ts";
import type { Run } from "../run.ts";

type RunName = Pick<Run, "teamId" | "id">;

/** True in SQL of a run that nobody else ends: a job's run ends its own. */
const isNoAttempt = sql`not exists (select 1 from attempts where attempts.team_id = ${docRuns.teamId}
  and attempts.job_id = ${docRuns.id} and attempts.ended_at is null)`;

/** The runs of a team, or of all teams, that work with rights that nobody has any more. */
export const selectRunsWithoutRights = (
  db: Db,
  teamId: string | undefined,
  rowsMax: number,
): Promise<(RunName & { code: "owner_gone" | "doc_archived" })[]> =>
  db
    .select({
      id: docRuns.id,
      teamId: docRuns.teamId,
      code: sql<"owner_gone" | "doc_archived">`iif(${isOwnerGone}, 'owner_gone', 'doc_archived')`,
    })
    .from(docRuns)
    .where(
      and(
        teamId === undefined ? undefined : eq(docRuns.teamId, teamId),
        isNull(docRuns.endedAt),
        isNoAttempt,
        or(isOwnerGone, isDocArchived),
      ),
    )
    .limit(rowsMax);

const isOwnerGone = sql`not exists (select 1 from users where users.id = doc_runs.user_id
  and users.team_id = doc_runs.team_id)`;
const isDocArchived = sql`exists (select 1 from docs where docs.id = doc_runs.doc_id and docs.archived_at is not null)`;
