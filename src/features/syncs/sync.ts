// The noun: what a team has asked to be copied from a database into a lake, on the wire and in the mind. Pure.

import { z } from "@hono/zod-openapi";
import { newId } from "../../core/ids.ts";
import { SYNC_LIMITS } from "./limits.ts";
import { SCHEDULES } from "../../core/schedule/schedule.ts";
import { shownBy } from "../../http/shown-by.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import type { syncs } from "../../platform/db/schema/schema.ts";
import { nextRunOf } from "./timetable.ts";

const LOAD_METHODS = ["merge", "append", "overwrite"] as const;
export type LoadMethod = (typeof LOAD_METHODS)[number];

const patterns = z.array(z.string().min(1).max(520)).min(1).max(SYNC_LIMITS.patternsMax);
const cursors = z.record(z.string().min(1).max(520), z.string().min(1).max(255));

const schedule = z
  .enum(SCHEDULES)
  .openapi({
    description: "Each sync has a minute of its own within the interval, for good. Kept and not used where `cron` is.",
  });
const cron = z
  .string()
  .openapi({
    description:
      "Instead of that minute, with `timezone`: minute, hour, day of month, month and day of week. Due at least " +
      `${SYNC_LIMITS.cronMsMin / 60_000} minutes apart.`,
  });
const timezone = z.string().openapi({ description: "The IANA zone that `cron` is read in, such as `Europe/Berlin`." });
const loadMethod = z
  .enum(LOAD_METHODS)
  .openapi({
    description:
      "`merge`: after a run the lake table equals the source's. `append`: adds rows that are new by a cursor " +
      "column. `overwrite`: replaces the table, in one step.",
  });

export const NewSync = z
  .strictObject({
    dest_schema: z
      .string()
      .min(1)
      .max(255)
      .openapi({ description: "The schema of the lake the tables go to; made where it is missing." }),
    schedule,
    cron: cron.optional(),
    timezone: timezone.optional(),
    tables: patterns.openapi({
      description: "`<schema>.<table>`, or `<schema>.*` for all tables of a schema as they are at each run.",
    }),
    load_method: loadMethod.default("merge"),
    dest_integration_id: z
      .string()
      .nullish()
      .openapi({ description: "A lake of the team; without it, the team's own." }),
    cursors: cursors
      .optional()
      .openapi({
        description:
          "By source table, `<schema>.<table>`: the column that tells new rows, instead of one the platform picks " +
          "for `append`. With `merge`, a table with a cursor is read only where its value has grown: changes that " +
          "leave it as it is, and deleted rows, are not seen.",
        example: { "public.events": "id" },
      }),
    append_full_rows: z
      .boolean()
      .default(false)
      .openapi({
        description:
          "`append`: add all rows at each run where a table has no cursor, those too that the lake has. Otherwise only " +
          "those are added that it does not have.",
      }),
  })
  .openapi("NewSync", {
    example: { dest_schema: "shop", schedule: "hourly", tables: ["public.*", "sales.orders"], load_method: "merge" },
  });
export type NewSync = z.infer<typeof NewSync>;

export const SyncConfig = z
  .object({
    id: z.uuid(),
    integration_id: z.uuid(),
    dest_integration_id: z.uuid(),
    dest_schema: z.string(),
    schedule,
    cron: cron.nullable(),
    timezone: timezone.nullable(),
    tables: z.array(z.string()),
    load_method: loadMethod,
    cursors: z
      .record(z.string(), z.string())
      .openapi({ description: "By source table: the column that tells what is new, given or picked." }),
    append_full_rows: z.boolean(),
    status: z.enum(["active", "paused"]),
    next_run_at: z.iso.datetime().nullable().openapi({ description: "Null while it is paused." }),
    version: z.number().int().openapi({ description: "Counts the sync's changes, from 1; its ETag." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    tables_expanded: z
      .array(z.string())
      .optional()
      .openapi({ description: "The source tables that `tables` names now." }),
  })
  .openapi("SyncConfig");
export type SyncConfig = z.infer<typeof SyncConfig>;

export const SyncPatch = z
  .strictObject({
    status: z
      .enum(["active", "paused"])
      .openapi({ description: "`paused` keeps the schedule from starting runs; a run under way goes on." }),
  })
  .openapi("SyncPatch", { example: { status: "paused" } });
export type SyncPatch = z.infer<typeof SyncPatch>;

/**
 * A sync as it is kept. `revision` rises with every change, and is its version on the wire. `cron` and `timezone` are
 * both there, or neither: then it is due at its own minute of the schedule. It is `planned` until its lake tables are
 * its own, `removing` until they are free again: nobody sees either.
 */
export type Sync = typeof syncs.$inferSelect;

export type Wanted = Pick<
  Sync,
  "teamId" | "sourceId" | "lakeId" | "destSchema" | "schedule" | "cron" | "timezone" | "config"
>;

/**
 * A new sync, or the earlier one of this source and destination with another configuration; a paused one is active
 * again.
 */
export function planSync(wanted: Wanted, before: Sync | undefined, now: Date): Sync {
  const at = now.toISOString();
  const id = before?.id ?? newId(now);
  const nextRunAt = nextRunOf({ ...wanted, id }, now).toISOString();
  return {
    ...wanted,
    id,
    status: "active",
    nextRunAt,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
}

/** Pausing forgets when the next run was due; resuming plans it anew, and makes up for nothing. */
export function patchSync(sync: Sync, { status }: SyncPatch, now: Date): Sync {
  if (sync.status === status) return sync;
  const nextRunAt = status === "active" ? nextRunOf(sync, now).toISOString() : null;
  return { ...sync, status, nextRunAt, revision: sync.revision + 1, updatedAt: now.toISOString() };
}

export function configOf(sync: Sync, tablesExpanded?: string[]): SyncConfig {
  if (sync.status === "planned" || sync.status === "removing")
    throw new Error(`Sync ${sync.id} is ${sync.status}, which nobody sees.`);
  return shownBy(
    SyncConfig,
    { ...sync, ...sync.config },
    {
      integration_id: sync.sourceId,
      dest_integration_id: sync.lakeId,
      status: sync.status,
      version: sync.revision,
      tables_expanded: tablesExpanded,
    },
  );
}

/** The lease in the lake that keeps two jobs of a sync apart, and the name it owns lake tables under. */
export const leaseOf = (syncId: string): string => `sync/${syncId}`;
export const ownerOf = (syncId: string): string => `sync:${syncId}`;

/** The audit log's facts of a sync. */
export const auditedSync = ({ config, ...sync }: Sync): AuditFacts => ({
  source_id: sync.sourceId,
  lake_id: sync.lakeId,
  dest_schema: sync.destSchema,
  status: sync.status,
  schedule: sync.schedule,
  cron: sync.cron,
  timezone: sync.timezone,
  load_method: config.loadMethod,
  append_full_rows: config.appendFullRows,
  tables: config.tables,
  cursors: config.cursors,
});
