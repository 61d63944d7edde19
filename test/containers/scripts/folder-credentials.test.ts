// What the credential of a table's folder is good for, and what not: asked of the storage by a holder who wants more.
// The storage is this machine's, which checks requests as R2 says that it does.

import { AwsV4Signer } from "aws4fetch";
import { describe, expect, it } from "vitest";
import { authorize } from "../../../scripts/start/storage/authorize.ts";
import { grantFolder, type TemporaryCredentials } from "../../../src/platform/bucket/temporary-credentials.ts";

const STORAGE = { accessKeyId: "parent", secretAccessKey: "parent's secret", bucket: "fjord" };
const PARENT = {
  id: STORAGE.accessKeyId,
  secret: STORAGE.secretAccessKey,
  endpoint: new URL("http://127.0.0.1:9000"),
  bucket: STORAGE.bucket,
};
const LAKE = "team/lake/one/";
const FOLDER = `${LAKE}main/t/`;
const OBJECT = `/fjord/${FOLDER}data.parquet`;
const NOW = new Date("2026-01-01T00:00:00Z");
const HOUR = 3_600;

const granted = (prefix = FOLDER): TemporaryCredentials => grantFolder(PARENT, { prefix, now: NOW, seconds: HOUR });

type Wish = {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** Sent, and not signed. */
  unsigned?: Record<string, string>;
  credentials?: TemporaryCredentials;
  /** When it is signed, in seconds after the credential was made, and how much later it arrives. */
  after?: number;
  delay?: number;
  signQuery?: boolean;
};

async function ask({
  method = "GET",
  path = OBJECT,
  headers = {},
  unsigned = {},
  credentials = granted(),
  after = 0,
  delay = 0,
  signQuery = false,
}: Wish = {}): Promise<string> {
  const signedAt = NOW.getTime() + after * 1_000;
  const url = new URL(`http://storage.test${path}`);
  if (signQuery) url.searchParams.set("X-Amz-Expires", "86400");
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers,
    accessKeyId: credentials.id,
    secretAccessKey: credentials.secret,
    sessionToken: credentials.sessionToken,
    service: "s3",
    region: "auto",
    datetime: new Date(signedAt).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    signQuery,
  });
  const signed = await signer.sign();
  const sent = new URL(signed.url);
  const request = {
    method,
    // The path as it was wished for: a URL would have folded dots.
    url: (path.split("?")[0] ?? "") + sent.search,
    headers: { host: "storage.test", ...Object.fromEntries(new Headers(signed.headers)), ...unsigned },
  };
  return (await authorize(STORAGE, request, new Date(signedAt + delay * 1_000))).path;
}

const refusal = (code: string, message = "") => ({ code, message: expect.stringContaining(message) });
const NOT_GOOD = refusal("AccessDenied", "These credentials are not good for");

describe("the credential of a table's folder", () => {
  it("reads each object in it, in ranges too, and says whether one is there", async () => {
    for (const wish of [
      {},
      { method: "HEAD" },
      { headers: { range: "bytes=0-3" } },
      { unsigned: { range: "bytes=0-3", "user-agent": "a client" } },
      { path: `/fjord/${FOLDER}metadata/list-1-3.avro` },
      { signQuery: true },
    ])
      expect(await ask(wish)).toBe(wish.path ?? OBJECT);
  });

  it.each([
    ["another table's", `${LAKE}main/u/data.parquet`],
    ["a table's whose name begins alike", `${LAKE}main/t2/data.parquet`],
    ["the schema's other folders", `${LAKE}main/`],
    ["the folder's own name without its slash", `${LAKE}main/t`],
    ["another schema's", `${LAKE}other/t/data.parquet`],
    ["another lake's", "team/lake/two/main/t/data.parquet"],
    ["another team's", "other/lake/one/main/t/data.parquet"],
    ["the drive's", "team/drive/x.csv"],
  ])("reads no object of %s", async (_, key) => {
    for (const method of ["GET", "HEAD"])
      for (const signQuery of [false, true])
        await expect(ask({ path: `/fjord/${key}`, method, signQuery })).rejects.toMatchObject(NOT_GOOD);
  });

  it("reads nothing of another bucket, nor beside the folder by dots", async () => {
    await expect(ask({ path: `/other/${FOLDER}data.parquet` })).rejects.toMatchObject(NOT_GOOD);
    for (const dots of ["..", "%2e%2e", ".%2E"]) {
      const path = `/fjord/${FOLDER}${dots}/u/data.parquet`;
      await expect(ask({ path })).rejects.toMatchObject(refusal("InvalidURI"));
    }
  });

  it.each(["PUT", "DELETE", "POST"])("does not %s, signed in headers or in a URL", async (method) => {
    await expect(ask({ method })).rejects.toMatchObject(refusal("AccessDenied", "only reading in headers"));
    await expect(ask({ method, signQuery: true })).rejects.toMatchObject(NOT_GOOD);
  });

  it("lists nothing, and tells nothing about an object but what it is", async () => {
    for (const path of [
      "/fjord/",
      `/fjord/?list-type=2&prefix=${encodeURIComponent(FOLDER)}`,
      `/fjord/?prefix=${encodeURIComponent(FOLDER)}`,
      `${OBJECT}?tagging`,
      `${OBJECT}?acl`,
      `${OBJECT}?uploadId=u`,
    ])
      await expect(ask({ path })).rejects.toMatchObject(NOT_GOOD);
  });

  it("copies nothing, whether or not the header is signed", async () => {
    const header = { "x-amz-copy-source": OBJECT };
    await expect(ask({ method: "PUT", headers: header, signQuery: true })).rejects.toMatchObject({ status: 403 });
    await expect(ask({ unsigned: header })).rejects.toMatchObject(refusal("AccessDenied", "not signed"));
  });

  it("ends after its hour, however fresh the signature", async () => {
    expect(await ask({ after: HOUR - 1 })).toBe(OBJECT);
    for (const signQuery of [false, true])
      await expect(ask({ after: HOUR + 1, signQuery })).rejects.toMatchObject(refusal("AccessDenied", "has expired"));
  });

  it("signs no request that is good for longer than a quarter of an hour, unless a URL says so", async () => {
    expect(await ask({ delay: 14 * 60 })).toBe(OBJECT);
    await expect(ask({ delay: 16 * 60 })).rejects.toMatchObject(refusal("ExpiredRequest"));
    expect(await ask({ delay: 16 * 60, signQuery: true })).toBe(OBJECT);
  });

  it("is not widened by whoever holds it", async () => {
    const { id, secret, sessionToken } = granted();
    const [header = "", content = "", signature = ""] = Buffer.from(sessionToken, "base64")
      .toString()
      .replace(/^jwt\//, "")
      .split(".");
    const claims = JSON.parse(Buffer.from(content, "base64url").toString()) as Record<string, unknown>;
    const wider = [
      { ...claims, paths: { prefixPaths: ["team/"], objectPaths: [] } },
      { ...claims, scope: "object-read-write", actions: ["PutObject"] },
      { ...claims, exp: (claims["exp"] as number) + 1e6 },
    ];
    for (const each of wider) {
      const jwt = [header, Buffer.from(JSON.stringify(each)).toString("base64url"), signature].join(".");
      const credentials = { id, secret, sessionToken: Buffer.from(`jwt/${jwt}`).toString("base64") };
      await expect(ask({ credentials })).rejects.toMatchObject(refusal("AccessDenied", "session token is not valid"));
    }
    const unsigned = [Buffer.from('{"alg":"none"}').toString("base64url"), content, ""].join(".");
    const none = { id, secret, sessionToken: Buffer.from(`jwt/${unsigned}`).toString("base64") };
    await expect(ask({ credentials: none })).rejects.toMatchObject(refusal("AccessDenied", "session token"));
  });

  it("is signed with its own secret and its parent's id, and with no other table's", async () => {
    const mine = granted();
    const other = granted(`${LAKE}main/u/`);
    const mixed = [
      { ...mine, secret: other.secret },
      { ...mine, sessionToken: other.sessionToken },
      { ...mine, id: "somebody" },
    ];
    for (const credentials of mixed)
      await expect(ask({ credentials })).rejects.toMatchObject(refusal("SignatureDoesNotMatch"));
  });

  it("does not hold its parent's secret", () => {
    const { id, secret, sessionToken } = granted();
    for (const text of [id, secret, Buffer.from(sessionToken, "base64").toString()])
      expect(text).not.toContain(STORAGE.secretAccessKey);
  });

  it.each(["", "team/lake/one/main/t"])("is not made for %j, which is no folder", (prefix) => {
    expect(() => granted(prefix)).toThrow("no folder");
  });
});

describe("a request without a credential", () => {
  it("is refused, whatever its headers say", async () => {
    for (const authorization of ["", "Bearer key", "AWS4-HMAC-SHA256 Credential=a/b/c/s3/aws4_request"]) {
      const headers = { host: "storage.test", authorization };
      await expect(authorize(STORAGE, { method: "GET", url: OBJECT, headers }, NOW)).rejects.toMatchObject({
        status: 403,
      });
    }
  });
});
