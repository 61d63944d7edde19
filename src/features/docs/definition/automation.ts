// The schedules that a doc says of itself: each entry makes a job. Pure.

import { z } from "@hono/zod-openapi";
import { SCHEDULE_LIMITS } from "../../../core/schedule/limits.ts";
import { LIMITS } from "../../../core/limits.ts";
import { DOC_LIMITS } from "../limits.ts";

const Cron = z.string().min(1).max(SCHEDULE_LIMITS.cronCharactersMax);
const Timezone = z.string().min(1).max(100);

/** Where results would go. Its members are its type's own. */
const Destination = z.looseObject({ type: z.string().min(1).max(100) });

/** The time stands in one of three places: beside the rest, in `schedule`, or in `trigger`. */
export const DocAutomation = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/, "An id has letters, digits, _, - and ., at most 100.")
    .optional(),
  name: z.string().trim().min(1).max(LIMITS.nameCharactersMax).optional(),
  enabled: z.boolean().optional(),
  cron: Cron.optional(),
  timezone: Timezone.optional(),
  schedule: z.strictObject({ cron: Cron, timezone: Timezone.optional() }).optional(),
  trigger: z.strictObject({ type: z.enum(["cron", "schedule"]), cron: Cron, timezone: Timezone.optional() }).optional(),
  datasetKeys: z.array(z.string().min(1)).min(1).max(DOC_LIMITS.datasetsMax).optional(),
  data: z.unknown().optional(),
  environmentVariables: z.record(z.string(), z.string()).optional(),
  retry: z
    .strictObject({
      attempts: z.number().int().min(1).max(DOC_LIMITS.automationAttemptsMax).optional(),
      backoffSeconds: z.number().int().min(1).max(DOC_LIMITS.automationBackoffSecondsMax).optional(),
    })
    .optional(),
  timeoutSeconds: z
    .number()
    .int()
    .min(DOC_LIMITS.automationTimeoutSecondsMin)
    .max(DOC_LIMITS.automationTimeoutSecondsMax)
    .optional(),
  overlap: z.enum(["skip", "queue"]).optional(),
  destinations: z.array(Destination).max(DOC_LIMITS.destinationsMax).optional(),
});
export type DocAutomation = z.infer<typeof DocAutomation>;

export const DocAutomations = z.array(DocAutomation).max(DOC_LIMITS.automationsMax);

/** The name of an entry for as long as the doc has it: its id, its name, or its place. */
export const automationKey = ({ id, name }: DocAutomation, index: number): string => id ?? name ?? `#${index + 1}`;

/** Where a schedule stands in an entry, and what it says; undefined for one that runs when asked alone. */
export function scheduleIn({
  cron,
  timezone = "UTC",
  schedule,
  trigger,
}: DocAutomation): { at: string; cron: string; timezone: string } | undefined {
  if (cron !== undefined) return { at: "", cron, timezone };
  const [at, found] = schedule ? ["/schedule", schedule] : ["/trigger", trigger];
  return found && { at: at as string, cron: found.cron, timezone: found.timezone ?? timezone };
}
