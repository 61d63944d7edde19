// Limits are reached with so many ordinary teams: Cloudflare's, and the platform's own bounds.

import { EVENT_LIMITS } from "../../src/core/events/limits.ts";
import { DRIVE_LIMITS } from "../../src/features/drive/limits.ts";
import { WORK_LIMITS } from "../../src/features/work-model/limits.ts";
import { AUDIT_LIMITS } from "../../src/features/audit/limits.ts";
import { SYNC_LIMITS } from "../../src/features/syncs/limits.ts";
import { LAKE_LIMITS } from "../../src/features/lakes/limits.ts";
import { INSTANCE_TYPES, LIMITS } from "./cloudflare.ts";
import { METER, STATEMENT } from "./counts.ts";
import { CONTAINERS, MONTH, RUNS_PER_DAY, TEAM } from "./team.ts";
import {
  ALERT_TEAMS_PER_TICK,
  AWAKE_HOURS,
  d1BytesOfTeam,
  DOC_RUN_HAPPENINGS,
  isolatesOf,
  newKeysOf,
  statementsOf,
  STATEMENTS_PER_SECOND,
  sumOfParts,
  SYNC_RUN_HAPPENINGS,
  tickOf,
  type Happening,
} from "./use.ts";

/**
 * `teams`: with so many the limit is reached. `then` is what happens past it, `answer` what is to be done. `kind`: a
 * setting of `wrangler.toml`, a limit of Cloudflare's, or a bound in the platform's code.
 */
export type Reached = {
  limit: string;
  kind: "setting" | "Cloudflare" | "bound";
  teams: number;
  then: string;
  answer: string;
};

const GB = 1e9;
const teamsOfD1 = (gb: number): number => (gb * GB) / sumOfParts(d1BytesOfTeam());
const HOUR = 3_600;
const TICKS_PER_DAY = 1_440;

/** Containers of each class that are awake for each team, at the busiest hour of a workday. */
const AWAKE_AT_PEAK = {
  engine: 1,
  /** Runs of docs are spread over the day. */
  sandbox: AWAKE_HOURS.sandbox / (MONTH.seconds / HOUR),
} as const;

const containersPerTeam = AWAKE_AT_PEAK.engine + AWAKE_AT_PEAK.sandbox;

/** Statements of D1 a second, at the busiest, of so many teams. */
export function d1PerSecond(teams: number): number {
  const perSecond = STATEMENTS_PER_SECOND.peak;
  const lookUps = STATEMENT.newKey.statements * perSecond * newKeysOf(perSecond, TEAM.keys, isolatesOf(teams));
  const meter = METER.sameMinute.statements / (EVENT_LIMITS.meterPassOnMs / 1_000);
  // Syncs are spread over their hour, and docs' runs over the working day.
  const syncs = (statementsOf(SYNC_RUN_HAPPENINGS) * (TEAM.hourlySyncs + TEAM.dailySyncs / 24)) / HOUR;
  const docs = (statementsOf(DOC_RUN_HAPPENINGS) * RUNS_PER_DAY.doc) / TEAM.workSeconds;
  return teams * (lookUps + meter + syncs + docs) + statementsOf(tickOf(teams)) / 60;
}

/** The least number of teams for which `reaches` holds. */
function leastTeams(reaches: (teams: number) => boolean): number {
  let [below, above] = [1, 1];
  while (!reaches(above)) [below, above] = [above, above * 2];
  while (above - below > Math.max(1, below / 1_000)) {
    const middle = Math.floor((below + above) / 2);
    if (reaches(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** The number of teams whose work of a day is what the ticks of a day take at most. */
const teamsOfTicks = (perTickMax: number, perTeamDay: number): number => (perTickMax * TICKS_PER_DAY) / perTeamDay;

/** Each of a minute, and a tenth of one of ten. */
const eventRowsPerDay =
  ((MONTH.workdays / MONTH.days) * 2 * (TEAM.workSeconds / 60) + RUNS_PER_DAY.sync + 2 * RUNS_PER_DAY.doc) * 1.1;

/** A failure is told of in so many minutes, where alerts look through the syncs and jobs of every team in turn. */
const ALERT_MINUTES = 15;

const LESS_OFTEN = "Shards, each with its own ticks; before that a higher bound.";
const NO_ENGINE = "Statements of one team more are 503 until another engine sleeps.";

const ALL: readonly Reached[] = [
  {
    limit: "`max_instances` of the engines",
    kind: "setting",
    teams: CONTAINERS.instancesMax / AWAKE_AT_PEAK.engine,
    then: NO_ENGINE,
    answer: "Raise it in `wrangler.toml`.",
  },
  {
    limit: "memory of the account's containers",
    kind: "Cloudflare",
    teams: LIMITS.containersGib.value / (containersPerTeam * INSTANCE_TYPES[CONTAINERS.instanceType].gib),
    then: NO_ENGINE,
    answer: "A smaller `instance_type`; more from Cloudflare.",
  },
  {
    limit: "size of the D1 database",
    kind: "Cloudflare",
    teams: teamsOfD1(LIMITS.d1Gb.value),
    then: "Nothing is recorded any more: no run begins, nobody signs in.",
    answer: "Shards; before that shorter times for which rows are kept.",
  },
  {
    limit: "size of the account's D1 databases",
    kind: "Cloudflare",
    teams: teamsOfD1(LIMITS.d1AccountGb.value),
    then: "Nothing is recorded any more, in any shard.",
    answer: "More from Cloudflare; before that shorter times for which rows are kept.",
  },
  {
    limit: "statements a second of the D1 database",
    kind: "Cloudflare",
    teams: leastTeams((teams) => d1PerSecond(teams) > LIMITS.d1PerSecond.value),
    then: "Look-ups and steps wait, fail as overloaded, and come again.",
    answer: "Shards; before that a longer memory of keys.",
  },
  {
    limit: `teams that alerts look through in ${ALERT_MINUTES} minutes`,
    kind: "bound",
    teams: ALERT_TEAMS_PER_TICK * ALERT_MINUTES,
    then: "Alerts come later than that.",
    answer: LESS_OFTEN,
  },
  {
    limit: "drives that ticks measure",
    kind: "bound",
    teams: teamsOfTicks(DRIVE_LIMITS.measuresPerSweepMax, TEAM.driveMeasuresPerDay),
    then: "What a drive holds is told later.",
    answer: LESS_OFTEN,
  },
  {
    limit: "runs of syncs that ticks forget",
    kind: "bound",
    teams: teamsOfTicks(WORK_LIMITS.forgottenPerSweepMax, RUNS_PER_DAY.sync),
    then: "The database grows.",
    answer: LESS_OFTEN,
  },
  {
    limit: "rollups of events that ticks forget",
    kind: "bound",
    teams: teamsOfTicks(EVENT_LIMITS.statisticsSweptMax, eventRowsPerDay),
    then: "The database grows.",
    answer: LESS_OFTEN,
  },
  {
    limit: "audit events that ticks forget",
    kind: "bound",
    teams: teamsOfTicks(AUDIT_LIMITS.forgottenPerSweepMax, (TEAM.auditEventsPerWorkday * MONTH.workdays) / MONTH.days),
    then: "The database grows.",
    answer: LESS_OFTEN,
  },
  {
    limit: "hourly syncs that ticks start",
    kind: "bound",
    teams: (SYNC_LIMITS.runsPerTickMax * 60) / TEAM.hourlySyncs,
    then: "Syncs come later than planned.",
    answer: LESS_OFTEN,
  },
  {
    limit: "lakes whose daily round ticks begin",
    kind: "bound",
    teams: (LAKE_LIMITS.collectionsPerSweepMax * TICKS_PER_DAY) / TEAM.lakes,
    then: "Files that nothing reads stay longer.",
    answer: LESS_OFTEN,
  },
  {
    limit: "messages a second of the queue of runs",
    kind: "Cloudflare",
    teams:
      LIMITS.queuePerSecond.value /
      ((messagesOf(SYNC_RUN_HAPPENINGS) * (TEAM.hourlySyncs + TEAM.dailySyncs / 24)) / HOUR +
        (messagesOf(DOC_RUN_HAPPENINGS) * RUNS_PER_DAY.doc) / TEAM.workSeconds),
    then: "Messages are refused, and sweeps make up for them.",
    answer: "A queue for each shard.",
  },
];

/** The first to be reached first. */
export const REACHED = ALL.toSorted((left, right) => left.teams - right.teams);

function messagesOf(happenings: readonly Happening[]): number {
  return happenings.reduce((sum, [{ messages }, often]) => sum + messages * often, 0);
}
