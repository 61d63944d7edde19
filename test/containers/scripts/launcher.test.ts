// The launcher's decisions, apart from the processes they are about.

import { expect, it } from "vitest";
import { mayRestart } from "../../../scripts/start/restart-server.ts";
import { permits } from "../../../scripts/start/storage/session.ts";
import { operationOf } from "../../../scripts/start/storage/operation.ts";

it("starts a runtime that died again, five times within ten minutes", () => {
  const minutes = (...at: number[]) => at.map((minute) => minute * 60_000);
  const nowMs = 20 * 60_000;
  expect(mayRestart([], nowMs)).toBe(true);
  expect(mayRestart(minutes(11, 12, 13, 14), nowMs)).toBe(true);
  expect(mayRestart(minutes(11, 12, 13, 14, 19), nowMs)).toBe(false);
  expect(mayRestart(minutes(1, 2, 3, 4, 5, 6, 7, 19), nowMs)).toBe(true);
});

it.each<[string, string, string, Record<string, string>, string]>([
  ["PUT", "a", "", {}, "PutObject"],
  ["PUT", "a", "", { "x-amz-copy-source": "b/c" }, "CopyObject"],
  ["PUT", "a", "partNumber=1&uploadId=u", {}, "UploadPart"],
  ["PUT", "a", "partNumber=1&uploadId=u", { "x-amz-copy-source": "b/c" }, "UploadPartCopy"],
  ["PUT", "a", "tagging=", {}, "Other"],
  ["GET", "a", "response-content-type=x", {}, "GetObject"],
  ["GET", "a", "uploadId=u", {}, "ListParts"],
  ["GET", "a", "acl=", {}, "Other"],
  ["GET", "", "list-type=2", {}, "ListObjectsV2"],
  ["HEAD", "a", "", {}, "HeadObject"],
  ["DELETE", "a", "", {}, "DeleteObject"],
  ["POST", "a", "uploads=", {}, "Other"],
])("distinguishes the storage's operations: %s %s ?%s %j is %s", (method, key, query, headers, operation) =>
  expect(operationOf(method, key, new URLSearchParams(query), headers)).toBe(operation),
);

it("narrows credentials by bucket, scope, action and path, of what a copy reads too", () => {
  const claims = { bucket: "b", scope: "object-read-write" as const, iss: "k", exp: 0 };
  const paths = { prefixPaths: ["in/"], objectPaths: ["one"] };
  const copy = (source: string) =>
    permits({ ...claims, paths }, { operation: "CopyObject", bucket: "b", key: "one", source });
  expect([
    permits(claims, { operation: "PutObject", bucket: "b", key: "x" }),
    permits(claims, { operation: "PutObject", bucket: "other", key: "x" }),
  ]).toEqual([true, false]);
  expect(permits({ ...claims, scope: "object-read-only" }, { operation: "PutObject", bucket: "b", key: "x" })).toBe(
    false,
  );
  expect(permits({ ...claims, actions: ["GetObject"] }, { operation: "PutObject", bucket: "b", key: "x" })).toBe(false);
  expect(
    ["one", "in/x", "ones", "out/one"].map((key) =>
      permits({ ...claims, paths }, { operation: "PutObject", bucket: "b", key }),
    ),
  ).toEqual([true, true, false, false]);
  expect([copy("b/in/x"), copy("b/out"), copy("other/in/x"), copy("")]).toEqual([true, false, false, false]);
});
