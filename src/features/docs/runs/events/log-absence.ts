import { DOC_LIMITS } from "../../limits.ts";
import type { Needs } from "../../../../clients/context.ts";
import { gapLine } from "../../../work-model/log-step.ts";
import { selectExecutions } from "../store.ts";
import type { Run } from "../run.ts";

/** Tells in the logs of the datasets that run since when their sandbox could not reach the platform. */
export async function logAbsence({ db, openLog }: Needs<"db" | "openLog">, run: Run, now: Date): Promise<void> {
  const message = gapLine(Date.parse(run.leaseUntil) - DOC_LIMITS.runLeaseMs, now, "the dataset goes on");
  const log = openLog(run.teamId);
  for (const { id, state } of await selectExecutions(db, run)) {
    if (state !== "running") continue;
    await log
      .append(id, [{ level: "error", message, attempt: 1 }])
      .catch((error: unknown) =>
        console.error(JSON.stringify({ event: "log_lost", runId: run.id, cause: String(error) })),
      );
  }
}
