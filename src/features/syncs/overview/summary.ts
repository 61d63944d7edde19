// A sync as the list of all of them shows it. Pure.

import { z } from "@hono/zod-openapi";
import { orNull } from "../../../http/answer.ts";
import { configOf, SyncConfig } from "../sync.ts";
import type { SyncView } from "../view.ts";
import { statusOf } from "../runs/wire-mapping.ts";
import { RUN_STATUSES, SyncRun } from "../runs/wire-schema.ts";
import type { NewestRun, SyncFacts } from "./facts.ts";
import { gradeSync, HEALTHS } from "./health.ts";

const instant = z.iso.datetime();

const NewestSyncRun = z
  .object({
    run_id: z.uuid(),
    status: z.enum(RUN_STATUSES),
    state: SyncRun.shape.details.shape.state,
    cause: SyncRun.shape.details.shape.cause,
    reason: z.string().nullable().openapi({ description: "Why it failed, was cancelled, or is tried again." }),
    warning_codes: SyncRun.shape.details.shape.warning_codes,
    created_at: instant,
    started_at: instant.nullable(),
    ended_at: instant.nullable(),
  })
  .openapi("NewestSyncRun");

export const SyncSummary = SyncConfig.omit({ tables: true, cursors: true, tables_expanded: true })
  .extend({
    source_name: z.string().nullable(),
    lake_name: z.string().nullable(),
    last_run: orNull(NewestSyncRun).openapi({ description: "The newest, whether or not it has ended." }),
    last_success_at: instant
      .nullable()
      .openapi({ description: "The end of the last run that brought the whole sync, not only some of its tables." }),
    data_as_of: instant.nullable().openapi({ description: "When that run began to read." }),
    age_seconds: z.number().int().nullable().openapi({ description: "Of the data: the time since `data_as_of`." }),
    due_by: instant
      .nullable()
      .openapi({
        description:
          "By when it should succeed again; past it, it is stale. Null while it is paused, or its first run goes on.",
      }),
    health: z
      .enum(HEALTHS)
      .openapi({
        description:
          "`failing`: the newest run to succeed or fail has failed. `stale`: nothing failed, and it should have " +
          "succeeded by now. `never_ran`: no success yet, and none is overdue.",
      }),
    problem: z
      .string()
      .nullable()
      .openapi({
        description: "What is wrong, in words; null where nothing is, and where tables of it are hidden to you.",
      }),
  })
  .openapi("SyncSummary");
export type SyncSummary = z.infer<typeof SyncSummary>;

export function summaryOf(facts: SyncFacts, now: Date): SyncSummary {
  const { sync, sourceName, lakeName, newest, success } = facts;
  const { tables: _, cursors: __, ...config } = configOf(sync);
  const { health, problem, dueBy } = gradeSync(facts, now);
  const asOf = success && (success.startedAt ?? success.endedAt);
  return {
    ...config,
    source_name: sourceName,
    lake_name: lakeName,
    last_run: newest && newestRunOf(newest),
    last_success_at: success?.endedAt ?? null,
    data_as_of: asOf,
    age_seconds: asOf === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / 1_000)),
    due_by: dueBy,
    health,
    problem,
  };
}

/** Why a run failed names tables, those too that are hidden. */
export const summaryFor = (summary: SyncSummary, { isWhole }: Pick<SyncView, "isWhole">): SyncSummary =>
  isWhole
    ? summary
    : {
        ...summary,
        problem: null,
        last_run: summary.last_run && { ...summary.last_run, reason: null, warning_codes: [] },
      };

const newestRunOf = (run: NewestRun): z.infer<typeof NewestSyncRun> => ({
  run_id: run.id,
  status: statusOf(run),
  state: run.state,
  cause: run.cause,
  reason: run.state === "cancelled" ? run.cancelReason : run.error,
  warning_codes: run.summary?.warningCodes ?? [],
  created_at: run.createdAt,
  started_at: run.startedAt,
  ended_at: run.endedAt,
});
