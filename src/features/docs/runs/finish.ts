// The end of a run, recorded once and by whoever knows first: its sandbox, the request that waits for it, or the sweep.

import type { DatasetReport, RunReport } from "../../../../kernel/wire/sandbox.ts";
import type { CancelCode } from "../../../platform/db/schema/work-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { findAccessDigest } from "../../access/resolve.ts";
import { actAs } from "../../teams/users/act-as.ts";
import { CHANGED_ACCESS, stateOf, type Run, type DocRunState } from "./run.ts";
import { addDocUse, countOthers, countReported, countWebhookEnd } from "./events/store.ts";
import { recordDocRunEnd, recordDocRunStart } from "./events/store-outbound.ts";
import { endRun, markBegun, settleExecution, settleOthers } from "./store.ts";

type RunToEnd = Pick<Run, "teamId" | "id" | "userId" | "accessDigest">;

/** A run that has ended already stays as it ended. */
export async function finishRun(db: Db, run: RunToEnd, report: RunReport, now: Date): Promise<void> {
  const at = now.toISOString();
  const accessDigest = await accessAtEnd(db, run, now);
  const last = [
    countOthers(db, run, now),
    settleOthers(db, run, report.error ?? "It did not run.", at),
    countWebhookEnd(db, run, now),
    addDocUse(db, run, now),
    recordDocRunEnd(db, run, stateOf(report), now),
    endRun(db, run, { state: stateOf(report), error: report.error, at, accessDigest }),
  ] as const;
  const settled = report.datasets.map((dataset: DatasetReport) => settleExecution(db, run, dataset, at));
  await db.batch([
    recordDocRunStart(db, run, now),
    markBegun(db, run, at),
    countReported(db, run, report.datasets, now),
    ...settled,
    ...last,
  ]);
}

/** One dataset's end. */
export async function finishDataset(
  db: Db,
  run: Pick<Run, "teamId" | "id">,
  report: DatasetReport,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await db.batch([
    recordDocRunStart(db, run, now),
    markBegun(db, run, at),
    countReported(db, run, [report], now),
    settleExecution(db, run, report, at),
  ]);
}

/** Ends a run: datasets without a report fail with this reason. */
export async function failRun(
  db: Db,
  run: RunToEnd,
  failure: {
    state: Extract<DocRunState, "failed" | "cancelled" | "timed_out">;
    error: string;
    code?: CancelCode | undefined;
  },
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const accessDigest = await accessAtEnd(db, run, now);
  await db.batch([
    countOthers(db, run, now),
    settleOthers(db, run, failure.error, at),
    countWebhookEnd(db, run, now),
    addDocUse(db, run, now),
    recordDocRunEnd(db, run, failure.state, now),
    endRun(db, run, { ...failure, at, accessDigest }),
  ]);
}

/** A run whose starter's rights changed on the way has read what they might not read as it began, or may not now. */
async function accessAtEnd(db: Db, run: RunToEnd, now: Date): Promise<string | null> {
  const scope = await actAs({ db, scope: run }, run.userId, { requestId: run.id, now });
  if (!scope) return CHANGED_ACCESS;
  return (await findAccessDigest({ db, scope })) === run.accessDigest ? run.accessDigest : CHANGED_ACCESS;
}
