// /v3/drive/uploads: files too large for one PUT, in parts.

import { z } from "@hono/zod-openapi";
import { nothing, plain } from "../../../http/answer.ts";
import { countEvent } from "../../../http/count-event.ts";
import { createV3Router } from "../../../http/router.ts";
import { cancelMultipartUpload } from "./cancel.ts";
import { completeMultipartUpload } from "./complete.ts";
import { createMultipartUpload } from "./create.ts";
import { DriveFile, MultipartUpload, NewMultipartUpload, PartNumbers, PartUrls, UploadedParts } from "../drive-file.ts";
import { signUploadParts } from "./sign-parts.ts";

export const driveUploads = createV3Router(["Drive", "Extensions"]);

const params = z.object({ upload_id: z.string() });

driveUploads.operation("createMultipartUpload", "POST /", {
  permission: "drive",
  audit: "drive_upload.create",
  summary: "Begin an upload in parts",
  description:
    "For files of up to 5 TB (R2 takes 4.995 TiB): get URLs for the parts, `PUT` each and keep the `ETag` of its " +
    "answer, then complete the upload. 426 as for a URL to upload a file to.",
  body: NewMultipartUpload,
  answer: plain("The upload", MultipartUpload, 201),
  fails: ["business_quota_exceeded", "invalid_path"],
  run: async (ctx, { body }) => {
    const upload = await createMultipartUpload(ctx, body.path);
    countEvent(ctx, "drive_upload");
    return upload;
  },
});

driveUploads.operation("signUploadParts", "POST /{upload_id}/parts", {
  permission: "drive",
  audit: "none",
  summary: "Get URLs to upload parts to",
  description:
    "Each takes a `PUT` for 60 minutes; a part may be sent again. Parts are joined in the order of their numbers.",
  params,
  body: PartNumbers,
  answer: plain("A URL for each part", PartUrls),
  run: (ctx, { params, body }) => signUploadParts(ctx, params.upload_id, body.part_numbers),
});

driveUploads.operation("completeMultipartUpload", "POST /{upload_id}/complete", {
  permission: "drive",
  audit: "drive_upload.complete",
  summary: "Make the parts one file",
  description:
    "The file appears whole, or not at all. Parts that are not named are dropped. If the answer was lost, a " +
    "second call is 404, and the file is there.",
  params,
  body: UploadedParts,
  answer: plain("The file", DriveFile),
  run: (ctx, { params, body }) => completeMultipartUpload(ctx, params.upload_id, body),
});

driveUploads.operation("cancelMultipartUpload", "DELETE /{upload_id}", {
  permission: "drive",
  audit: "drive_upload.cancel",
  summary: "Give an upload in parts up",
  description: "What was uploaded is dropped; so it is by itself when the upload expires.",
  params,
  answer: nothing("Its parts are dropped"),
  run: (ctx, { params }) => cancelMultipartUpload(ctx, params.upload_id),
});
