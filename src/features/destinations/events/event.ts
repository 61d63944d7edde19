// The events that go to destinations of kind `events`: the forms of all, as the OpenAPI document says them. An event is
// thin: it names what happened to what, and whoever may read more asks the API. Pure.

import { z } from "@hono/zod-openapi";
import { TEST_SEVERITIES } from "../../../../kernel/wire/builds.ts";
import { DOC_LIMITS } from "../../docs/limits.ts";
import type { OutboundEventType } from "../../../core/events/outbound-event-types.ts";
import { RESOURCE_TYPES } from "../../../core/resource-types.ts";
import { PLAN_BOUNDS, type TeamPlan } from "../../../core/teams/plans.ts";
import { AUDIT_ACTIONS } from "../../../platform/db/audit-actions.ts";

const instant = z.iso.datetime();

const started = {
  attempt: z.number().int().openapi({ description: "From 1; 0 where the run ended before its first attempt." }),
  started_at: instant.nullable().openapi({ description: "When the last attempt began." }),
};
const SyncRun = {
  run_id: z.uuid(),
  sync_id: z.uuid(),
  source_id: z.uuid(),
  lake_id: z.uuid(),
  dest_schema: z.string(),
};
const JobRun = {
  run_id: z.uuid(),
  job_id: z.uuid().nullable().openapi({ description: "Null: it was run without a job." }),
  resource_type: z.enum(RESOURCE_TYPES),
  resource_id: z.uuid(),
};
const DocRun = { run_id: z.uuid(), doc_id: z.uuid(), doc_version: z.number().int(), cause: z.string() };

const running = z.literal("running");
const ended = z.enum(["succeeded", "failed", "cancelled", "timed_out"]);
const startOf = <Fields extends z.ZodRawShape>(fields: Fields) => z.object({ ...fields, state: running, ...started });
const endOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ ...fields, state: ended, ...started, ended_at: instant });

const TableTests = z.object({
  ...{ run_id: z.uuid(), doc_id: z.uuid() },
  outcome: z
    .enum(["passed", "warned", "failed"])
    .openapi({ description: "`failed`: a test of the severity `error` did, so that the run publishes no table." }),
  tests: z.number().int(),
  tests_failed: z.number().int(),
  failed: z
    .array(z.object({ schema: z.string(), table: z.string(), name: z.string(), severity: z.enum(TEST_SEVERITIES) }))
    .openapi({ description: `At most ${DOC_LIMITS.failedTestsNamedMax} of those that failed.` }),
});

const Quota = z.object({
  quota: z.string().openapi({ description: "What the plan bounds, as `GET /v4/usage` names it or nearly so." }),
  plan: z.enum(Object.keys(PLAN_BOUNDS) as [TeamPlan, ...TeamPlan[]]),
  ...{ limit: z.number(), used: z.number() },
  resets_at: instant.nullable().openapi({ description: "Null where use does not begin anew." }),
});

const AccessChange = z.object({
  audit_event_id: z.uuid().openapi({ description: "The audit log has what was before and after." }),
  action: z.enum(AUDIT_ACTIONS),
  subject_id: z.string(),
  actor_id: z.uuid(),
  by_operator: z.boolean(),
  run_id: z.uuid().nullable().openapi({ description: "The doc's run whose key was used." }),
});

type Declared = { summary: string; data: z.ZodObject };

export const OUTBOUND_EVENTS: Record<OutboundEventType, Declared> = {
  "sync_run.started": { summary: "An attempt of a sync's run has started", data: startOf(SyncRun) },
  "sync_run.ended": { summary: "A run of a sync has ended, with all its attempts", data: endOf(SyncRun) },
  "job_run.started": { summary: "An attempt of an automation job's run has started", data: startOf(JobRun) },
  "job_run.ended": { summary: "A run of an automation job has ended, with all its attempts", data: endOf(JobRun) },
  "maintenance_run.started": { summary: "An attempt of a lake's maintenance has started", data: startOf(JobRun) },
  "maintenance_run.ended": { summary: "A run of a lake's maintenance has ended", data: endOf(JobRun) },
  "doc_run.started": {
    summary: "A doc's run has begun in its sandbox, whoever asked for it",
    data: z.object({ ...DocRun, state: running, started_at: instant }),
  },
  "doc_run.ended": {
    summary: "A doc's run has ended",
    data: z.object({ ...DocRun, state: ended, started_at: instant.nullable(), ended_at: instant }),
  },
  "table_tests.ended": { summary: "The tests of tables that a doc's run built have ended", data: TableTests },
  "quota.exceeded": {
    summary: "Something was refused because it is beyond the plan: the first time in a month, or a day",
    data: Quota,
  },
  "access.changed": { summary: "Somebody changed who may do or see what", data: AccessChange },
};

export const TestEvent = z.object({ destination_id: z.uuid() });

/** The type of a test, which every destination of events takes. */
export const TEST_TYPE = "event.test";

export const testEvent = (destinationId: string, now: Date): string =>
  JSON.stringify({ type: TEST_TYPE, timestamp: now.toISOString(), data: { destination_id: destinationId } });
