// The noun: how many events there were and how long they took, over time, by team and kind.

import { z } from "@hono/zod-openapi";
import { PERCENTILE_ERROR } from "../../core/events/duration-summary.ts";
import { EVENT_TYPES } from "../../core/events/event-types.ts";

export const EventTypeName = z
  .enum(EVENT_TYPES)
  .openapi("EventType", {
    description: [
      "What is counted, in the minute in which it ends; its duration in whole milliseconds.",
      "`api_request`: a request with a key that is held, whatever its answer, until the answer begins; one that is " +
        "refused for its key (401), or for its rate (429), is not counted.",
      "`query`: a statement of `POST /v1/query` that was given to an engine, until its last byte, its failure or its " +
        "cancelling.",
      "`drive_upload`: a URL, or an upload in parts, that was granted; the file's way passes the platform by.",
      "`sync_run`, `automation_run` and `lake_maintenance`: a run, however it ended, from the beginning of its first " +
        "attempt, its retries and the waits between them included; one that never began is not counted. A maintenance " +
        "is `lake_maintenance` alone, whoever asked for it.",
      "`webhook_execution`: a run of a doc that its webhook began, from the request to the run's end.",
      "`dataset_execution`: a dataset of any run of a doc, as long as it ran; one that was skipped, or did not begin, is " +
        "not counted.",
    ].join("\n- "),
  });

const whole = z.number().int();
const columnOf = (description: string) =>
  z.array(z.number().nullable()).openapi({ description: `${description} Null where there was none.` });
const percentile = (share: number) => columnOf(`Of each bucket: ${share} % took at most so long.`);

export const EventSeries = z
  .object({
    team_id: z.string(),
    type: EventTypeName,
    count: z.array(whole).openapi({ description: "Of each bucket: how many events ended in it." }),
    average_ms: columnOf("Of each bucket: the mean duration, exact."),
    min_ms: columnOf("Of each bucket: the shortest duration, exact."),
    max_ms: columnOf("Of each bucket: the longest duration, exact."),
    p50_ms: percentile(50),
    p95_ms: percentile(95),
    p99_ms: percentile(99),
  })
  .openapi("EventSeries", { description: "Columns with a value for each bucket, the oldest first." });

export const EventStatistics = z
  .object({
    starts_at: z.iso.datetime().openapi({ description: "Of the first bucket." }),
    ends_at: z.iso.datetime().openapi({ description: "Of the last bucket; it has the present in it." }),
    bucket_minutes: whole,
    buckets: whole.openapi({ description: "How many there are: the length of every column." }),
    percentile_error: z
      .number()
      .openapi({ description: `A percentile is off by at most this share of its true value: ${PERCENTILE_ERROR}.` }),
    series: z.array(EventSeries),
    truncated: z
      .boolean()
      .openapi({ description: "Whether there are more teams with such events than one answer shows." }),
  })
  .openapi("EventStatistics");
