// A request is one of S3's operations, as far as credentials tell them apart.

import type { IncomingHttpHeaders } from "node:http";

const COPY_SOURCE = "x-amz-copy-source";
/** Any other parameter may ask for another thing than the object: its tags, its rights. */
const ABOUT_OBJECTS = /^(X-Amz-.+|x-id|response-.+|partNumber|uploadId)$/;

/** `Other` for all that nobody here is ever given leave to do. */
export function operationOf(method: string, key: string, query: URLSearchParams, headers: IncomingHttpHeaders): string {
  const copies = headers[COPY_SOURCE] !== undefined;
  const isOfUpload = query.has("uploadId");
  if (key === "")
    return method === "GET" ? (query.get("list-type") === "2" ? "ListObjectsV2" : "ListObjectsV1") : "Other";
  if (![...query.keys()].every((name) => ABOUT_OBJECTS.test(name))) return "Other";
  switch (method) {
    case "GET":
      return isOfUpload ? "ListParts" : "GetObject";
    case "HEAD":
      return "HeadObject";
    case "PUT":
      if (isOfUpload || query.has("partNumber")) return copies ? "UploadPartCopy" : "UploadPart";
      return copies ? "CopyObject" : "PutObject";
    case "DELETE":
      return isOfUpload ? "AbortMultipartUpload" : "DeleteObject";
    default:
      return "Other";
  }
}

/** The bucket and key that a copy reads, without a slash before them; what can't be read is in no bucket. */
export function sourceOf(headers: IncomingHttpHeaders): string | undefined {
  const source = headers[COPY_SOURCE];
  if (source === undefined) return undefined;
  try {
    return decodeURIComponent(String(source).split("?")[0]!).replace(/^\//, "");
  } catch {
    return "";
  }
}
