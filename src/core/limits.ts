// Every bound of the control plane, in one place. Names carry their unit.

import { DOC_LIMITS } from "./limits/docs.ts";
import { ASYNC_QUERY_LIMITS } from "./limits/queries.ts";
import { SEMANTIC_LIMITS } from "./limits/semantic.ts";
import type { ResourceType } from "./resource-types.ts";

/** Between two ticks of the cron trigger in `wrangler.toml`. */
const SWEEP_MS = 60_000;
const WORK_WAKE_UP_LOST_MS = 30_000;
const QUERY_DEADLINE_MS_MAX = 900_000;
const SYNC_RUN_MS_MAX = 86_400_000;

type OfResources = Record<ResourceType, number>;

export const LIMITS = {
  ...DOC_LIMITS,
  ...SEMANTIC_LIMITS,
  ...ASYNC_QUERY_LIMITS,

  bodyBytesMax: 4 * 1024 * 1024,
  /** Of a JSON body: members, items, objects and lists. Checking one costs far more than its bytes. */
  bodyValuesMax: 100_000,
  /** Reported of one request; a body can have as many as values. */
  flawsReportedMax: 100,
  sqlCharactersMax: 1_000_000,
  nameCharactersMax: 200,
  /** A list of every minute takes 170. */
  cronCharactersMax: 256,

  keyCacheMs: 30_000,
  keyCacheEntriesMax: 10_000,
  usersPerTeamMax: 1_000,
  /** That have not ended; twice as many with those that were rotated and work a while longer. */
  keysPerUserMax: 50,
  keyOverlapSecondsMax: 7 * 86_400,
  /** Of a key that has ended. */
  keyKeptMs: 30 * 86_400_000,
  keysForgottenPerSweepMax: 500,
  integrationsPerTeamMax: 1_000,

  /** Of what an audit event keeps of a thing before a change, and of it after. */
  auditFactsBytesMax: 4_096,
  auditKeptMs: 400 * 86_400_000,
  /** Of what a run's key did: as long as the run is kept. */
  auditOfRunsKeptMs: 30 * 86_400_000,
  auditForgottenPerSweepMax: 1_000,
  /** Access changes whose outbound events a tick writes. */
  auditAnnouncedPerSweepMax: 500,
  auditAnnouncedPerTeamMax: 25,
  auditAnnouncedTeamsMax: 2_000,

  /** Where a caller's roles and attributes are kept; other isolates learn of a change this much later. */
  accessCacheMs: 30_000,
  accessCacheEntriesMax: 10_000,
  /** Guesses which lake a team's statements are for, in an isolate. */
  lakesSupposedMax: 10_000,
  /** It never changes; what should change it after all is followed after this. */
  ownLakeCacheMs: 30_000,
  accessRolesPerTeamMax: 1_000,
  /** Of all roles of a team, as kept: whoever has them all has them read in one piece. */
  accessGrantBytesPerTeamMax: 24 * 1024 * 1024,
  accessGrantsPerRoleMax: 1_000,
  /** Of a role's grants, as kept; a row takes two megabytes. */
  accessGrantBytesPerRoleMax: 1024 * 1024,
  accessDescriptionCharactersMax: 2_000,
  /** What is told of one user's grants, and of what they see of a lake. */
  accessGrantsShownMax: 20_000,
  accessColumnsShownMax: 50_000,
  accessFiltersMax: 100,
  accessFilterValuesMax: 1_000,
  accessColumnsMax: 2_000,
  accessNameCharactersMax: 255,
  accessValueCharactersMax: 4_096,
  accessAttributesMax: 100,
  accessAttributeValuesMax: 1_000,
  accessAttributeBytesMax: 64 * 1024,
  /** Of attributes' values, in all the filters of one user's roles in an integration. */
  accessFilledCharactersMax: 4 * 1024 * 1024,

  connectionTestMs: 15_000,
  healthMs: 3_000,
  healthCacheMs: 30_000,

  /** For one answer of a lake's catalog about a statement that failed. */
  settleWriteMs: 10_000,
  /** For what the catalog says of a statement that was refused, and may have been written before. */
  settleRefusedMs: 2_000,
  queryDeadlineMsDefault: 110_000,
  queryDeadlineMsMax: QUERY_DEADLINE_MS_MAX,
  queryLeaseMs: 15_000,
  queryRowsMax: 100_000,
  queryBytesMax: 64 * 1024 * 1024,

  engineStartMs: 30_000,
  signedUrlSeconds: 3_600,

  lakeColumnsPerTableMax: 2_000,
  lakeColumnDepthMax: 16,
  /** Characters of one bound in a column's statistics; writers truncate long text well below. */
  lakeBoundCharactersMax: 4_096,
  lakePlannedFilesMax: 100_000,
  /** Iceberg's metadata names the newest snapshots of a table, so many at most. */
  icebergSnapshotsMax: 100,
  /** What one load of a table does at most beyond its newest snapshot: manifests written, ten in half a second, … */
  icebergManifestsPerLoadMax: 100,
  /** … and files looked at by the catalog, whose commits wait meanwhile: a hundred thousand in a tenth of a second. */
  icebergFilesPerLoadMax: 1_000_000,
  /** Columns of all schemas that a table's metadata names: older snapshots are left out where there would be more. */
  icebergColumnsMax: 10_000,
  /** Columns whose statistics a manifest has, as with Iceberg's own writers: five hundred files' go in one message. */
  icebergColumnsWithStatisticsMax: 100,
  icebergCredentialSeconds: 3_600,
  /** One note of a writer's, kept with its commit. */
  lakeStateBytesMax: 1024 * 1024,
  lakeProgressBytesMax: 1024 * 1024,
  lakeSnapshotsExpiredMax: 10_000,
  /**
   * No snapshot expires that was the newest less long ago: the longest statement, which may read it still, and the time
   * between its grant and its start.
   */
  lakeSnapshotKeptMsMin: QUERY_DEADLINE_MS_MAX + 900_000,
  /** A lease that ran out longer ago keeps no snapshot: whoever held it has no token any more. */
  lakeLeaseSparesMs: SYNC_RUN_MS_MAX,
  /** That a statement was ended is kept for longer than any statement's token is good. */
  statementEndKeptMs: QUERY_DEADLINE_MS_MAX + 900_000,
  /** A repeated commit is recognised for this long. */
  lakeCommitKeptMs: 30 * 86_400_000,
  /** What readers may see is forgotten by a lake's catalog when nobody has read by it for so long. */
  lakeAccessKeptMs: 86_400_000,
  internalBodyBytesMax: 24 * 1024 * 1024,
  jobLeaseMs: 60_000,
  sampleLoadMs: 1_800_000,
  lakeRemovalsPerSweepMax: 50,
  lakeRemovalRetryMs: 300_000,
  lakeRemovalStepsMax: 10,

  /**
   * What nothing names any more is left alone for so long: longer than any run may go on and any URL that was signed
   * for it is good, and than any statement reads.
   */
  lakeGraceMs: 48 * 3_600_000,
  lakeCollectionEveryMs: 86_400_000,
  lakeCollectionRetryMs: 600_000,
  lakeCollectionsPerSweepMax: 50,
  lakeCollectionStepsMax: 10,
  /** Tables that a lake's health shows, and those that a summary of it keeps; the worst first. */
  lakeHealthTablesMax: 1_000,
  lakeSummaryTablesMax: 50,
  /** Lakes without a summary whose catalogs one request asks. */
  lakesMeasuredLiveMax: 10,
  /** Lakes of a team that one request maintains, and those of them that begin before it is answered. */
  teamLakesMaintainedMax: 100,
  teamLakesStartedMax: 10,
  /** Of a thousand objects each: what one request lists of a lake's bucket. */
  lakeStoragePagesMax: 10,

  catalogTablesMax: 10_000,
  catalogSnapshotsMax: 200,
  /** Of a column's live read; the caller waits for it. */
  profileMs: 30_000,
  /** For what a statement would read: its plan, and what the lake's catalog says of its tables. */
  queryEstimateMs: 20_000,
  exportMs: 300_000,
  dataPathCharactersMax: 1_024,

  introspectMs: 30_000,
  syncsPerTeamMax: 1_000,
  /** A sync that is planned for longer than this was given up in the middle. */
  syncPlannedMsMax: 300_000,
  /** Between two times that a sync is due by a cron expression. */
  syncCronMsMin: 300_000,
  syncPatternsMax: 1_000,
  syncTablesMax: 10_000,
  /** A cron tick starts at most so many runs, so many of one team, so many in one statement. */
  syncRunsPerTickMax: 1_000,
  syncRunsPerTickOfTeamMax: 100,
  syncRunsPerClaimMax: 100,
  /** Runs of one sync that wait for their turn. */
  syncRunsWaitingMax: 10,
  /** What the history shows of one run: what it left as it was, and why. */
  syncRunWarningsMax: 20,
  syncRunWarningCharactersMax: 500,
  syncAttemptsMax: 5,
  syncRetryMsMax: 1_800_000,
  syncRunMsMax: SYNC_RUN_MS_MAX,
  syncRemovalsPerSweepMax: 50,

  /** A step of a run keeps the run claimed for at most this long; longer than any step takes. */
  workStepMs: 300_000,
  /** A claim holds for this long after its step last renewed it, so that a step that died is followed soon. */
  workClaimMs: 15_000,
  workClaimRenewMs: 5_000,
  workPollMsMin: 2_000,
  workPollMsMax: 15_000,
  /**
   * Between two looks at any runs of one team and kind of work, on average: the more of them go on, the rarer each is
   * looked at, and no rarer than the second. What works on a run says when it has ended.
   */
  workTeamLookMs: 250,
  workTeamLookMsMax: 120_000,
  /** Between two tries where there is no capacity, which are no attempts; and after a step that broke. */
  workCapacityRetryMsBase: 5_000,
  workCapacityRetryMsMax: 120_000,
  /** An attempt is ended when so many of its steps in a row broke; past twice as many without asking its job to end. */
  workBreaksMax: 10,
  /** A run that nobody has looked at for this long after it was due is woken up again. */
  workWakeUpLostMs: WORK_WAKE_UP_LOST_MS,
  /**
   * An attempt that nobody has looked at for this long after it was due was alone while the platform was away. Where a
   * message is lost, the sweep makes up for it by a tick after `workWakeUpLostMs`; three in a row are no chance.
   */
  workLeftAloneMs: 3 * (WORK_WAKE_UP_LOST_MS + SWEEP_MS),
  workWakeUpsPerSweepMax: 1_000,
  /** Runs of one team and kind of work that start at a time; its others wait without a message. */
  workStartsPerTeamMax: 10,
  workKeptMs: 90 * 86_400_000,
  workForgottenPerSweepMax: 500,

  /** The clock ticks each minute; past this the platform was away. */
  platformAwayMs: 180_000,

  /** From when recurring work was due until it counts as stale: as long as until it is due again, within these. */
  staleSlackMsMin: 1_800_000,
  staleSlackMsMax: 43_200_000,

  automationJobsPerTeamMax: 1_000,
  automationPageMax: 100,
  automationAttemptsMax: 10,
  /** A doc's code may do things that count, so only who asks for it has it run twice; a maintenance may be repeated. */
  automationAttemptsDefault: { doc: 1, lake_integration_maintenance: 3, delivery: 3 } satisfies OfResources,
  automationBackoffSecondsDefault: 60,
  automationBackoffSecondsMax: 86_400,
  automationRetryMsMax: 6 * 3_600_000,
  /** Of a run with all its attempts. */
  automationTimeoutSecondsMin: 10,
  automationTimeoutSecondsMax: 86_400,
  automationTimeoutSecondsDefault: {
    doc: 21_600,
    lake_integration_maintenance: 86_400,
    delivery: 86_400,
  } satisfies OfResources,
  /** A cron tick starts at most so many runs, so many of one team, so many in one statement. */
  automationRunsPerTickMax: 10_000,
  automationRunsPerTickOfTeamMax: 250,
  automationRunsPerClaimMax: 250,
  /** Runs of one job that wait for their turn. */
  automationRunsWaitingMax: 10,
  /** A request that starts a run waits so long for its first step, which goes on without it. */
  automationFirstStepMs: 5_000,
  /** Of one connection that follows a run's log: what its caller may see is looked up when it comes again. */
  logFollowMs: 30_000,
  logFollowPollMs: 1_000,
  logFollowHeartbeatMs: 15_000,

  /** A URL that the platform sends something to. */
  webhookUrlCharactersMax: 2_048,

  drivePathCharactersMax: 1_024,
  /** What R2 takes as an object's key. */
  objectKeyBytesMax: 1_024,
  driveTtlDaysMax: 30,
  driveTtlDaysDefault: 7,
  drivePageFilesMax: 1_000,
  /** Paths too long to be keys are looked up one by one. */
  driveLongPathsPerPageMax: 100,
  drivePartsMax: 10_000,
  drivePartsPerSigningMax: 1_000,
  /** Except the last part of an upload. */
  drivePartBytesMin: 5 * 1024 * 1024,
  /** Of one part, and of a file sent by one PUT; R2's own bound. */
  drivePutBytesMax: 5 * 1024 * 1024 * 1024 - 5 * 1024 * 1024,
  /** R2 gives unfinished uploads up after as long. */
  driveUploadMs: 7 * 86_400_000,
  /** Longer than a signed URL can be used. */
  driveLongPathCheckMs: 2 * 3_600_000,
  /** Of each kind, a tick; a Worker's invocation may send D1 a thousand statements. */
  driveSweepRowsMax: 100,
  /** Drives are looked through for how much they hold: so often while files come and go, and otherwise. */
  driveMeasureEveryMs: 15 * 60_000,
  driveMeasureIdleMs: 86_400_000,
  /** One whose look was broken off is due again. */
  driveMeasureRetryMs: 10 * 60_000,
  driveMeasuresPerSweepMax: 20,
  driveMeasurePagesMax: 5,

  kvBytesMax: 1024 * 1024,
  kvStoresPerTeamMax: 1_000,
  kvBytesPerTeamMax: 64 * 1024 * 1024,
  secretBytesMax: 64 * 1024,
  secretsPerTeamMax: 500,

  logKeptMs: 30 * 86_400_000,
  /** Of one team, message bytes. */
  logBytesMax: 512 * 1024 * 1024,
  /** Of one run: beyond it a job only fills the log. */
  logStreamBytesMax: 8 * 1024 * 1024,
  logLineCharactersMax: 4_096,
  logLinesPerPageMax: 1_000,
} as const;
