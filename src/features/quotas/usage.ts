import { z } from "@hono/zod-openapi";
import { boundsOf, HELD, monthEndsAt, monthOf, PLAN_BOUNDS, type Plan } from "../../core/teams/plans.ts";
import type { Needs } from "../../platform/context.ts";
import { countHeld } from "./store.ts";

const Figure = z
  .object({
    used: z.number().int(),
    limit: z.number().int().nullable().openapi({ description: "Null: the plan sets none." }),
  })
  .openapi("UsageFigure");

export const Usage = z
  .object({
    plan: z.enum(Object.keys(PLAN_BOUNDS) as [Plan, ...Plan[]]),
    held: z
      .object({ users: Figure, keys: Figure, integrations: Figure, docs: Figure, jobs: Figure })
      .openapi("UsageHeld", { description: "What there is now." }),
    month: z
      .object({ month: z.string(), resets_at: z.iso.datetime(), queries: Figure })
      .openapi("UsageOfMonth", { description: "What was used since the month began, in UTC." }),
    rates: z
      .object({
        requests_per_minute: z.number().int().nullable(),
        requests_per_minute_and_key: z.number().int().nullable(),
      })
      .openapi("UsageRates"),
  })
  .openapi("Usage");
export type Usage = z.infer<typeof Usage>;

/**
 * What the team holds and uses of its plan. Statements of a plan with a bound are counted when they are granted, which
 * isolates have done for some ahead; those of one without are not counted here.
 */
export async function getUsage({ scope, db, meter }: Needs<"scope" | "db" | "meter">): Promise<Usage> {
  const { teamId, plan, now } = scope;
  const { held, monthly, rates } = boundsOf(plan);
  const [counts, used] = await Promise.all([
    countHeld(db, teamId, now.toISOString()),
    monthly.queries === null ? {} : meter.openObject(teamId).used(monthOf(now)),
  ]);
  const figures = HELD.map((what) => [what, { used: counts[what], limit: held[what] }] as const);
  return {
    plan,
    held: Object.fromEntries(figures) as Usage["held"],
    month: {
      month: monthOf(now),
      resets_at: monthEndsAt(now),
      queries: { used: (used as Record<string, number>).queries ?? 0, limit: monthly.queries },
    },
    rates: { requests_per_minute: rates?.team ?? null, requests_per_minute_and_key: rates?.key ?? null },
  };
}
