// An installation's use in a month follows from what its teams do, and from what the platform does for each of these
// things.

import { HEARTBEAT_MS as JOB_HEARTBEAT_MS } from "../../containers/engine/jobs/heartbeat.ts";
import { HEARTBEAT_MS as RUN_HEARTBEAT_MS } from "../../kernel/wire/sandbox.ts";
import { EVENT_LIMITS } from "../../src/core/events/limits.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { WORK_LIMITS } from "../../src/features/work-model/limits.ts";
import { DOC_LIMITS } from "../../src/features/docs/limits.ts";
import { AUDIT_LIMITS } from "../../src/features/audit/limits.ts";
import { LOG_LIMITS } from "../../src/platform/logs/limits.ts";
import { ALERT_LIMITS } from "../../src/features/alerts/limits.ts";
import { pollMs } from "../../src/features/work-model/next-state.ts";
import { INSTANCE_TYPES, OBJECT_GB, OPERATIONS_PER_MESSAGE, PRICES, type Billed } from "./cloudflare.ts";
import {
  ALERT_PAGE,
  CATALOG,
  COLLECTION,
  DOC_RUN,
  DRIVE_MEASURE,
  ENGINE_REQUESTS,
  LAKE_REQUEST,
  METER,
  ROW_BYTES,
  STATEMENT,
  SYNC_RUN,
  TICK,
  type Count,
} from "./counts.ts";
import { CALL_SECONDS, CONTAINERS, MONTH, REQUESTS_PER_ISOLATE, RUNS_PER_DAY, TEAM } from "./team.ts";

export type Amounts = Record<Billed, number>;

/** What happens, and how often. */
export type Happening = readonly [count: Count, times: number];

const GB = 1e9;
const [HOUR, DAY] = [3_600, 86_400];
const SECOND_MS = 1_000;

export const nothing = (): Amounts => Object.fromEntries(Object.keys(PRICES).map((billed) => [billed, 0])) as Amounts;

export const plus = (...all: readonly Amounts[]): Amounts =>
  all.reduce((sum, amounts) => {
    for (const billed of Object.keys(sum) as Billed[]) sum[billed] += amounts[billed];
    return sum;
  }, nothing());

export const times = (amounts: Amounts, by: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([billed, amount]) => [billed, amount * by])) as Amounts;

const sumOf = (calls: Count["calls"]): number => Object.values(calls).reduce((sum, number) => sum + number, 0);

function amountsOf(happenings: readonly Happening[]): Amounts {
  const amounts = nothing();
  for (const [count, often] of happenings) {
    amounts.d1RowsRead += count.rowsRead * often;
    amounts.d1RowsWritten += count.rowsWritten * often;
    amounts.objectRequests += sumOf(count.calls) * often;
    amounts.objectGbSeconds += sumOf(count.calls) * CALL_SECONDS * OBJECT_GB * often;
    amounts.queueOperations += count.messages * OPERATIONS_PER_MESSAGE * often;
    amounts.classA += (count.bucket["list"] ?? 0) * often;
  }
  return amounts;
}

/** Statements of D1 that these things send. */
export const statementsOf = (happenings: readonly Happening[]): number =>
  happenings.reduce((sum, [{ statements }, often]) => sum + statements * often, 0);

/** Statements a second of a team: on average in its working hours, and at its busiest. */
export const STATEMENTS_PER_SECOND = {
  average: TEAM.statementsPerWorkday / TEAM.workSeconds,
  peak: (TEAM.statementsPerWorkday / TEAM.workSeconds) * TEAM.peakFactor,
} as const;

export const isolatesOf = (teams: number): number =>
  Math.max(2, Math.ceil((teams * STATEMENTS_PER_SECOND.peak) / REQUESTS_PER_ISOLATE));

/**
 * The share of requests that find nothing kept for them, where something is kept for `keptSeconds` from the request
 * that found nothing, and requests come at random at `perSecond`.
 */
export const missed = (perSecond: number, keptSeconds: number): number => 1 / (1 + perSecond * keptSeconds);

const KEY_SECONDS = LIMITS.keyCacheMs / SECOND_MS;

/** The share of a team's statements whose key the isolate has to look up. */
export const newKeysOf = (perSecond: number, keys: number, isolates: number): number =>
  missed(perSecond / keys / isolates, KEY_SECONDS);

/** Reports to a team's meter for each of its statements. */
export const reportsOf = (perSecond: number, isolates: number): number =>
  missed(perSecond / isolates, EVENT_LIMITS.meterReportEveryMs / SECOND_MS);

/** Looks of steps at a run that goes on for so long. */
function looksAt(runSeconds: number): number {
  let looks = 0;
  for (let age = 0; age < runSeconds * SECOND_MS; age += pollMs(age)) looks++;
  return looks;
}

/** What happens in one run of a sync; the last look is its end. */
export const SYNC_RUN_HAPPENINGS: readonly Happening[] = [
  [SYNC_RUN.due, 1],
  [SYNC_RUN.begin, 1],
  [SYNC_RUN.look, looksAt(TEAM.syncSeconds) - 1],
  [SYNC_RUN.finish, 1],
  [SYNC_RUN.end, 1],
  [SYNC_RUN.request, ENGINE_REQUESTS.syncRun],
  [SYNC_RUN.request, ENGINE_REQUESTS.syncTableChanged * TEAM.tablesChanged],
  [SYNC_RUN.request, ENGINE_REQUESTS.syncTableSame * (TEAM.tables - TEAM.tablesChanged)],
  [SYNC_RUN.request, (TEAM.syncSeconds * SECOND_MS) / JOB_HEARTBEAT_MS],
  [SYNC_RUN.log, TEAM.logRequestsPerRun],
];

export const DOC_RUN_HAPPENINGS: readonly Happening[] = [
  [DOC_RUN.due, 1],
  [DOC_RUN.begin, 1],
  [DOC_RUN.firstHeartbeat, 1],
  [DOC_RUN.heartbeat, (TEAM.docRunSeconds * SECOND_MS) / RUN_HEARTBEAT_MS],
  [DOC_RUN.log, TEAM.logRequestsPerRun],
  [DOC_RUN.result, TEAM.datasets],
  [DOC_RUN.report, TEAM.datasets],
  [DOC_RUN.look, looksAt(TEAM.docRunSeconds) - 1],
  [DOC_RUN.finish, 1],
  [DOC_RUN.end, 1],
];

const requestsIn = (happenings: readonly Happening[], requests: readonly Count[]): number =>
  happenings.reduce((sum, [count, often]) => sum + (requests.includes(count) ? often : 0), 0);

/** A second of statements by some teams that ask at the same rate, without their engines. */
export function statementsUse(perSecond: number, { teams, isolates }: { teams: number; isolates: number }): Amounts {
  const ofTeam = perSecond / teams;
  const newKeys = newKeysOf(ofTeam, TEAM.keys, isolates);
  const reports = reportsOf(ofTeam, isolates);
  const cold = TEAM.coldShare * perSecond;
  const amounts = amountsOf([
    [STATEMENT.newKey, perSecond * newKeys],
    [STATEMENT.again, perSecond * (1 - newKeys)],
    [LAKE_REQUEST, cold * ENGINE_REQUESTS.coldStatement],
  ]);
  amounts.objectRequests += reports * perSecond;
  amounts.objectGbSeconds += reports * perSecond * CALL_SECONDS * OBJECT_GB;
  amounts.requests += perSecond + cold * ENGINE_REQUESTS.coldStatement;
  amounts.cpuMs += amounts.requests * TEAM.requestCpuMs;
  amounts.classB += cold * TEAM.filesPerColdStatement * ENGINE_REQUESTS.getsPerFile;
  return amounts;
}

/** Half minutes of a month in which a team's meter has something to pass on. */
const PASSES_PER_MONTH =
  ((MONTH.workdays * TEAM.workSeconds * SECOND_MS) / EVENT_LIMITS.meterPassOnMs) *
  (1 - Math.exp((-STATEMENTS_PER_SECOND.average * EVENT_LIMITS.meterPassOnMs) / SECOND_MS));

const METER_HAPPENINGS: readonly Happening[] = [
  [METER.newMinute, PASSES_PER_MONTH / 2],
  [METER.sameMinute, PASSES_PER_MONTH / 2],
];

/** Hours of a month in which a team's engine and its sandbox are awake: each goes to sleep a while after its work. */
export const AWAKE_HOURS = {
  engine: engineHours(),
  sandbox: (MONTH.days * RUNS_PER_DAY.doc * (TEAM.docRunSeconds + CONTAINERS.idleSeconds)) / HOUR,
} as const;

function engineHours(): number {
  const run = (TEAM.syncSeconds + CONTAINERS.idleSeconds) / HOUR;
  const atWork = TEAM.workSeconds / HOUR + CONTAINERS.idleSeconds / HOUR;
  const besides = (hours: number): number => hours * Math.min(1, TEAM.hourlySyncs * run) + TEAM.dailySyncs * run;
  const workday = atWork + besides(24 - atWork);
  return MONTH.workdays * workday + (MONTH.days - MONTH.workdays) * besides(24);
}

/** A month of containers that are awake for so long, and use so much CPU. */
export function containersUse(hours: number, cpuSeconds: number): Amounts {
  const { gib, diskGb } = INSTANCE_TYPES[CONTAINERS.instanceType];
  const seconds = hours * HOUR;
  return {
    ...nothing(),
    containerGibSeconds: seconds * gib,
    containerDiskGbSeconds: seconds * diskGb,
    containerCpuSeconds: cpuSeconds,
    // A container's object stays in memory beside it.
    objectGbSeconds: seconds * OBJECT_GB,
  };
}

/** Bytes of a team's rows in D1, once rows are forgotten as fast as they come. */
export function d1BytesOfTeam(): Record<"runs" | "statistics" | "audit" | "definitions", number> {
  const days = (ms: number): number => ms / SECOND_MS / DAY;
  const activeMinutes = TEAM.workSeconds / 60;
  return {
    runs:
      days(WORK_LIMITS.keptMs) * (RUNS_PER_DAY.sync * ROW_BYTES.syncRun + RUNS_PER_DAY.doc * ROW_BYTES.automationRun) +
      days(DOC_LIMITS.runKeptMs) * RUNS_PER_DAY.doc * (ROW_BYTES.docRun + TEAM.datasets * ROW_BYTES.execution),
    statistics:
      days(EVENT_LIMITS.statisticsKeptMs) *
      (MONTH.workdays / MONTH.days) *
      (2 * activeMinutes + RUNS_PER_DAY.sync + 2 * RUNS_PER_DAY.doc) *
      ROW_BYTES.eventMinute,
    audit:
      days(AUDIT_LIMITS.keptMs) * (MONTH.workdays / MONTH.days) * TEAM.auditEventsPerWorkday * ROW_BYTES.auditEvent,
    definitions: TEAM.definitionsBytes,
  };
}

export const sumOfParts = (parts: Record<string, number>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

export const catalogBytes = (files: number, columns: number): number =>
  files * (CATALOG.bytes.file + CATALOG.bytes.fileColumn * columns);

/** Rows that commits of new files read or write. */
export const catalogRows = (
  kind: "read" | "written",
  { commits, files, columns }: { commits: number; files: number; columns: number },
): number => {
  const { commit, column, file, fileColumn } = CATALOG[kind];
  return commits * (commit + column * columns) + files * (file + fileColumn * columns);
};

/** A month of one team, in an installation of so many. */
export function teamUse(teams: number): Amounts {
  const isolates = isolatesOf(teams);
  const workSeconds = MONTH.workdays * TEAM.workSeconds;
  const statements = times(statementsUse(STATEMENTS_PER_SECOND.average, { teams: 1, isolates }), workSeconds);
  const [syncRuns, docRuns] = [MONTH.days * RUNS_PER_DAY.sync, MONTH.days * RUNS_PER_DAY.doc];
  const runs = plus(times(amountsOf(SYNC_RUN_HAPPENINGS), syncRuns), times(amountsOf(DOC_RUN_HAPPENINGS), docRuns));
  runs.requests +=
    syncRuns * requestsIn(SYNC_RUN_HAPPENINGS, [SYNC_RUN.request, SYNC_RUN.log]) +
    docRuns *
      requestsIn(DOC_RUN_HAPPENINGS, [
        DOC_RUN.firstHeartbeat,
        DOC_RUN.heartbeat,
        DOC_RUN.log,
        DOC_RUN.result,
        DOC_RUN.report,
        DOC_RUN.finish,
      ]);
  runs.cpuMs += runs.requests * TEAM.requestCpuMs;
  runs.classA += syncRuns * TEAM.tablesChanged * ENGINE_REQUESTS.putsPerTable + docRuns * TEAM.datasets;
  runs.classB += syncRuns * TEAM.tablesChanged * ENGINE_REQUESTS.getsPerTable;
  const commits = syncRuns * TEAM.tablesChanged;
  const committed = { commits, files: commits, columns: TEAM.lakeColumns };
  runs.objectRowsRead += catalogRows("read", committed);
  runs.objectRowsWritten += catalogRows("written", committed);
  const rounds = amountsOf([
    ...METER_HAPPENINGS,
    [COLLECTION, MONTH.days * TEAM.lakes * Math.ceil(TEAM.lakeFiles / 1_000)],
    [DRIVE_MEASURE, MONTH.days * TEAM.driveMeasuresPerDay * Math.ceil(TEAM.driveObjects / 1_000)],
  ]);
  // Each batch is an alarm of its meter.
  rounds.objectRequests += PASSES_PER_MONTH;
  const cpuSeconds =
    MONTH.workdays * TEAM.statementsPerWorkday * TEAM.statementCpuSeconds + syncRuns * TEAM.syncCpuSeconds;
  const logBytes = Math.min(
    LOG_LIMITS.bytesMax,
    (LOG_LIMITS.keptMs / SECOND_MS / DAY) *
      (RUNS_PER_DAY.sync + 2 * RUNS_PER_DAY.doc) *
      TEAM.logLinesPerRun *
      TEAM.logLineBytes,
  );
  const kept: Amounts = {
    ...nothing(),
    d1Gb: sumOfParts(d1BytesOfTeam()) / GB,
    objectGb: (TEAM.lakes * catalogBytes(TEAM.lakeFiles, TEAM.lakeColumns) + logBytes) / GB,
    bucketGb: TEAM.lakes * TEAM.lakeGb + TEAM.driveGb,
  };
  return plus(
    statements,
    runs,
    rounds,
    kept,
    containersUse(AWAKE_HOURS.engine, cpuSeconds),
    containersUse(AWAKE_HOURS.sandbox, docRuns * TEAM.docRunCpuSeconds),
  );
}

/** Teams whose syncs and jobs alerts look through in a tick, at most. */
export const ALERT_TEAMS_PER_TICK = Math.min(
  ALERT_LIMITS.alertTeamsPerSweepMax,
  ALERT_LIMITS.alertSubjectsPerSweepMax / (TEAM.hourlySyncs + TEAM.dailySyncs + RUNS_PER_DAY.doc),
);

/** A minute's tick for so many teams, without what is due. */
export const tickOf = (teams: number): readonly Happening[] => [
  [TICK.idle, 1],
  [ALERT_PAGE, Math.min(teams, ALERT_TEAMS_PER_TICK) / ALERT_LIMITS.alertTeamsPerPageMax],
];

/** A month of so many teams, and of the clock that ticks for all of them. */
export const monthOf = (teams: number): Amounts =>
  plus(times(teamUse(teams), teams), times(amountsOf(tickOf(teams)), MONTH.seconds / 60));
