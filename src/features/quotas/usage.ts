import { z } from "@hono/zod-openapi";
import { boundsOf, HELD, monthEndsAt, monthOf, PLAN_BOUNDS, type TeamPlan } from "../../core/teams/plans.ts";
import type { Needs } from "../../clients/context.ts";
import { QUERIES_RUN } from "../../platform/meter/report.ts";
import { findUse } from "./metered.ts";
import { countHeld, findClusterBytes } from "./store.ts";

const Figure = z
  .object({
    used: z.number().int(),
    limit: z.number().int().nullable().openapi({ description: "Null: the plan sets none." }),
  })
  .openapi("UsageFigure");

const MeasuredFigure = Figure.extend({
  measured_at: z.iso.datetime().nullable().openapi({ description: "Null: not yet." }),
}).openapi("MeasuredFigure");

export const Usage = z
  .object({
    plan: z.enum(Object.keys(PLAN_BOUNDS) as [TeamPlan, ...TeamPlan[]]),
    held: z
      .object({ users: Figure, keys: Figure, integrations: Figure, docs: Figure, jobs: Figure, saved_queries: Figure })
      .openapi("UsageHeld", { description: "What there is now." }),
    stored: z
      .object({
        drive_bytes: MeasuredFigure.openapi({
          description:
            "Measured every 15 minutes while files may come by URLs, and some time after a file is deleted; else daily.",
        }),
        lake_bytes: MeasuredFigure.openapi({
          description:
            "Current data, and what earlier snapshots keep, of all lakes. Measured daily, and with each maintenance.",
        }),
      })
      .openapi("UsageStored", { description: "What takes up room, as it was measured last." }),
    month: z
      .object({
        month: z.string(),
        resets_at: z.iso.datetime(),
        queries: Figure.openapi({
          description:
            "Where the plan bounds them, as they were granted, some of them ahead; otherwise as they ended, a second late.",
        }),
        run_seconds: Figure.openapi({
          description:
            "Of runs of syncs and docs that have ended, in all their attempts. Checked when a run begins; a run under " +
            "way goes on to its end.",
        }),
        cluster_bytes: Figure.openapi({
          description: "What statements have read at the team's own Trino, once they have ended, as it says itself.",
        }),
        rows_synced: Figure.openapi({ description: "Rows that syncs' runs have written, once they have ended." }),
      })
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
 * The team's objects and use, beside its plan. Statements of a plan with a bound are counted when they are granted,
 * which isolates have done for some ahead; those of one without when they have ended.
 */
export async function getUsage({ scope, db, meter }: Needs<"scope" | "db" | "meter">): Promise<Usage> {
  const { teamId, plan, now } = scope;
  const { held, monthly, stored, rates } = boundsOf(plan);
  const [counts, queries, use, clusterBytes] = await Promise.all([
    countHeld(db, teamId, now.toISOString()),
    meter.openObject(teamId).used(monthOf(now)),
    findUse(db, scope),
    findClusterBytes(db, teamId, monthOf(now)),
  ]);
  const figures = HELD.map((what) => [what, { used: counts[what], limit: held[what] }] as const);
  return {
    plan,
    held: Object.fromEntries(figures) as Usage["held"],
    month: {
      month: monthOf(now),
      resets_at: monthEndsAt(now),
      queries: { used: queries[monthly.queries === null ? QUERIES_RUN : "queries"] ?? 0, limit: monthly.queries },
      run_seconds: { used: use?.runSeconds ?? 0, limit: monthly.runSeconds },
      cluster_bytes: { used: clusterBytes, limit: null },
      rows_synced: { used: use?.rowsSynced ?? 0, limit: monthly.rowsSynced },
    },
    stored: {
      drive_bytes: { used: use?.driveBytes ?? 0, limit: stored.driveBytes, measured_at: use?.driveMeasuredAt ?? null },
      lake_bytes: { used: use?.lakeBytes ?? 0, limit: stored.lakeBytes, measured_at: use?.lakesMeasuredAt ?? null },
    },
    rates: { requests_per_minute: rates?.team ?? null, requests_per_minute_and_key: rates?.key ?? null },
  };
}
