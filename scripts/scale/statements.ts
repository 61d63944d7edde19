// So many statements a second, spread evenly over some teams, take this of the platform.

import { ENGINE_COUNTS } from "../../kernel/wire/engine-program.ts";
import { INSTANCE_TYPES, LIMITS, PRICES, type Billed } from "./cloudflare.ts";
import { STATEMENT } from "./counts.ts";
import { costOf } from "./bill.ts";
import { CONTAINERS, REQUESTS_PER_ISOLATE, TEAM } from "./team.ts";
import { containersUse, newKeysOf, plus, reportsOf, statementsUse, times, type Amounts } from "./use.ts";

const HOUR = 3_600;

export type Load = { perSecond: number; teams: number };

export function loadOf({ perSecond, teams }: Load) {
  const isolates = Math.ceil(perSecond / REQUESTS_PER_ISOLATE);
  const ofTeam = perSecond / teams;
  const newKeys = newKeysOf(ofTeam, TEAM.keys, isolates);
  const cpus = perSecond * TEAM.statementCpuSeconds;
  const hour = plus(times(statementsUse(perSecond, { teams, isolates }), HOUR), containersUse(teams, cpus * HOUR));
  return {
    isolates,
    d1PerSecond: perSecond * newKeys * STATEMENT.newKey.statements,
    /** One team's objects are called so often. */
    catalogPerSecond: ofTeam * STATEMENT.again.calls.CATALOG!,
    meterPerSecond: ofTeam * reportsOf(ofTeam, isolates),
    cpus,
    enginesGib: teams * INSTANCE_TYPES[CONTAINERS.instanceType].gib,
    hour,
    hourUsd: hourUsd(hour),
  };
}

/** Without what a month includes, which such an hour uses up. */
const hourUsd = (amounts: Amounts): number =>
  (Object.keys(PRICES) as Billed[]).reduce(
    (sum, billed) => sum + costOf(billed, amounts[billed] + PRICES[billed].included),
    0,
  );

const largestEngineCpu = INSTANCE_TYPES["standard-4"].vcpu / TEAM.statementCpuSeconds;

/** Statements a second of one team at which a limit of one object, or of its engines, is reached. */
export const ONE_TEAM = {
  catalog: LIMITS.objectPerSecond.value / STATEMENT.again.calls.CATALOG!,
  engineObject: LIMITS.objectPerSecond.value / STATEMENT.again.calls.ENGINE!,
  engineCpu: INSTANCE_TYPES[CONTAINERS.instanceType].vcpu / TEAM.statementCpuSeconds,
  largestEngineCpu,
  mostEnginesCpu: Number(ENGINE_COUNTS.at(-1)) * largestEngineCpu,
} as const;
