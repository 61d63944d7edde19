// The messages to a team's webhook: the forms of all, as the OpenAPI document says them. This file is pure.

import { z } from "@hono/zod-openapi";
import { TEST_SEVERITIES } from "../../../../kernel/wire/builds.ts";
import { DOC_LIMITS } from "../../docs/limits.ts";
import { ALERT_LIMITS } from "../limits.ts";
import { RESOURCE_TYPES } from "../../../core/resource-types.ts";
import { EPISODE_CAUSES } from "../../../platform/db/schema/alert-schema.ts";
import { MAINTENANCE_KINDS, PAUSED_REASONS } from "../../../platform/db/schema/work-schema.ts";

const instant = z.iso.datetime();
const orGone = z.string().nullable().openapi({ description: "Null once the integration is gone." });

const about = {
  episode_id: z
    .uuid()
    .openapi({ description: "The same in the message that opens an episode and the one that ends it." }),
  cause: z
    .enum(EPISODE_CAUSES)
    .openapi({
      description:
        "What opened the episode: a run failed, no run succeeded in time, or one succeeded though tests of the tables " +
        "that it built failed, all of the severity `warn`.",
    }),
  since: instant.openapi({
    description:
      "The end of the run that failed or warned; of a stale one its last success, or the beginning of its schedule.",
  }),
  last_success_at: instant.nullable(),
  due_by: instant.nullable().openapi({ description: "Of a stale one: by when it should have succeeded." }),
  run_id: z
    .uuid()
    .nullable()
    .openapi({ description: "The run that failed, warned, or succeeded again; null where none did." }),
  error: z
    .string()
    .max(ALERT_LIMITS.alertErrorCharactersMax)
    .nullable()
    .openapi({ description: "Why the run failed." }),
  path: z.string().openapi({ description: "Where the API has the run, or the sync or job; without the host." }),
};

const SyncAlertData = z
  .object({
    sync_id: z.uuid(),
    source_id: z.uuid(),
    source_name: orGone,
    lake_id: z.uuid(),
    lake_name: orGone,
    dest_schema: z.string(),
    ...about,
  })
  .openapi("SyncAlertData");

const FailedTableTest = z
  .object({ schema: z.string(), table: z.string(), name: z.string(), severity: z.enum(TEST_SEVERITIES) })
  .openapi("FailedTableTest", {
    example: { schema: "shop", table: "orders", name: "not_null order_id", severity: "error" },
  });

const JobAlertData = z
  .object({
    job_id: z.uuid(),
    job_name: z.string(),
    resource_type: z.enum(RESOURCE_TYPES),
    resource_id: z.uuid(),
    kind: z.enum(MAINTENANCE_KINDS).nullable(),
    paused_reason: z
      .enum(PAUSED_REASONS)
      .nullable()
      .openapi({ description: "Why the job has disabled itself, if it has: nothing runs until somebody enables it." }),
    tests: z
      .array(FailedTableTest)
      .openapi({
        description:
          "Of a doc's job: the tests of the tables that the run built which failed; at most " +
          `${DOC_LIMITS.failedTestsNamedMax}. \`GET /v4/docs/{doc_id}/runs/{run_id}/tables\` has all, with rows.`,
      }),
    ...about,
  })
  .openapi("JobAlertData");

const timestamp = instant.openapi({ description: "When the platform noticed." });

export const SyncAlert = z
  .object({ type: z.enum(["sync.failed", "sync.stale", "sync.recovered"]), timestamp, data: SyncAlertData })
  .openapi("SyncAlert");
export const JobAlert = z
  .object({ type: z.enum(["job.failed", "job.stale", "job.warned", "job.recovered"]), timestamp, data: JobAlertData })
  .openapi("JobAlert");
export const TestAlert = z
  .object({ type: z.literal("alert.test"), timestamp, data: z.object({ team_id: z.uuid() }) })
  .openapi("TestAlert");

export type AlertEvent = z.infer<typeof SyncAlert> | z.infer<typeof JobAlert> | z.infer<typeof TestAlert>;
export type AlertDetails = Pick<z.infer<typeof SyncAlertData>, keyof typeof about>;

/** The meaning of each message, for the OpenAPI document. */
export const EVENTS = {
  "sync.failed": { schema: SyncAlert, summary: "A run of a sync has failed, after all its attempts" },
  "sync.stale": { schema: SyncAlert, summary: "A sync should have succeeded by now" },
  "sync.recovered": { schema: SyncAlert, summary: "A sync has succeeded again" },
  "job.failed": { schema: JobAlert, summary: "A run of an automation job has failed or run out of time" },
  "job.stale": { schema: JobAlert, summary: "An automation job should have succeeded by now" },
  "job.warned": {
    schema: JobAlert,
    summary: "A run of an automation job has succeeded, and tests of the severity `warn` failed",
  },
  "job.recovered": { schema: JobAlert, summary: "An automation job has succeeded again" },
  "alert.test": { schema: TestAlert, summary: "A test that somebody asked for" },
} as const;
