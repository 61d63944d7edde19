import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/core/limits.ts";
import { signGet, signPart, signPut } from "../../../src/platform/storage.ts";

const env = {
  S3_ENDPOINT: "http://127.0.0.1:8787/cdn-cgi/local/r2/s3/",
  BUCKET_NAME: "fjord",
  S3_ACCESS_KEY_ID: "local",
  S3_SECRET_ACCESS_KEY: "local-only",
};

// That the bucket takes these signatures is shown end to end, where there is one to ask.
describe("a signed URL", () => {
  it("names one object below the endpoint and the bucket, and its end", async () => {
    const url = new URL(await signGet(env, "team/lake/one/main/t/file.parquet"));
    expect(url.origin + url.pathname).toBe("http://127.0.0.1:8787/cdn-cgi/local/r2/s3/fjord/team/lake/one/main/t/file.parquet");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      "X-Amz-Expires": String(LIMITS.signedUrlSeconds),
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-SignedHeaders": "host",
      "X-Amz-Credential": expect.stringMatching(/^local\/\d{8}\/auto\/s3\/aws4_request$/),
      "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("never holds the secret", async () => {
    expect(await signPut(env, "key")).not.toContain("local-only");
  });

  it("escapes what a key may hold, so that no key can mean another", async () => {
    const { pathname, search } = new URL(await signGet(env, "a b/c+d/e?f#g/(é)'*!%2F"));
    expect(pathname).toBe("/cdn-cgi/local/r2/s3/fjord/a%20b/c%2Bd/e%3Ff%23g/%28%C3%A9%29%27%2A%21%252F");
    expect(search).not.toContain("f%23g");
  });

  it("to read does not also write", async () => {
    const signature = (url: string) => new URL(url).searchParams.get("X-Amz-Signature");
    expect(signature(await signGet(env, "key"))).not.toBe(signature(await signPut(env, "key")));
  });

  it("of a part names the upload and the part, and signs both", async () => {
    const { searchParams } = new URL(await signPart(env, "key", "an upload/+", 7));
    expect([searchParams.get("uploadId"), searchParams.get("partNumber")]).toEqual(["an upload/+", "7"]);
    const signature = async (part: number) => new URL(await signPart(env, "key", "an upload/+", part)).searchParams.get("X-Amz-Signature");
    expect(await signature(8)).not.toBe(await signature(7));
  });

  it("follows a change of the credentials", async () => {
    const changed = await signGet({ ...env, S3_ACCESS_KEY_ID: "next" }, "key");
    expect(new URL(changed).searchParams.get("X-Amz-Credential")).toMatch(/^next\//);
    expect(await signGet(env, "key")).not.toBe(changed);
  });
});
