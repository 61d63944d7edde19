import type { z } from "zod";
import type { RunLog } from "../../../../kernel/wire/sandbox.ts";
import type { Needs } from "../../../clients/context.ts";
import { findAttemptOfJob } from "../../work-model/attempts.ts";
import { toLogLines } from "./list-logs.ts";
import type { Run } from "../runs/run.ts";

/**
 * Adds a dataset's output to the log of its execution, and, where the doc's run is an automation's attempt, to the log
 * of that.
 */
export async function appendLog(
  ctx: Needs<"db" | "openLog">,
  run: Run,
  datasetKey: string,
  log: z.infer<typeof RunLog>,
): Promise<void> {
  const lines = toLogLines(log, datasetKey);
  const team = ctx.openLog(run.teamId);
  await team.append(log.executionId, lines);
  const attempt = await findAttemptOfJob(ctx, run.teamId, run.id);
  if (attempt)
    await team.append(
      attempt.runId,
      lines.map((line) => ({ ...line, attempt: attempt.attempt })),
    );
}
