// A job is paused and says why, is late, or is as its last run went.

import { Group } from "../../ui/controls.ts";
import { State, useNow } from "../../ui/data/values.tsx";
import { RunState } from "../../ui/runs/run-state.tsx";
import { isLate, PAUSES, type Job } from "./queries.ts";

const TICK_MS = 30_000;

export function JobState({ job }: { job: Job }) {
  const now = useNow(TICK_MS);
  return (
    <Group gap={6} wrap="nowrap">
      <RunState state={job.lastRun?.state} />
      {!job.enabled && (
        <State tone="quiet">{job.pausedReason ? `paused: ${PAUSES[job.pausedReason]}` : "paused"}</State>
      )}
      {isLate(job, now) && <State tone="warn">late</State>}
    </Group>
  );
}
