// The ordinary team that the figures are for. All of it is assumed, and can be changed here: what the platform does for
// it is counted, and what Cloudflare asks for it is published.

import type { InstanceType } from "./cloudflare.ts";

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

/** Seconds of a month, and its days. */
export const MONTH = { seconds: (365 / 12) * DAY, days: 365 / 12, workdays: 22 } as const;

export const TEAM = {
  /** People ask in so many seconds of a workday. */
  workSeconds: 8 * HOUR,
  /** People, dashboards and applications together send so many statements. */
  statementsPerWorkday: 2_000,
  /** In its busiest minutes a team asks so many times its average. */
  peakFactor: 3,
  /** Keys that ask on a workday. */
  keys: 5,
  /** An average statement takes so much CPU of its engine, and so much of the Worker. */
  statementCpuSeconds: 0.05,
  requestCpuMs: 2,
  /** The share of statements whose columns are not in the engine's cache, and the files that each of them reads. */
  coldShare: 0.05,
  filesPerColdStatement: 10,

  /** Syncs: one comes every hour, the others once a day. */
  hourlySyncs: 1,
  dailySyncs: 3,
  syncSeconds: 30,
  syncCpuSeconds: 5,
  /** Tables of a sync, and those in which a run finds changes, each of which becomes a commit. */
  tables: 5,
  tablesChanged: 2,

  /** Runs of docs on schedules, each of some datasets. */
  docRunsPerDay: 10,
  datasets: 3,
  docRunSeconds: 20,
  docRunCpuSeconds: 5,

  /** Lines that a run logs, the bytes that each takes, and requests in which they come. */
  logLinesPerRun: 20,
  logLineBytes: 250,
  logRequestsPerRun: 4,
  /** Audit events of people's work, a workday. */
  auditEventsPerWorkday: 30,
  /** Everything that is kept of a team as long as it is there: users, keys, docs, models, queries. */
  definitionsBytes: 500_000,

  lakes: 1,
  lakeGb: 50,
  lakeFiles: 2_000,
  lakeColumns: 10,
  driveGb: 5,
  driveObjects: 1_000,
  /** Times a day that the drive is measured: every quarter of an hour while files come. */
  driveMeasuresPerDay: 4,
} as const;

/** The containers as `wrangler.toml` and `program-object.ts` have them, to which a test holds it. */
export const CONTAINERS = { instanceType: "standard-2" as InstanceType, instancesMax: 20, idleSeconds: 10 * MINUTE };

/** Requests a second that one isolate of the Worker answers before another is started. */
export const REQUESTS_PER_ISOLATE = 100;

/** How long an object is active for a call, where nothing keeps it in memory. */
export const CALL_SECONDS = 0.01;

export const RUNS_PER_DAY = { sync: TEAM.hourlySyncs * 24 + TEAM.dailySyncs, doc: TEAM.docRunsPerDay } as const;
