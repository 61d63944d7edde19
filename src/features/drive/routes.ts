// /v3/drive: the team's files. All that is invalid is 400 here, and a key that nobody holds 403.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { answers, BODY_FAILURES_V3, failsV3, json } from "../../http/answer.ts";
import { countEvent } from "../../http/count-event.ts";
import { operation } from "../../http/operation.ts";
import { integerParameter } from "../../http/request/query-params.ts";
import { createV3Router } from "../../http/router.ts";
import { createDownloadUrl } from "./create-download-url.ts";
import { createUploadUrl } from "./create-upload-url.ts";
import { deleteDriveFile } from "./delete.ts";
import { DownloadUrl, DriveFile, DrivePath, NewDownloadUrl, NewUploadUrl, UploadUrl } from "./drive-file.ts";
import { getDriveFile } from "./get.ts";
import { listDriveFiles } from "./list.ts";

export const drive = createV3Router();

const TAGS = ["Drive"];
const EXTENSION = ["Drive", "Extensions"];
const ofPath = z.strictObject({ path: DrivePath });
const Cursor = z.string().max(8_192);
const DriveFilePage = z
  .object({ files: z.array(DriveFile), folders: z.array(z.string()), cursor: Cursor.nullable() })
  .openapi("DriveFilePage");

drive.openapi(
  operation({
    method: "post",
    path: "/upload-url",
    operationId: "createUploadUrl",
    summary: "Get a URL to upload a file to",
    description: [
      "Send the file by `PUT` to `upload_url` within 60 minutes; no header is needed. The store " +
        "answers 200 when it has the file (which replaces one that was there), and 403 to a URL that is " +
        "wrong or was made for another method.",
      "One that has expired is 403 too (R2's own page of error codes names 400 for it): in both cases ask for another.",
      `A single PUT may have ${LIMITS.drivePutBytesMax} bytes (5 GiB less 5 MiB): R2 answers a larger one 400 with ` +
        "the code `EntityTooLarge`, where one might expect 413; a proxy on the way may answer 413 itself. Send " +
        "larger files, up to 5 TB, in parts.",
      "426 where the drive holds as many bytes as the plan allows, as they were measured last: every " +
        `${LIMITS.driveMeasureEveryMs / 60_000} minutes while files may come.`,
    ].join(" "),
    tags: TAGS,
    permission: "drive",
    request: { body: { required: true, ...json(NewUploadUrl) } },
    responses: {
      200: answers("Where to send the file", UploadUrl),
      ...failsV3("business_quota_exceeded", "invalid_path", ...BODY_FAILURES_V3),
    },
  }),
  async (c) => {
    const url = await createUploadUrl(c.get("ctx"), c.req.valid("json"));
    countEvent(c, "drive_upload");
    return c.json(url, 200);
  },
);

drive.openapi(
  operation({
    method: "get",
    path: "/files",
    operationId: "listDriveFiles",
    summary: "List the files of the drive",
    description:
      "In the order of the paths' UTF-8 bytes. Go on with the answer's `cursor` until it is `null`; a page may be " +
      "shorter than `limit` before that.",
    tags: EXTENSION,
    permission: "drive",
    request: {
      query: z.strictObject({
        prefix: z
          .string()
          .max(LIMITS.drivePathCharactersMax)
          .optional()
          .openapi({ description: "What the paths begin with: `reports/` for a folder." }),
        delimiter: z
          .literal("/")
          .optional()
          .openapi({ description: "Shows what lies deeper as the folder it lies in." }),
        cursor: Cursor.optional(),
        limit: integerParameter({ min: 1, max: LIMITS.drivePageFilesMax, default: LIMITS.drivePageFilesMax }),
      }),
    },
    responses: { 200: answers("A page of files", DriveFilePage), ...failsV3() },
  }),
  async (c) => c.json(await listDriveFiles(c.get("ctx"), c.req.valid("query")), 200),
);

drive.openapi(
  operation({
    method: "get",
    path: "/file",
    operationId: "getDriveFile",
    summary: "Get what is known of a file",
    description: "Its size, its ETag, when it was written, and where queries and sandboxes find it.",
    tags: EXTENSION,
    permission: "drive",
    request: { query: ofPath },
    responses: { 200: answers("The file", DriveFile), ...failsV3("invalid_path", "resource_not_found") },
  }),
  async (c) => c.json(await getDriveFile(c.get("ctx"), c.req.valid("query").path, "/query/path"), 200),
);

drive.openapi(
  operation({
    method: "delete",
    path: "/file",
    operationId: "deleteDriveFile",
    summary: "Delete a file",
    description: "For good. An upload URL that was given out before can bring it back while it lasts.",
    tags: EXTENSION,
    permission: "drive",
    request: { query: ofPath },
    responses: { 204: { description: "Deleted" }, ...failsV3("invalid_path", "resource_not_found") },
  }),
  async (c) => {
    await deleteDriveFile(c.get("ctx"), c.req.valid("query").path);
    return c.body(null, 204);
  },
);

drive.openapi(
  operation({
    method: "post",
    path: "/download-url",
    operationId: "createDownloadUrl",
    summary: "Get a URL to download a file from",
    description: "Takes a `GET` for 60 minutes, also of a range. Whoever holds it needs no key.",
    tags: EXTENSION,
    permission: "drive",
    request: { body: { required: true, ...json(NewDownloadUrl) } },
    responses: {
      200: answers("Where to get the file", DownloadUrl),
      ...failsV3("invalid_path", "resource_not_found", ...BODY_FAILURES_V3),
    },
  }),
  async (c) => c.json(await createDownloadUrl(c.get("ctx"), c.req.valid("json").path), 200),
);
