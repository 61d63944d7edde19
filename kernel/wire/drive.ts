// Containers' requests to the platform about the drive of the team that their token is for. `path` is relative to the
// drive's root.

import { z } from "zod";

export const DRIVE_FILES_PER_PAGE_MAX = 1_000;
export const DRIVE_PATHS_PER_SIGNING_MAX = 500;

export const DriveEntry = z.object({
  path: z.string(),
  /** The ETag, unquoted. Other content has another one. */
  etag: z.string(),
  bytes: z.number().int(),
  /** ISO 8601. */
  modified: z.string(),
});
export type DriveEntry = z.infer<typeof DriveEntry>;

/**
 * POST /internal/drive/list: files whose paths begin with `prefix`, in the order of their UTF-8 bytes, after those of
 * the page before.
 */
export const DriveListRequest = z.strictObject({
  /** The page's cursor; null asks for the first page. */
  cursor: z.string().nullable(),
  prefix: z.string().optional(),
  /** With a delimiter, everything in a folder below the prefix is listed as that folder, once. */
  delimiter: z.literal("/").optional(),
  limit: z.number().int().min(1).max(DRIVE_FILES_PER_PAGE_MAX).optional(),
});
export type DriveListRequest = z.infer<typeof DriveListRequest>;
export const DriveListAnswer = z.object({
  /** The beginning of the files' `gcs_path`: `gs://<bucket>/<team_id>/drive/`. */
  root: z.string(),
  files: z.array(DriveEntry),
  /**
   * The folders, where a delimiter was sent: whole paths, each with the delimiter at its end. They count into the
   * limit.
   */
  folders: z.array(z.string()).optional(),
  /** Null: that was the last page. */
  cursor: z.string().nullable(),
});
export type DriveListAnswer = z.infer<typeof DriveListAnswer>;

/**
 * POST /internal/drive/sign: GET URLs by path, valid for an hour. Send `If-Match` with them: a file of the drive can
 * change.
 */
export const DriveSignRequest = z.strictObject({ paths: z.array(z.string()).min(1).max(DRIVE_PATHS_PER_SIGNING_MAX) });
export type DriveSignRequest = z.infer<typeof DriveSignRequest>;
/** URLs by path. Any text is a path, also `__proto__`, which zod's record would drop silently. */
const Urls = z.custom<Record<string, string>>(
  (given) =>
    typeof given === "object" && given !== null && Object.values(given).every((url) => typeof url === "string"),
);
export const DriveSignAnswer = z.object({ urls: Urls });
export type DriveSignAnswer = z.infer<typeof DriveSignAnswer>;
