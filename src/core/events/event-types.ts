// The kinds of event whose number and durations are kept, for statistics.

export const EVENT_TYPES = [
  "query",
  "sync_run",
  "webhook_execution",
  "dataset_execution",
  "automation_run",
  "lake_maintenance",
  "drive_upload",
  "api_request",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Events that end no row are summed up in the isolate; every other kind is counted by what ends its row. */
export const BUFFERED_EVENT_TYPES = ["query", "drive_upload", "api_request"] as const satisfies EventType[];
export type BufferedEventType = (typeof BUFFERED_EVENT_TYPES)[number];

/** An event is counted in the minute it ends in, from 1970. */
export const minuteOf = (atMs: number): number => Math.floor(atMs / 60_000);
