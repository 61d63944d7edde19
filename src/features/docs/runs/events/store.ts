// The statements that count ends of runs and datasets, each before the one that records them.

import { sql, type SQL } from "drizzle-orm";
import type { DatasetReport } from "../../../../../kernel/wire/sandbox.ts";
import { addMonthUse, countEvents, msBetween } from "../../../../platform/db/count-events.ts";
import type { Db } from "../../../../platform/db/client.ts";
import { executionState, type Run } from "../run.ts";

type RunName = Pick<Run, "teamId" | "id">;

/**
 * Counts the reports that are about to be recorded; the duration of each is its sandbox's. A skipped dataset is no
 * event.
 */
export function countReported(db: Db, run: RunName, reports: DatasetReport[], now: Date) {
  const ended = reports.filter((report) => executionState(report) !== "skipped");
  const rows = JSON.stringify(ended.map(({ executionId: id, durationMs }) => ({ id, durationMs })));
  return countDatasets(
    db,
    run,
    now,
    sql`select min(r.value ->> 'durationMs') ms from json_each(${rows}) r join executions e on e.id = r.value ->> 'id'
      where ${isUnsettled(run)} group by e.id`,
  );
}

/** Datasets without a report at the run's end count as failed; one that never began is no event. */
export const countOthers = (db: Db, run: RunName, now: Date) =>
  countDatasets(
    db,
    run,
    now,
    sql`select ${msBetween(sql`e.started_at`, now.toISOString())} ms from executions e
      where ${isUnsettled(run)} and e.started_at is not null`,
  );

/** A run's end, where a webhook asked for it: as long as its caller may have waited. */
export const countWebhookEnd = (db: Db, { teamId, id }: RunName, now: Date) =>
  countEvents(
    db,
    { teamId, type: "webhook_execution", endedAt: now },
    sql`select ${msBetween(sql`created_at`, now.toISOString())} ms from doc_runs
      where team_id = ${teamId} and id = ${id} and cause = 'webhook' and ended_at is null`,
  );

/** A run's end, as what its team has used this month: whoever asked for it, from its beginning in the sandbox. */
export const addDocUse = (db: Db, { teamId, id }: RunName, now: Date) =>
  addMonthUse(
    db,
    { teamId, now },
    sql`select ${msBetween(sql`started_at`, now.toISOString())} run_ms, 0 rows_synced from doc_runs
      where team_id = ${teamId} and id = ${id} and started_at is not null and ended_at is null`,
  );

const countDatasets = (db: Db, { teamId }: RunName, endedAt: Date, durations: SQL) =>
  countEvents(db, { teamId, type: "dataset_execution", endedAt }, durations);

const isUnsettled = ({ teamId, id }: RunName): SQL =>
  sql`e.team_id = ${teamId} and e.run_id = ${id} and e.state not in ('succeeded', 'failed', 'skipped')
    and exists (select 1 from doc_runs where team_id = ${teamId} and id = ${id} and ended_at is null)`;
