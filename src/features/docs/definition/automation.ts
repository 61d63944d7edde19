// The schedules that a doc says of itself: each entry makes a job. Pure.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";

const Cron = z.string().min(1).max(LIMITS.cronCharactersMax);
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
  datasetKeys: z.array(z.string().min(1)).min(1).max(LIMITS.docDatasetsMax).optional(),
  data: z.unknown().optional(),
  environmentVariables: z.record(z.string(), z.string()).optional(),
  retry: z
    .strictObject({
      attempts: z.number().int().min(1).max(LIMITS.automationAttemptsMax).optional(),
      backoffSeconds: z.number().int().min(1).max(LIMITS.automationBackoffSecondsMax).optional(),
    })
    .optional(),
  timeoutSeconds: z
    .number()
    .int()
    .min(LIMITS.automationTimeoutSecondsMin)
    .max(LIMITS.automationTimeoutSecondsMax)
    .optional(),
  overlap: z.enum(["skip", "queue"]).optional(),
  destinations: z.array(Destination).max(LIMITS.docDestinationsMax).optional(),
});
export type DocAutomation = z.infer<typeof DocAutomation>;

export const DocAutomations = z.array(DocAutomation).max(LIMITS.docAutomationsMax);

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
