// The types of events that go out of a team to its destinations of kind `events`. Pure.

export const OUTBOUND_EVENT_TYPES = [
  "sync_run.started",
  "sync_run.ended",
  "job_run.started",
  "job_run.ended",
  "maintenance_run.started",
  "maintenance_run.ended",
  "doc_run.started",
  "doc_run.ended",
  "table_tests.ended",
  "quota.exceeded",
  "access.changed",
] as const;
export type OutboundEventType = (typeof OUTBOUND_EVENT_TYPES)[number];
