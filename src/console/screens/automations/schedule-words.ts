// A schedule in words, where it is one that people write often; else its five fields as they are. Pure.

import { Cron } from "croner";

export type Schedule = { cron: string; timezone: string };

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const NUMBER = /^\d{1,2}$/;
const STEP = /^\*\/(\d{1,2})$/;

export function scheduleWords({ cron, timezone }: Schedule): string {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const clock =
    NUMBER.test(minute) && NUMBER.test(hour) ? `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` : undefined;
  const isAnyDay = day === "*" && month === "*";
  const step = STEP.exec(minute)?.[1];
  if (isAnyDay && weekday === "*" && hour === "*" && step) return `every ${step} minutes`;
  if (isAnyDay && weekday === "*" && hour === "*" && NUMBER.test(minute))
    return `every hour, at minute ${Number(minute)}`;
  if (clock && isAnyDay && weekday === "*") return `every day at ${clock}, ${timezone}`;
  if (clock && isAnyDay && weekday === "1-5") return `Monday to Friday at ${clock}, ${timezone}`;
  if (clock && isAnyDay && /^[0-7]$/.test(weekday)) return `every ${DAYS[Number(weekday)]} at ${clock}, ${timezone}`;
  if (clock && NUMBER.test(day) && month === "*" && weekday === "*")
    return `on day ${Number(day)} of each month at ${clock}, ${timezone}`;
  return `${cron}, ${timezone}`;
}

/** The next times; a sentence where the schedule can't be. */
export function nextTimes({ cron, timezone }: Schedule, count: number): Date[] | string {
  try {
    const times = new Cron(cron, { timezone, mode: "5-part", paused: true }).nextRuns(count);
    return times.length > 0 ? times : "It never comes.";
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}
