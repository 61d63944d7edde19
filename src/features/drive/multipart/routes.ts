// /v3/drive/uploads: files too large for one PUT, in parts.

import { z } from "@hono/zod-openapi";
import { answers, BODY_FAILURES_V3, failsV3, json } from "../../../http/answer.ts";
import { countEvent } from "../../../http/count-event.ts";
import { operation } from "../../../http/operation.ts";
import { createV3Router } from "../../../http/router.ts";
import { cancelMultipartUpload } from "./cancel.ts";
import { completeMultipartUpload } from "./complete.ts";
import { createMultipartUpload } from "./create.ts";
import { DriveFile, MultipartUpload, NewMultipartUpload, PartNumbers, PartUrls, UploadedParts } from "../drive-file.ts";
import { signUploadParts } from "./sign-parts.ts";

export const driveUploads = createV3Router();

const TAGS = ["Drive", "Extensions"];
const params = z.object({ upload_id: z.string() });

driveUploads.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createMultipartUpload",
    summary: "Begin an upload in parts",
    description:
      "For files of up to 5 TB (R2 takes 4.995 TiB): get URLs for the parts, `PUT` each and keep the `ETag` of its " +
      "answer, then complete the upload. 426 as for a URL to upload a file to.",
    tags: TAGS,
    permission: "drive",
    request: { body: { required: true, ...json(NewMultipartUpload) } },
    responses: {
      201: answers("The upload", MultipartUpload),
      ...failsV3("business_quota_exceeded", "invalid_path", ...BODY_FAILURES_V3),
    },
  }),
  async (c) => {
    const upload = await createMultipartUpload(c.get("ctx"), c.req.valid("json").path);
    countEvent(c, "drive_upload");
    return c.json(upload, 201);
  },
);

driveUploads.openapi(
  operation({
    method: "post",
    path: "/{upload_id}/parts",
    operationId: "signUploadParts",
    summary: "Get URLs to upload parts to",
    description:
      "Each takes a `PUT` for 60 minutes; a part may be sent again. Parts are joined in the order of their numbers.",
    tags: TAGS,
    permission: "drive",
    request: { params, body: { required: true, ...json(PartNumbers) } },
    responses: { 200: answers("A URL for each part", PartUrls), ...failsV3("resource_not_found", ...BODY_FAILURES_V3) },
  }),
  async (c) =>
    c.json(await signUploadParts(c.get("ctx"), c.req.valid("param").upload_id, c.req.valid("json").part_numbers), 200),
);

driveUploads.openapi(
  operation({
    method: "post",
    path: "/{upload_id}/complete",
    operationId: "completeMultipartUpload",
    summary: "Make the parts one file",
    description:
      "The file appears whole, or not at all. Parts that are not named are dropped. If the answer was lost, a " +
      "second call is 404, and the file is there.",
    tags: TAGS,
    permission: "drive",
    request: { params, body: { required: true, ...json(UploadedParts) } },
    responses: { 200: answers("The file", DriveFile), ...failsV3("resource_not_found", ...BODY_FAILURES_V3) },
  }),
  async (c) =>
    c.json(await completeMultipartUpload(c.get("ctx"), c.req.valid("param").upload_id, c.req.valid("json")), 200),
);

driveUploads.openapi(
  operation({
    method: "delete",
    path: "/{upload_id}",
    operationId: "cancelMultipartUpload",
    summary: "Give an upload in parts up",
    description: "What was uploaded is dropped; so it is by itself when the upload expires.",
    tags: TAGS,
    permission: "drive",
    request: { params },
    responses: { 204: { description: "Its parts are dropped" }, ...failsV3("resource_not_found") },
  }),
  async (c) => {
    await cancelMultipartUpload(c.get("ctx"), c.req.valid("param").upload_id);
    return c.body(null, 204);
  },
);
