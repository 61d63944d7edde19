// A run as the API shows it: in the history, and by itself with its tables.

import { z } from "@hono/zod-openapi";
import { waitingFieldsInSnakeCase } from "../../work-model/waiting/waiting.ts";
import { CANCEL_CODES } from "../../../platform/db/schema/work-schema.ts";
import { SYNC_WARNINGS } from "../../../../kernel/jobs/progress.ts";

export const RUN_STATUSES = ["STARTED", "SUCCESS", "FAILED"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const instant = z.iso.datetime();
const count = z.number().int();

export const SyncRun = z
  .object({
    id: z.uuid(),
    run_id: z.uuid().openapi({ description: "The same as `id`." }),
    dag_name: z.string().openapi({ description: "The same for all runs of a sync." }),
    src_integration_id: z.uuid(),
    dst_integration_id: z.uuid(),
    status: z.enum(RUN_STATUSES).openapi({ description: "`STARTED` until it has ended; a cancelled run is `FAILED`." }),
    created_at: instant,
    updated_at: instant,
    details: z.object({
      sync_id: z.uuid(),
      dest_schema: z.string(),
      cause: z.enum(["schedule", "manual", "configuration"]),
      full: z.boolean(),
      tables: z
        .array(z.string())
        .nullable()
        .openapi({ description: "The only source tables of this run; null: all of the sync." }),
      state: z.enum(["queued", "starting", "running", "succeeded", "failed", "cancelled"]),
      reason: z.string().nullable().openapi({ description: "Why it failed, was cancelled, or is tried again." }),
      cancel_code: z
        .enum(CANCEL_CODES)
        .nullable()
        .openapi({ description: "Why it was cancelled; null where it was not." }),
      ...waitingFieldsInSnakeCase,
      attempt: count.openapi({ description: "Tries begun so far." }),
      attempts_max: count.openapi({
        description: "Tries that the platform was away for do not count: each raises this by one.",
      }),
      next_try_at: instant.nullable().openapi({ description: "While it waits for its next try." }),
      started_at: instant.nullable().openapi({ description: "When the last try began." }),
      ended_at: instant.nullable(),
      rows_read: count
        .nullable()
        .openapi({ description: "Null, as all counts of a run, where tables of it are hidden to you." }),
      rows_written: count.nullable(),
      rows_deleted: count.nullable(),
      bytes_written: count.nullable(),
      rows_estimated: count
        .nullable()
        .openapi({
          description:
            "About how many rows its tables have at the source, by the source's statistics; null where it " +
            "keeps none. A merge reads fewer.",
        }),
      tables_total: count
        .nullable()
        .openapi({ description: "As far as is known: while it runs, only the run by itself tells them." }),
      tables_done: count.nullable(),
      tables_failed: count.nullable(),
      tables_skipped: count.nullable().openapi({ description: "Left as they were in the lake; `warnings` says why." }),
      warnings: z
        .array(z.string())
        .openapi({
          description:
            "What a run did not bring without failing: tables that a star brought once and brings no more, stars " +
            "without tables, tables that are another sync's, rows that `append` found in the lake with other values; " +
            "and that a table's numbers began anew.",
        }),
      warning_codes: z
        .array(z.enum(SYNC_WARNINGS))
        .openapi({ description: "What `warnings` is about, each code once: for programs." }),
    }),
  })
  .openapi("SyncRun");
export type SyncRun = z.infer<typeof SyncRun>;

export const SyncRunTable = z
  .object({
    source: z.string().openapi({ description: "`<schema>.<table>` at the source." }),
    table: z.string().openapi({ description: "In the lake, with its schema." }),
    phase: z
      .enum(["waiting", "reading", "comparing", "writing", "uploading", "committing", "done", "failed", "skipped"])
      .openapi({
        description:
          "`skipped`: a star brought it once, and the source does not have it any more, or another sync owns " +
          "it; the lake keeps it as it was.",
      }),
    rows_read: count,
    rows_written: count,
    rows_deleted: count,
    bytes_written: count,
    rows_estimated: count
      .nullable()
      .openapi({
        description:
          "About how many rows the source's table has, by the source's statistics; null where it keeps none.",
      }),
    rows_compared: count.openapi({
      description: "Keys that were read, or rows that the source has hashed, to tell what has changed.",
    }),
    method: z.string().openapi({ description: "How it is read and written this time." }),
    notes: z
      .array(z.string())
      .openapi({
        description:
          "What a user should know: columns and tables that changed at the source, why all was read, values that " +
          "became something else, what a cursor can't see.",
      }),
    error: z.string().nullable().openapi({ description: "Why it failed; the run's other tables go on." }),
  })
  .openapi("SyncRunTable");
export type SyncRunTable = z.infer<typeof SyncRunTable>;

export const SyncRunDetail = SyncRun.extend({ tables: z.array(SyncRunTable) }).openapi("SyncRunDetail");
export type SyncRunDetail = z.infer<typeof SyncRunDetail>;
