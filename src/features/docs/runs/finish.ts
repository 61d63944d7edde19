// The end of a run, recorded once and by whoever knows first: its sandbox, the request that waits for it, or the sweep.

import type { DatasetReport, RunReport } from "../../../../containers/sandbox/contract/protocol.ts";
import type { CancelCode } from "../../../platform/db/schema/work-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { stateOf, type Run, type DocRunState } from "./run.ts";
import { addDocUse, countOthers, countReported, countWebhookEnd } from "./events/store.ts";
import { endRun, markBegun, settleExecution, settleOthers } from "./store.ts";

/** A run that has ended already stays as it ended. */
export async function finishRun(db: Db, run: Pick<Run, "teamId" | "id">, report: RunReport, now: Date): Promise<void> {
  const at = now.toISOString();
  const last = [
    countOthers(db, run, now),
    settleOthers(db, run, report.error ?? "It did not run.", at),
    countWebhookEnd(db, run, now),
    addDocUse(db, run, now),
    endRun(db, run, { state: stateOf(report), error: report.error, at }),
  ] as const;
  const settled = report.datasets.map((dataset: DatasetReport) => settleExecution(db, run, dataset, at));
  await db.batch([markBegun(db, run, at), countReported(db, run, report.datasets, now), ...settled, ...last]);
}

/** One dataset's end. */
export async function finishDataset(
  db: Db,
  run: Pick<Run, "teamId" | "id">,
  report: DatasetReport,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await db.batch([markBegun(db, run, at), countReported(db, run, [report], now), settleExecution(db, run, report, at)]);
}

/** What did not say how it went fails with this reason. */
export async function failRun(
  db: Db,
  run: Pick<Run, "teamId" | "id">,
  failure: {
    state: Extract<DocRunState, "failed" | "cancelled" | "timed_out">;
    error: string;
    code?: CancelCode | undefined;
  },
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await db.batch([
    countOthers(db, run, now),
    settleOthers(db, run, failure.error, at),
    countWebhookEnd(db, run, now),
    addDocUse(db, run, now),
    endRun(db, run, { ...failure, at }),
  ]);
}
