// The public form of one dataset's execution: how it went, and where its result is.

import { z } from "@hono/zod-openapi";
import { ResultKind } from "../../../../kernel/wire/sandbox.ts";
import { BUCKET_LIMITS } from "../../../platform/bucket/limits.ts";
import { orNull } from "../../../http/answer.ts";
import { ENGINES, EXECUTION_STATES } from "../runs/run.ts";

const ResultColumn = z.object({ name: z.string(), type: z.string() }).openapi("ExecutionColumn");

const result = z
  .object({
    kind: ResultKind.openapi({ description: "`frame` and `records` are an Arrow stream, `json` is JSON." }),
    rows: z.number().int().nullable(),
    bytes: z.number().int(),
    columns: z.array(ResultColumn).nullable(),
    download_url: z
      .url()
      .nullable()
      .openapi({
        description: `Good for ${BUCKET_LIMITS.signedUrlSeconds / 60} minutes; null where there is nothing.`,
      }),
  })
  .openapi("ExecutionResult");
export type ExecutionResult = z.infer<typeof result>;

export const ExecutionDetail = z
  .object({
    id: z.uuid(),
    run_id: z.uuid(),
    doc_id: z.uuid(),
    dataset_key: z.string(),
    engine: z.enum(ENGINES),
    state: z.enum(EXECUTION_STATES),
    error: z
      .string()
      .nullable()
      .openapi({
        description:
          "Null too, as are the members below it but `started_at`, where the run's output is not yours to read.",
      }),
    traceback: z.string().nullable(),
    started_at: z.iso.datetime().nullable(),
    duration_ms: z.number().nullable(),
    peak_bytes: z.number().int().nullable(),
    result: orNull(result),
  })
  .openapi("Execution");
export type ExecutionDetail = z.infer<typeof ExecutionDetail>;
