// /v3/drive: the team's files. All that is invalid is 400 here, and a key that nobody holds 403.

import { z } from "@hono/zod-openapi";
import { DRIVE_LIMITS } from "./limits.ts";
import { nothing, plain } from "../../http/answer.ts";
import { countEvent } from "../../http/count-event.ts";
import { integerParameter } from "../../http/request/query-params.ts";
import { createV3Router } from "../../http/router.ts";
import { createDownloadUrl } from "./create-download-url.ts";
import { createUploadUrl } from "./create-upload-url.ts";
import { deleteDriveFile } from "./delete.ts";
import { DownloadUrl, DriveFile, DrivePath, NewDownloadUrl, NewUploadUrl, UploadUrl } from "./drive-file.ts";
import { getDriveFile } from "./get.ts";
import { listDriveFiles } from "./list.ts";

export const drive = createV3Router(["Drive", "Extensions"]);

const TAGS = ["Drive"];
const ofPath = z.strictObject({ path: DrivePath });
const Cursor = z.string().max(8_192);
const DriveFilePage = z
  .object({ files: z.array(DriveFile), folders: z.array(z.string()), cursor: Cursor.nullable() })
  .openapi("DriveFilePage");

drive.operation("createUploadUrl", "POST /upload-url", {
  permission: "drive",
  audit: "upload_url.create",
  summary: "Get a URL to upload a file to",
  description: [
    "Send the file by `PUT` to `upload_url` within 60 minutes; no header is needed. The store " +
      "answers 200 when it has the file (which replaces one that was there), and 403 to a URL that is " +
      "wrong or was made for another method.",
    "One that has expired is 403 too (R2's own page of error codes names 400 for it): in both cases ask for another.",
    `A single PUT may have ${DRIVE_LIMITS.putBytesMax} bytes (5 GiB less 5 MiB): R2 answers a larger one 400 with ` +
      "the code `EntityTooLarge`, where one might expect 413; a proxy on the way may answer 413 itself. Send " +
      "larger files, up to 5 TB, in parts.",
    "426 where the drive holds as many bytes as the plan allows, as they were measured last: every " +
      `${DRIVE_LIMITS.measureEveryMs / 60_000} minutes while files may come.`,
  ].join(" "),
  tags: TAGS,
  body: NewUploadUrl,
  answer: plain("Where to send the file", UploadUrl),
  fails: ["business_quota_exceeded", "invalid_path"],
  run: async (ctx, { body }) => {
    const url = await createUploadUrl(ctx, body);
    countEvent(ctx, "drive_upload");
    return url;
  },
});

drive.operation("listDriveFiles", "GET /files", {
  permission: "drive",
  summary: "List the files of the drive",
  description:
    "In the order of the paths' UTF-8 bytes. Go on with the answer's `cursor` until it is `null`; a page may be " +
    "shorter than `limit` before that.",
  query: z.strictObject({
    prefix: z
      .string()
      .max(DRIVE_LIMITS.pathCharactersMax)
      .optional()
      .openapi({ description: "What the paths begin with: `reports/` for a folder." }),
    delimiter: z.literal("/").optional().openapi({ description: "Shows what lies deeper as the folder it lies in." }),
    cursor: Cursor.optional(),
    limit: integerParameter({ min: 1, max: DRIVE_LIMITS.pageFilesMax, default: DRIVE_LIMITS.pageFilesMax }),
  }),
  answer: plain("A page of files", DriveFilePage),
  run: (ctx, { query }) => listDriveFiles(ctx, query),
});

drive.operation("getDriveFile", "GET /file", {
  permission: "drive",
  summary: "Get what is known of a file",
  description: "Its size, its ETag, when it was written, and where queries and sandboxes find it.",
  query: ofPath,
  answer: plain("The file", DriveFile),
  fails: ["invalid_path", "resource_not_found"],
  run: (ctx, { query }) => getDriveFile(ctx, query.path, "/query/path"),
});

drive.operation("deleteDriveFile", "DELETE /file", {
  permission: "drive",
  audit: "drive_file.delete",
  summary: "Delete a file",
  description: "For good. An upload URL that was given out before can bring it back while it lasts.",
  query: ofPath,
  answer: nothing("Deleted"),
  fails: ["invalid_path", "resource_not_found"],
  run: (ctx, { query }) => deleteDriveFile(ctx, query.path),
});

drive.operation("createDownloadUrl", "POST /download-url", {
  permission: "drive",
  audit: "none",
  reads: true,
  summary: "Get a URL to download a file from",
  description: "Takes a `GET` for 60 minutes, also of a range. Whoever holds it needs no key.",
  body: NewDownloadUrl,
  answer: plain("Where to get the file", DownloadUrl),
  fails: ["invalid_path", "resource_not_found"],
  run: (ctx, { body }) => createDownloadUrl(ctx, body.path),
});
