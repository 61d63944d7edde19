// The noun: when a lake is maintained. It is the automation job of that lake and kind, by another name. Pure.

import { z } from "@hono/zod-openapi";
import { hashOf } from "../../../../kernel/text/hash.ts";
import { orNull } from "../../../http/answer.ts";
import type { AutomationJob } from "../../automations/jobs/job.ts";
import { LastRun } from "../../automations/runs/wire-schema.ts";
import { MaintenanceKind } from "../maintenance/maintenance.ts";

const instant = z.iso.datetime();

export const NewMaintenanceSchedule = z
  .strictObject({
    cron: z
      .string()
      .optional()
      .openapi({
        description:
          "Five fields. By default once a week (`full`) or a day (`daily`), at a minute that is the lake's own: so " +
          "that not all lakes are maintained at the same time.",
      }),
    timezone: z.string().default("UTC").openapi({ description: "An IANA zone, such as `Europe/Berlin`." }),
    enabled: z.boolean().default(true),
  })
  .openapi("NewMaintenanceSchedule", { example: { cron: "30 3 * * 0", timezone: "Europe/Berlin" } });
export type NewMaintenanceSchedule = z.infer<typeof NewMaintenanceSchedule>;

export const MaintenanceSchedule = z
  .object({
    integrationId: z.uuid().openapi({ description: "The lake." }),
    kind: MaintenanceKind,
    jobId: z.uuid().openapi({ description: "The automation job that it is." }),
    cron: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    nextRunAt: instant.nullable(),
    lastRun: orNull(LastRun),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("MaintenanceSchedule");
export type MaintenanceSchedule = z.infer<typeof MaintenanceSchedule>;

export function scheduleOf(job: AutomationJob): MaintenanceSchedule {
  const { id: jobId, resourceId: integrationId, kind, schedule, enabled, nextRunAt, lastRun } = job;
  if (schedule === null) throw new Error(`The job ${jobId} is shown as a schedule, and has none.`);
  const { cron, timezone } = schedule;
  const { created_at, updated_at } = job;
  return { integrationId, kind: kind!, jobId, cron, timezone, enabled, nextRunAt, lastRun, created_at, updated_at };
}

const MINUTES_PER_DAY = 1_440;

/** Once a day, or a week; when, is spread over the lakes by their ids, and stays the same. */
export function defaultCron(kind: MaintenanceKind, lakeId: string): string {
  const hash = hashOf(`${kind}/${lakeId}`);
  const minuteOfDay = hash % MINUTES_PER_DAY;
  const weekday = Math.floor(hash / MINUTES_PER_DAY) % 7;
  return `${minuteOfDay % 60} ${Math.floor(minuteOfDay / 60)} * * ${kind === "full" ? weekday : "*"}`;
}
