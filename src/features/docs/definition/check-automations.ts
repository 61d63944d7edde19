// The schedules of a doc's `automations` are checked to be ones that can be kept. Pure.

import { automationKey, scheduleIn, type DocAutomation } from "./automation.ts";
import type { Flaw } from "../../../core/problem.ts";
import { checkEnvironment } from "../../../../kernel/text/environment-names.ts";
import { DOC_LIMITS } from "../limits.ts";
import { parseCron } from "../../../core/schedule/cron.ts";

export function checkAutomations(automations: readonly DocAutomation[], datasets: readonly string[]): Flaw[] {
  const keys = new Map<string, number>();
  return automations.flatMap((automation, i) => {
    const at = `/automations/${i}`;
    const key = automationKey(automation, i);
    const first = keys.get(key);
    keys.set(key, first ?? i);
    const twice =
      first === undefined
        ? []
        : [{ pointer: at, message: `The entry ${first} is called ${key} too; give each an id.` }];
    return [
      ...twice,
      ...checkSchedule(automation, at),
      ...checkDatasets(automation, at, datasets),
      ...checkPayload(automation, at),
    ];
  });
}

const PLACES = ["cron", "schedule", "trigger"] as const;
const NAMES = { cron: "cron expression", timezone: "timezone" };

function checkSchedule(automation: DocAutomation, at: string): Flaw[] {
  const places = PLACES.filter((place) => automation[place] !== undefined);
  if (places.length > 1)
    return [{ pointer: `${at}/${places[1]}`, message: `When it runs is in ${places[0]} already.` }];
  const schedule = scheduleIn(automation);
  if (!schedule) return [];
  const parsed = parseCron(schedule.cron, schedule.timezone);
  if (!("reason" in parsed)) return [];
  return [{ pointer: `${at}${schedule.at}/${parsed.field}`, message: `The ${NAMES[parsed.field]} ${parsed.reason}.` }];
}

const checkDatasets = ({ datasetKeys = [] }: DocAutomation, at: string, datasets: readonly string[]): Flaw[] =>
  datasetKeys.flatMap((key, i) =>
    datasets.includes(key) ? [] : [{ pointer: `${at}/datasetKeys/${i}`, message: `There is no dataset ${key}.` }],
  );

/** What a job hands its runs: of so many bytes as JSON, and variables that a caller may set. */
function checkPayload({ data, environmentVariables }: DocAutomation, at: string): Flaw[] {
  const bytes = new TextEncoder().encode(JSON.stringify({ data, environmentVariables })).byteLength;
  const { automationPayloadBytesMax: max } = DOC_LIMITS;
  const message = `Data and variables have ${bytes} bytes as JSON; ${max} are allowed.`;
  const long = bytes <= max ? [] : [{ pointer: `${at}/data`, message }];
  const named = environmentVariables === undefined ? [] : checkEnvironment(environmentVariables);
  return [...long, ...named.map(({ pointer, message: why }) => ({ pointer: at + pointer, message: `It ${why}.` }))];
}
