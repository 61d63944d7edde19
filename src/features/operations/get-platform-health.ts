// The platform's health covers its clock, its queues, its dead letters and the alerts that nobody has.

import { z } from "@hono/zod-openapi";
import type { Needs } from "../../clients/context.ts";
import { WakeUp } from "../../platform/messages.ts";
import { FAILED_MS } from "./list-work.ts";
import { countUndelivered, findLastTick, selectDeadLetters, selectDue } from "./store.ts";

const instant = z.iso.datetime();
const count = z.number().int();
const kind = WakeUp.shape.kind;

export const PlatformHealth = z
  .object({
    clock: z.object({
      lastTickAt: instant.nullable().openapi({ description: "Null before the first." }),
      ageSeconds: count.nullable().openapi({ description: "It ticks each minute; more than two is a fault." }),
    }),
    queues: z
      .array(z.object({ kind, due: count, oldestDueAt: instant.nullable(), ageSeconds: count }))
      .openapi({ description: "By kind of message: what is due and nobody has taken, and for how long." }),
    deadLetters: z
      .array(z.object({ kind: z.string(), count, lastAt: instant }))
      .openapi({ description: "Messages that no consumer could work on, since the platform was set up." }),
    alerts: z.object({
      pending: count.openapi({ description: "Deliveries that are not delivered yet." }),
      oldestAt: instant.nullable(),
      ageSeconds: count,
      failedLastDay: count.openapi({ description: "Given up within the last day." }),
    }),
  })
  .openapi("PlatformHealth");
export type PlatformHealth = z.infer<typeof PlatformHealth>;

export async function getPlatformHealth({ scope, db }: Needs<"scope" | "db">): Promise<PlatformHealth> {
  const { now } = scope;
  const secondsSince = (at: string | null): number =>
    at === null ? 0 : Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 1_000));
  const [lastTickAt = null, due, deadLetters, alerts] = await Promise.all([
    findLastTick(db),
    selectDue(db, now.toISOString()),
    selectDeadLetters(db),
    countUndelivered(db, new Date(now.getTime() - FAILED_MS).toISOString()),
  ]);
  return {
    clock: { lastTickAt, ageSeconds: lastTickAt === null ? null : secondsSince(lastTickAt) },
    queues: due.map(({ oldest, ...each }) => ({ ...each, oldestDueAt: oldest, ageSeconds: secondsSince(oldest) })),
    deadLetters,
    alerts: {
      pending: alerts.pending,
      oldestAt: alerts.oldest,
      ageSeconds: secondsSince(alerts.oldest),
      failedLastDay: alerts.failed,
    },
  };
}
