// A team's log as the rest of the Worker sees it.

import { attemptOfJob } from "../../core/job-id.ts";
import type { LogLine } from "./log-lines.ts";
import type { LogObject } from "./log-object.ts";

export type Log = DurableObjectStub<LogObject>;

export const openLog = (env: Pick<Env, "LOGS">, teamId: string): Log => env.LOGS.get(env.LOGS.idFromName(teamId));

/** What an engine job says belongs to the run it is an attempt of. */
export function appendJobLog(
  { openLog }: { openLog: (teamId: string) => Log },
  { teamId, jobId }: { teamId: string; jobId: string },
  lines: Omit<LogLine, "attempt" | "source">[],
): Promise<void> {
  const { runId, attempt } = attemptOfJob(jobId);
  return openLog(teamId).append(
    runId,
    lines.map((line) => ({ ...line, attempt, source: "engine" })),
  );
}
