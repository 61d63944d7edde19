// What a signed URL is good for, and what not: asked of the storage by somebody who holds one and wants more.

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { root } from "../../support/node/platform/platform.ts";
import { signAsHolder, type Wish } from "../../support/node/platform/url-holder.ts";
import { call, newTeam } from "../client.ts";

type Storage = { signPut(env: object, key: string): string };

const SECRET = "nobody else's";
/** A request within a request. */
const SECOND = "GET /fjord/?list-type=2 HTTP/1.1\r\nHost: x\r\n\r\n";
let victim: { id: string; path: string };
let team: { id: string; key: string };
/** URLs of one team to write, by what gives them out. */
const URLS: Record<string, string> = {};

const uploadUrl = async (path: string, key?: string): Promise<string> =>
  (await call<{ upload_url: string }>("POST", "/v3/drive/upload-url", { body: { path }, ...(key ? { key } : {}) })).body
    .upload_url;
const downloadUrl = (path: string, key: string) =>
  call<{ download_url: string }>("POST", "/v3/drive/download-url", { body: { path }, key });

/** The platform's own signer, for URLs that only its containers are given. */
async function signLikeThePlatform(key: string): Promise<string> {
  const { signPut } = (await import(join(root, "src/platform/bucket/signed-urls.ts"))) as Storage;
  const secrets = JSON.parse(await readFile(join(inject("platform").state, "secrets.json"), "utf8")) as object;
  return signPut({ ...secrets, S3_ENDPOINT: new URL(URLS["an upload"]!).origin, BUCKET_NAME: "fjord" }, key);
}

/** What `fetch` does not send: a body with any method, in chunks where no length is said. */
const sendBody = (url: string, method: string, headers: Record<string, string>, body: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode!, text: body }), reject);
    });
    sent.on("error", reject).end(body);
  });

beforeAll(async () => {
  const { body: me } = await call<{ data: { team: { id: string } } }>("GET", "/v4/me");
  victim = { id: me.data.team.id, path: `/fjord/${me.data.team.id}/drive/x.csv` };
  expect((await fetch(await uploadUrl("x.csv"), { method: "PUT", body: SECRET })).status).toBe(200);
  team = await newTeam("B");

  URLS["an upload"] = await uploadUrl("mine.csv", team.key);
  const { body: upload } = await call<{ upload_id: string }>("POST", "/v3/drive/uploads", {
    body: { path: "parts.bin" },
    key: team.key,
  });
  const { body: signed } = await call<{ parts: { upload_url: string }[] }>(
    "POST",
    `/v3/drive/uploads/${upload.upload_id}/parts`,
    { body: { part_numbers: [1] }, key: team.key },
  );
  URLS["a part"] = signed.parts[0]!.upload_url;
  URLS["a run's result"] = await signLikeThePlatform(`${team.id}/results/${randomUUID()}/${randomUUID()}`);
  URLS["an engine's upload"] = await signLikeThePlatform(
    `${team.id}/lake/${randomUUID()}/main/t/${randomUUID()}.parquet`,
  );
});

describe.each(["an upload", "a part", "a run's result", "an engine's upload"])("the URL of %s", (kind) => {
  const ask = (url: string, method: string, headers: Record<string, string> = {}) =>
    fetch(url, { method, headers, ...(method === "PUT" ? { body: "x" } : {}) });
  const askAsHolder = async (wish: Wish) => ask(await signAsHolder(URLS[kind]!, wish), wish.method, wish.headers);

  it("copies no other team's object, whether or not the header is signed", async () => {
    const headers = { "x-amz-copy-source": victim.path };
    const unsigned = await ask(URLS[kind]!, "PUT", headers);
    expect([unsigned.status, await unsigned.text()]).toEqual([
      403,
      expect.stringContaining("headers present in the request which were not signed"),
    ]);
    const query = Object.fromEntries(
      [...new URL(URLS[kind]!).searchParams].filter(([name]) => !name.startsWith("X-Amz-")),
    );
    const signed = await askAsHolder({ method: "PUT", query, headers });
    expect([signed.status, await signed.text()]).toEqual([
      403,
      expect.stringMatching(/not good for (CopyObject|UploadPartCopy)/),
    ]);
  });

  it.each<[string, () => Wish]>([
    ["reads nothing, not even what it wrote", () => ({ method: "GET" })],
    ["reads no other object", () => ({ method: "GET", path: victim.path })],
    ["lists nothing", () => ({ method: "GET", path: "/fjord/", query: { "list-type": "2", prefix: victim.id } })],
    ["deletes nothing", () => ({ method: "DELETE", path: victim.path })],
    ["writes no other object", () => ({ method: "PUT", path: victim.path })],
    ["writes no object beside its own", () => ({ method: "PUT", path: `${new URL(URLS[kind]!).pathname}x` })],
    ["changes nothing about its object", () => ({ method: "PUT", query: { tagging: "" } })],
  ])("%s, with all that can be made of it", async (_, wish) => {
    const answer = await askAsHolder(wish());
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining("These credentials are not good for"),
    ]);
  });

  it("writes what it is for, again and again", async () => {
    const isPart = kind === "a part";
    for (const body of ["one", "two"]) {
      const put = await fetch(URLS[kind]!, { method: "PUT", body, headers: { "content-type": "text/csv" } });
      expect(put.status).toBe(200);
    }
    if (!isPart) expect((await fetch(await signAsHolder(URLS[kind]!, { method: "GET" }))).status).toBe(403);
    if (kind !== "an upload") return;
    expect(await (await fetch((await downloadUrl("mine.csv", team.key)).body.download_url)).text()).toBe("two");
  });
});

describe("the URL of a download", () => {
  it("reads its object alone, in ranges and under conditions, and writes nothing", async () => {
    await fetch(await uploadUrl("ranged.csv", team.key), { method: "PUT", body: "0123456789" });
    const url = (await downloadUrl("ranged.csv", team.key)).body.download_url;
    const whole = await fetch(url);
    expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
    const range = await fetch(url, { headers: { range: "bytes=2-4" } });
    expect([range.status, range.headers.get("content-range"), await range.text()]).toEqual([
      206,
      "bytes 2-4/10",
      "234",
    ]);
    expect((await fetch(url, { headers: { "if-match": '"other"' } })).status).toBe(412);
    expect((await fetch(url, { headers: { "if-none-match": whole.headers.get("etag")! } })).status).toBe(304);
    for (const wish of [
      { method: "GET", path: victim.path },
      { method: "PUT" },
      { method: "DELETE" },
      { method: "GET", path: "/fjord/", query: { "list-type": "2" } },
    ]) {
      const answer = await fetch(await signAsHolder(url, wish), {
        method: wish.method,
        ...(wish.method === "PUT" ? { body: "x" } : {}),
      });
      expect([wish, answer.status]).toEqual([wish, 403]);
    }
  });

  it.each<[string, string, Record<string, string>, number]>([
    ["GET", "in chunks", { "transfer-encoding": "chunked" }, 400],
    ["GET", "of a length", { "content-length": String(SECOND.length) }, 400],
    ["PUT", "in chunks", { "transfer-encoding": "chunked" }, 411],
  ])("carries no second request in the body of a %s %s", async (method, _, headers, status) => {
    const url = method === "PUT" ? URLS["an upload"]! : (await downloadUrl("ranged.csv", team.key)).body.download_url;
    const answer = await sendBody(url, method, headers, SECOND);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/<Code>(InvalidRequest|MissingContentLength)<\/Code>/);
  });

  it("is none without its token, with a token of somebody else's making, or with one parameter twice", async () => {
    const url = (await downloadUrl("ranged.csv", team.key)).body.download_url;
    const token = new URL(url).searchParams.get("X-Amz-Security-Token")!;
    const [header, claims] = Buffer.from(token, "base64").toString().replace("jwt/", "").split(".") as [string, string];
    const wider = Buffer.from(Buffer.from(claims, "base64url").toString().replace("ranged.csv", "x.csv")).toString(
      "base64url",
    );
    const forged = (jwt: string) =>
      url.replace(encodeURIComponent(token), encodeURIComponent(Buffer.from(`jwt/${jwt}`).toString("base64")));
    for (const other of [
      url.replace(/&X-Amz-Security-Token=[^&]*/, ""),
      forged(`${header}.${wider}.`),
      forged(`${header}.${claims}.AAAA`),
      `${url}&X-Amz-Date=20260101T000000Z`,
    ]) {
      expect((await fetch(other)).status).toBeGreaterThanOrEqual(400);
    }
  });
});

it("a run's code copies no other team's object by a URL of its own", async () => {
  const code = `
import os, requests
base, key = os.environ["SERVICE_API_BASE_URL"], {"Authorization": "Bearer " + os.environ["SERVICE_API_KEY"]}
ask = lambda verb: requests.post(base + "/v3/drive/" + verb, json={"path": "taken.csv"}, headers=key).json()
url = ask("upload-url")["upload_url"]
copied = requests.put(url, headers={"x-amz-copy-source": ${JSON.stringify(victim.path)}})
sent = requests.put(url, data=b"own")
result = {"copied": copied.status_code, "why": copied.text, "sent": sent.status_code, "read": requests.get(ask("download-url")["download_url"], headers={"Range": "bytes=0-1"}).text}`;
  const definition = {
    version: 1,
    kind: "pipeline",
    metadata: { name: "Thief" },
    datasets: { main: { engine: "python", code, timeoutMs: 60_000 } },
  };
  const { body: doc } = await call<{ data: { id: string } }>("POST", "/v4/docs", { body: definition, key: team.key });
  const { body: ran } = await call<{ data: { results: { main: { executionId: string; error: string | null } } } }>(
    "POST",
    `/v4/webhook/docs/${doc.data.id}/execute`,
    { body: {}, key: team.key },
  );
  const { executionId, error } = ran.data.results.main;
  expect(error).toBeNull();
  const { body: execution } = await call<{ data: { result: { download_url: string } } }>(
    "GET",
    `/v4/executions/${executionId}`,
    { key: team.key },
  );
  const result = (await (await fetch(execution.data.result.download_url)).json()) as Record<string, unknown>;
  expect(result).toMatchObject({
    copied: 403,
    why: expect.stringContaining("x-amz-copy-source") as string,
    sent: 200,
    read: "ow",
  });
}, 120_000);
