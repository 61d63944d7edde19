// A doc's run sends the platform these requests for the tables that it builds, with its token: POST
// /internal/runs/{runId}/…

import { z } from "zod";

/**
 * …/stage → {@link StagedResult}: stages a dataset, and waits for it; repeatable. A frame lies at the result's URL
 * before. 409 `work_in_progress` while an earlier call is under way.
 */
export const StageCall = z.strictObject({
  executionId: z.string(),
  /** Bytes of the frame, a Parquet file; absent where the dataset is SQL. */
  frameBytes: z.number().int().positive().optional(),
  /** Whether another dataset of the run reads the rows, so that URLs of their files are of use. */
  isRead: z.boolean(),
});
export const StagedResult = z.object({
  rows: z.number().int(),
  bytes: z.number().int(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  files: z.array(z.object({ url: z.string(), bytes: z.number().int() })),
});
export type StagedResult = z.infer<typeof StagedResult>;

/**
 * …/publish → {@link PublishedResult}: tests and publishes what the run has staged, and waits for it; repeatable.
 * 409 `work_in_progress` while an earlier call is under way.
 */
export const PublishCall = z.strictObject({});
export const PublishedResult = z.object({
  isPublished: z.boolean(),
  /** The datasets whose tables fail a test of the severity `error`, with what is wrong. */
  failures: z.array(z.object({ key: z.string(), error: z.string() })),
});
export type PublishedResult = z.infer<typeof PublishedResult>;
