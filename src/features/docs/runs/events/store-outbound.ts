// The statements that write the outbound events of a doc's run, each before the one that records what it reports.

import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../../platform/db/client.ts";
import { recordOutboundEvent } from "../../../../platform/db/record-outbound-event.ts";
import type { FailedTest } from "../../../../platform/db/schema/schema.ts";
import type { DocRunState, Run } from "../run.ts";

type RunName = Pick<Run, "teamId" | "id">;

const fieldsOf = sql`'run_id', id, 'doc_id', doc_id, 'doc_version', doc_version, 'cause', cause`;
const ofRun = ({ teamId, id }: RunName): SQL => sql`from doc_runs where team_id = ${teamId} and id = ${id}`;

/** Where the run is about to have begun. */
export const recordDocRunStart = (db: Db, run: RunName, now: Date) =>
  recordOutboundEvent(db, {
    ...{ teamId: run.teamId, type: "doc_run.started", orderKey: run.id, at: now },
    when: sql`exists (select 1 ${ofRun(run)} and started_at is null and ended_at is null)`,
    data: sql`(select json_object(${fieldsOf}, 'state', 'running', 'started_at', ${now.toISOString()}) ${ofRun(run)})`,
  });

/** Where the run is about to end. */
export const recordDocRunEnd = (db: Db, run: RunName, state: DocRunState, now: Date) =>
  recordOutboundEvent(db, {
    ...{ teamId: run.teamId, type: "doc_run.ended", orderKey: run.id, at: now },
    when: sql`exists (select 1 ${ofRun(run)} and ended_at is null)`,
    data: sql`(select json_object(${fieldsOf}, 'state', ${state}, 'started_at', started_at,
      'ended_at', ${now.toISOString()}) ${ofRun(run)})`,
  });

type TestsOutcome = { docId: string; tests: readonly { state: string; severity: string }[]; failed: FailedTest[] };

/** How the tests of the tables that a run built went: once a run, however often that is recorded. */
export function recordTestsEnd(db: Db, run: RunName, { docId, tests, failed }: TestsOutcome, now: Date) {
  const missed = tests.filter(({ state }) => state !== "passed");
  const isFailed = missed.some(({ severity }) => severity === "error");
  const data = {
    ...{ run_id: run.id, doc_id: docId, outcome: isFailed ? "failed" : missed.length > 0 ? "warned" : "passed" },
    ...{ tests: tests.length, tests_failed: missed.length, failed },
  };
  return recordOutboundEvent(db, {
    ...{ teamId: run.teamId, type: "table_tests.ended", orderKey: run.id, at: now, once: true },
    ...{ data: sql`${JSON.stringify(data)}`, when: sql`true` },
  });
}
