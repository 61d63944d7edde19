// A team's log as the rest of the Worker sees it.

import { attemptOfJob } from "../../core/job-id.ts";
import type { LogLine } from "./log-lines.ts";
import type { LogObject } from "./log-object.ts";

export const openLog = (env: Pick<Env, "LOGS">, teamId: string): DurableObjectStub<LogObject> =>
  env.LOGS.get(env.LOGS.idFromName(teamId));

/** What an engine job says belongs to the run it is an attempt of. */
export function appendJobLog(
  env: Pick<Env, "LOGS">,
  { teamId, jobId }: { teamId: string; jobId: string },
  lines: Omit<LogLine, "attempt">[],
): Promise<void> {
  const { runId, attempt } = attemptOfJob(jobId);
  return openLog(env, teamId).append(
    runId,
    lines.map((line) => ({ ...line, attempt })),
  );
}
