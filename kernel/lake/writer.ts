// A statement that writes to a lake sends the platform these requests before it begins; from there it is a job with
// kernel/jobs/job.ts.

import { z } from "zod";
import { LakeRoot } from "./lake.ts";

/**
 * POST /internal/lakes/{lakeId}/writers: a lake token that says so becomes leave to read the lake as it is now, and
 * to upload and commit as the job `jobId`. Refused with 403 where the token's statement may only read, with 409 where
 * the table is a sync's, or the statement was committed already, and with 426 where it adds data and the team's plan
 * allows no more.
 */
export const WriterRequest = z.strictObject({
  table: z.strictObject({ schema: z.string(), name: z.string() }).optional(),
  /** Whether the statement adds rows, and does not only change existing ones. */
  adds: z.boolean(),
});
export type WriterRequest = z.infer<typeof WriterRequest>;
export const WriterAnswer = z.object({
  jobId: z.string(),
  token: z.string(),
  /** The commit's key. */
  key: z.string(),
  /** The commit's actor: whose tables the statement may write. */
  actor: z.string().default("user"),
  author: z.string(),
  snapshotId: z.number().int(),
  root: LakeRoot,
  lakeToken: z.string(),
  /** The greatest field id the table has ever had; 0 where there is no such table. */
  columnIdLast: z.number().int(),
});
export type WriterAnswer = z.infer<typeof WriterAnswer>;

/**
 * POST /internal/lakes/{lakeId}/writers/end → 204: from here on the token's statement begins and commits nothing,
 * and holds no table. Repeatable.
 */
export const WriterEndRequest = z.strictObject({});
