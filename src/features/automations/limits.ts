// Bounds of automations, their runs and the logs of these; those that a doc's own schedules keep as well are docs'.

import type { ResourceType } from "../../core/resource-types.ts";

type OfResources = Record<ResourceType, number>;

export const AUTOMATION_LIMITS = {
  jobsPerTeamMax: 1_000,
  pageMax: 100,
  /** A doc's code may do things that count, so only who asks for it has it run twice; a maintenance may be repeated. */
  attemptsDefault: { doc: 1, lake_integration_maintenance: 3, delivery: 3 } satisfies OfResources,
  backoffSecondsDefault: 60,
  retryMsMax: 6 * 3_600_000,
  /** A run may take so long with all its attempts. */
  timeoutSecondsDefault: { doc: 21_600, lake_integration_maintenance: 86_400, delivery: 86_400 } satisfies OfResources,
  /** A cron tick starts at most so many runs, so many of one team, so many in one statement. */
  runsPerTickMax: 10_000,
  runsPerTickOfTeamMax: 250,
  runsPerClaimMax: 250,
  /** So many runs of one job wait for their turn. */
  runsWaitingMax: 10,
  /** A request that starts a run waits so long for its first step, which goes on without it. */
  firstStepMs: 5_000,
  /** One connection follows a run's log for so long: what its caller may see is looked up when it comes again. */
  logFollowMs: 30_000,
  logFollowPollMs: 1_000,
  logFollowHeartbeatMs: 15_000,
} as const;
