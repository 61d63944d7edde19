import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CommitAnswer, HeartbeatAnswer, LakeDescription, PlanAnswer, SignAnswer, UploadAnswer } from "../../../containers/engine/lake-protocol.ts";
import { newId } from "../../../src/core/ids.ts";
import { mintToken, type Token } from "../../../src/platform/token.ts";
import { append, createTable, newLake, newWriter } from "../../support/unit/lake.ts";

type Sent = { token?: Token; body?: unknown; raw?: string };

/** As a container calls; answers status and parsed body. */
async function post(path: string, { token, body = {}, raw = JSON.stringify(body) }: Sent) {
  const headers = { "content-type": "application/json", "content-length": String(new TextEncoder().encode(raw).length) };
  const authorization = token ? { authorization: `Bearer ${await mintToken(env as Env, token)}` } : {};
  const response = await exports.default.fetch(`https://fjord.test/internal${path}`, { method: "POST", headers: { ...headers, ...authorization }, body: raw });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function newSample() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const file = writer.file("main", "t", 3);
  await writer.commit([createTable("main", "t"), append("main", "t", file)]);
  const token: Token = { use: "lake", teamId: lake.teamId, lakeId: lake.lakeId, snapshotId: 1, expiresAt: Date.now() + 60_000 };
  return { ...lake, writer, file, token };
}

describe("a query's token", () => {
  it("describes, plans and signs its lake at its snapshot", async () => {
    const { lakeId, teamId, file, token, writer } = await newSample();
    await writer.commit([createTable("main", "later")]);
    const described = await post(`/lakes/${lakeId}/describe`, { token });
    expect(LakeDescription.parse(described.body)).toMatchObject({ snapshotId: 1, schemas: ["main"], tables: [{ tableId: 1, schema: "main", name: "t" }] });
    const planned = await post(`/lakes/${lakeId}/plan`, { token, body: { tableIds: [1, 2, 99] } });
    expect(PlanAnswer.parse(planned.body)).toEqual({ tables: [{ tableId: 1, files: [{ id: 0, path: file.path, bytes: 1_003, rows: 3, deletes: null }] }] });
    const signed = await post(`/lakes/${lakeId}/sign`, { token, body: { fileIds: [0, 5] } });
    const { urls } = SignAnswer.parse(signed.body);
    expect(Object.keys(urls)).toEqual(["0"]);
    expect(new URL(urls["0"]!).pathname).toContain(`/fjord/${teamId}/lake/${lakeId}/${file.path}`);
  });

  it("does nothing for another lake, and no job's work", async () => {
    const [one, two] = [await newSample(), await newSample()];
    expect(await post(`/lakes/${two.lakeId}/describe`, { token: one.token })).toMatchObject({ status: 404, body: { error: { code: "resource_not_found" } } });
    expect(await post(`/jobs/${one.writer.token.jobId}/uploads`, { token: one.token, body: { tables: [{ schema: "main", name: "t" }] } })).toMatchObject({ status: 401 });
    expect(await post(`/lakes/${one.lakeId}/describe`, { token: one.writer.token })).toMatchObject({ status: 401 });
  });

  it("is asked for everywhere", async () => {
    const { lakeId, token } = await newSample();
    for (const path of [`/lakes/${lakeId}/describe`, `/lakes/${lakeId}/plan`, `/lakes/${lakeId}/sign`, "/jobs/x/uploads", "/jobs/x/commit", "/jobs/x/heartbeat", "/jobs/x/log"]) {
      expect(await post(path, {})).toMatchObject({ status: 401, body: { success: false, error: { code: "auth_invalid_token" } } });
    }
    expect(await post(`/lakes/${lakeId}/describe`, { token: { ...token, expiresAt: Date.now() - 1 } })).toMatchObject({ status: 401 });
  });

  it("for a snapshot that is gone finds nothing", async () => {
    const { lakeId, token } = await newSample();
    expect(await post(`/lakes/${lakeId}/describe`, { token: { ...token, snapshotId: 9 } as Token })).toMatchObject({ status: 404 });
  });
});

describe("a job's token", () => {
  it("uploads under fresh paths that its commit may then name", async () => {
    const lake = newLake();
    const { token } = await newWriter(lake);
    const asked = await post(`/jobs/${token.jobId}/uploads`, { token, body: { tables: [{ schema: "S", name: "T" }, { schema: "S", name: "T" }] } });
    const { uploads } = UploadAnswer.parse(asked.body);
    expect(new Set(uploads.map(({ path }) => path)).size).toBe(2);
    for (const { path, url } of uploads) expect(new URL(url).pathname).toContain(`/${lake.teamId}/lake/${lake.lakeId}/${path}`);
    const files = uploads.map(({ path }) => ({ path, bytes: 10, footerBytes: 5, rows: 1, statistics: [] }));
    const commit = { key: "k", author: null, message: null, changes: [createTable("S", "T"), append("S", "T", ...files)] };
    const first = await post(`/jobs/${token.jobId}/commit`, { token, body: commit });
    expect(CommitAnswer.parse(first.body)).toEqual({ snapshotId: 1, replayed: false });
    const again = await post(`/jobs/${token.jobId}/commit`, { token, body: commit });
    expect(CommitAnswer.parse(again.body)).toEqual({ snapshotId: 1, replayed: true });
  });

  it("keeps its lease by a heartbeat, and is told to stop once it has lost it", async () => {
    const lake = newLake();
    const { token } = await newWriter(lake);
    expect(HeartbeatAnswer.parse((await post(`/jobs/${token.jobId}/heartbeat`, { token })).body)).toEqual({ cancelled: false });
    await lake.catalog.releaseLease(token.lease, token.fence);
    expect(HeartbeatAnswer.parse((await post(`/jobs/${token.jobId}/heartbeat`, { token })).body)).toEqual({ cancelled: true });
    const upload = { tables: [{ schema: "main", name: "t" }] };
    expect(await post(`/jobs/${token.jobId}/uploads`, { token, body: upload })).toMatchObject({ status: 409, body: { error: { retryable: false } } });
    const commit = { key: "k", author: null, message: null, changes: [createTable("main", "t")] };
    expect(await post(`/jobs/${token.jobId}/commit`, { token, body: commit })).toMatchObject({ status: 409 });
  });

  it("does nothing for another job", async () => {
    const { token } = await newWriter(newLake());
    expect(await post(`/jobs/${newId()}/heartbeat`, { token })).toMatchObject({ status: 404, body: { error: { code: "resource_not_found" } } });
  });

  it("logs bounded lines", async () => {
    const { token } = await newWriter(newLake());
    const line = { level: "info", message: "one" };
    expect(await post(`/jobs/${token.jobId}/log`, { token, body: { lines: [line] } })).toEqual({ status: 204, body: undefined });
    expect(await post(`/jobs/${token.jobId}/log`, { token, body: { lines: Array(101).fill(line) } })).toMatchObject({ status: 422 });
    expect(await post(`/jobs/${token.jobId}/log`, { token, body: { lines: [{ ...line, message: "x".repeat(5_000) }] } })).toMatchObject({ status: 422 });
  });
});

describe("a body of another form", () => {
  it("is refused with its flaws", async () => {
    const { lakeId, token } = await newSample();
    const refused = (pointer: string) => ({ status: 422, body: { success: false, error: { code: "validation_failed", flaws: [{ pointer }] } } });
    expect(await post(`/lakes/${lakeId}/plan`, { token, raw: "{" })).toMatchObject(refused(""));
    expect(await post(`/lakes/${lakeId}/plan`, { token, body: { tableIds: "all" } })).toMatchObject(refused("/tableIds"));
    expect(await post(`/lakes/${lakeId}/plan`, { token, body: { tableIds: [1], more: 1 } })).toMatchObject(refused("/more"));
    expect(await post(`/lakes/${lakeId}/sign`, { token, body: { fileIds: Array(501).fill(1) } })).toMatchObject(refused("/fileIds"));
  });

  it("is refused unread when it is larger than a commit may be", async () => {
    const { token } = await newWriter(newLake());
    expect(await post(`/jobs/${token.jobId}/commit`, { token, raw: " ".repeat(25 * 1024 * 1024) })).toMatchObject({ status: 413 });
  });
});
