import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openBucket } from "../../../src/platform/bucket/bucket.ts";
import { UploadFailure } from "../../../src/platform/bucket/upload-failure.ts";

const over = (store: Partial<R2Bucket>) => openBucket({ ...env, BUCKET: store as R2Bucket });
/** A bucket whose uploads all fail so. */
const failing = (message: string) => {
  const fail = () => Promise.reject(new Error(message));
  return over({ resumeMultipartUpload: () => ({ complete: fail, abort: fail }) as unknown as R2MultipartUpload });
};
const upload = { objectKey: "key", storeUploadId: "id" };

describe("a bucket", () => {
  it("deletes any number of objects, a thousand at a time", async () => {
    const calls: number[] = [];
    const bucket = over({ delete: async (keys) => void calls.push(keys.length) });
    await bucket.delete(Array.from({ length: 2_001 }, (_, index) => String(index)));
    await bucket.delete([]);
    expect(calls).toEqual([1_000, 1_000, 1]);
  });

  it("lists objects and folders behind a key, and says whether there are more", async () => {
    const bucket = openBucket(env);
    for (const key of ["t/a", "t/b", "t/c/1", "t/c/2", "t/d"]) await env.BUCKET.put(key, "x");
    const page = await bucket.list({ prefix: "t/", delimiter: "/", after: "t/a", limit: 2 });
    expect([page.objects.map(({ key }) => key), page.folders, page.isComplete]).toEqual([["t/b"], ["t/c/"], false]);
    expect((await bucket.list({ prefix: "t/", limit: 1_000 })).isComplete).toBe(true);
    expect([(await bucket.find("t/a"))?.size, await bucket.find("t/none")]).toEqual([1, undefined]);
  });

  it.each([
    [10011, "part_too_small"],
    [10024, "missing"],
    [10025, "part_missing"],
    [10048, "part_sizes_differ"],
  ])("says by a reason what was wrong with an upload that R2 refuses with %d", async (code, reason) => {
    const error = await failing(`completeMultipartUpload: no (${code})`)
      .completeUpload(upload, [])
      .catch((e) => e);
    expect(error).toBeInstanceOf(UploadFailure);
    expect(error.reason).toBe(reason);
  });

  it("passes other failures on, and takes an upload that is not there for one that is dropped", async () => {
    await expect(failing("no (10001)").completeUpload(upload, [])).rejects.toThrow("no (10001)");
    await expect(failing("no (10001)").abortUpload(upload)).rejects.toThrow("no (10001)");
    await failing("no (10024)").abortUpload(upload);
  });
});
