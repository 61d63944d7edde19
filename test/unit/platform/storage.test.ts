import { Buffer } from "node:buffer";
import { AwsV4Signer } from "aws4fetch";
import { describe, expect, it } from "vitest";
import { BUCKET_LIMITS } from "../../../src/platform/bucket/limits.ts";
import { signGet, signPart, signPut } from "../../../src/platform/bucket/signed-urls.ts";

const ENV = {
  S3_ENDPOINT: "http://127.0.0.1:8787/cdn-cgi/local/r2/s3/",
  BUCKET_NAME: "fjord",
  S3_ACCESS_KEY_ID: "local",
  S3_SECRET_ACCESS_KEY: "local-only",
};

const tokenOf = (url: string): string => new URL(url).searchParams.get("X-Amz-Security-Token")!;
const claimsOf = (url: string): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(Buffer.from(atob(tokenOf(url)).split(".")[1]!, "base64url"))) as Record<
    string,
    unknown
  >;

// That a bucket takes these signatures, and what it refuses their holders, is shown end to end, where there is one to
// ask.
describe("a signed URL", () => {
  it("names one object below the endpoint and the bucket, and its end", () => {
    const url = new URL(signGet(ENV, "team/lake/one/main/t/file.parquet"));
    expect(url.origin + url.pathname).toBe(
      "http://127.0.0.1:8787/cdn-cgi/local/r2/s3/fjord/team/lake/one/main/t/file.parquet",
    );
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      "X-Amz-Expires": String(BUCKET_LIMITS.signedUrlSeconds),
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-SignedHeaders": "host",
      "X-Amz-Credential": expect.stringMatching(/^local\/\d{8}\/auto\/s3\/aws4_request$/),
      "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("never holds the secret", () => {
    expect(signPut(ENV, "key")).not.toContain("local-only");
    expect(atob(tokenOf(signPut(ENV, "key")))).not.toContain("local-only");
  });

  it.each([
    ["to read", () => signGet(ENV, "a/é b.csv"), { scope: "object-read-only", actions: ["GetObject"] }],
    ["to write", () => signPut(ENV, "a/é b.csv"), { scope: "object-read-write", actions: ["PutObject"] }],
    [
      "of a part",
      () => signPart(ENV, "a/é b.csv", "upload", 1),
      { scope: "object-read-write", actions: ["UploadPart"] },
    ],
  ])("%s is signed by a credential for that action on that object, which ends with it", (_, sign, allowed) => {
    const url = sign();
    const claims = claimsOf(url);
    expect(claims).toMatchObject({
      ...allowed,
      bucket: "fjord",
      paths: { prefixPaths: [], objectPaths: ["a/é b.csv"] },
      iss: "local",
      sub: "127",
      aud: "127.0.0.1:8787",
    });
    expect(claims["exp"]).toBe((claims["iat"] as number) + BUCKET_LIMITS.signedUrlSeconds);
  });

  it("names the account as the endpoint does, with or without a jurisdiction", () => {
    for (const host of ["abc123.r2.cloudflarestorage.com", "abc123.eu.r2.cloudflarestorage.com"]) {
      expect(claimsOf(signGet({ ...ENV, S3_ENDPOINT: `https://${host}` }, "key"))).toMatchObject({
        sub: "abc123",
        aud: host,
      });
    }
  });

  it("is what another signer makes of the same credential", async () => {
    const made = [
      ["GET", signGet(ENV, "a b/c+d/e?f#g/(é)'*!%2F")],
      ["PUT", signPut(ENV, "key")],
      ["PUT", signPart(ENV, "key", "an upload/+", 7)],
    ] as const;
    for (const [method, url] of made) {
      const token = tokenOf(url);
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(atob(token).slice("jwt/".length)));
      const secretAccessKey = Buffer.from(digest).toString("hex");
      const bare = new URL(url);
      bare.searchParams.delete("X-Amz-Signature");
      const other = new AwsV4Signer({
        method,
        url: bare.href,
        accessKeyId: "local",
        secretAccessKey,
        sessionToken: token,
        service: "s3",
        region: "auto",
        datetime: bare.searchParams.get("X-Amz-Date")!,
        signQuery: true,
      });
      expect(new URL(url).searchParams.get("X-Amz-Signature")).toBe(await other.signature());
    }
  });

  it("escapes what a key may hold, so that no key can mean another", () => {
    const { pathname, search } = new URL(signGet(ENV, "a b/c+d/e?f#g/(é)'*!%2F"));
    expect(pathname).toBe("/cdn-cgi/local/r2/s3/fjord/a%20b/c%2Bd/e%3Ff%23g/%28%C3%A9%29%27%2A%21%252F");
    expect(search).not.toContain("f%23g");
  });

  it("to read does not also write", () => {
    const signature = (url: string) => new URL(url).searchParams.get("X-Amz-Signature");
    expect(signature(signGet(ENV, "key"))).not.toBe(signature(signPut(ENV, "key")));
  });

  it("of a part names the upload and the part, and signs both", () => {
    const { searchParams } = new URL(signPart(ENV, "key", "an upload/+", 7));
    expect([searchParams.get("uploadId"), searchParams.get("partNumber")]).toEqual(["an upload/+", "7"]);
    const signature = (part: number) =>
      new URL(signPart(ENV, "key", "an upload/+", part)).searchParams.get("X-Amz-Signature");
    expect(signature(8)).not.toBe(signature(7));
  });

  it("follows a change of the credentials", () => {
    const changed = signGet({ ...ENV, S3_ACCESS_KEY_ID: "next" }, "key");
    expect(new URL(changed).searchParams.get("X-Amz-Credential")).toMatch(/^next\//);
    expect(signGet(ENV, "key")).not.toBe(changed);
  });
});
