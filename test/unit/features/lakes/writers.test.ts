import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LakeDescription, PlanAnswer, SignAnswer, SnapshotAnswer } from "../../../../kernel/lake/lake.ts";
import { UploadAnswer } from "../../../../kernel/lake/commit.ts";
import { WriterAnswer } from "../../../../kernel/lake/writer.ts";
import { rightsOf } from "../../../../src/core/scope.ts";
import { newId } from "../../../../src/core/ids.ts";
import { mintToken, type LakeToken } from "../../../../src/platform/crypto/token.ts";
import { append, createTable, inside, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";

async function post(path: string, token: string, body: object = {}) {
  const raw = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "content-length": String(raw.length),
    authorization: `Bearer ${token}`,
  };
  const response = await exports.default.fetch(`https://fjord.test/internal${path}`, {
    method: "POST",
    headers,
    body: raw,
  });
  return { status: response.status, body: (await response.json()) as { message: string } };
}

/** A lake with a table `t` of one file at snapshot 1 and of two at snapshot 2. */
async function newSample() {
  const lake = newLake();
  const writer = await newWriter(lake);
  await writer.commit([createTable("main", "t"), append("main", "t", writer.file("main", "t", 3))]);
  await writer.commit([append("main", "t", writer.file("main", "t", 5))]);
  return { ...lake, writer };
}

const openWriter = ({ lakeId }: { lakeId: string }, token: string, table?: { schema: string; name: string }) =>
  post(`/lakes/${lakeId}/writers`, token, { adds: true, ...(table && { table }) });

const lakeToken = (
  { teamId, lakeId }: { teamId: string; lakeId: string },
  snapshotId: number,
  writes?: LakeToken["writes"],
) =>
  mintToken(env as Env, {
    use: "lake",
    teamId,
    lakeId,
    snapshotId,
    reader: "everything",
    ...(writes && { writes }),
    expiresAt: Date.now() + 60_000,
  } satisfies LakeToken);

const writerToken = (lake: { teamId: string; lakeId: string }, statementId: string = newId()) =>
  lakeToken(lake, 2, { statementId, jobId: newId(), author: "Ada" });

describe("lake:write", () => {
  it("is an admin's right, and no member's", () => {
    expect([rightsOf("admin", false).includes("lake:write"), rightsOf("member", true).includes("lake:write")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("a query's token", () => {
  it("reads its own snapshot and those before it, and none after", async () => {
    const sample = await newSample();
    const at = (path: string, snapshotId: number, body: object = {}) =>
      lakeToken(sample, 1).then((token) => post(`/lakes/${sample.lakeId}/${path}`, token, { ...body, snapshotId }));
    expect(LakeDescription.parse((await at("describe", 0)).body).tables).toEqual([]);
    expect(PlanAnswer.parse((await at("plan", 1, { tableIds: [1] })).body).tables[0]?.files).toHaveLength(1);
    for (const [path, body] of [
      ["describe", {}],
      ["plan", { tableIds: [1] }],
      ["sign", { fileIds: [0] }],
    ] as const) {
      expect([path, (await at(path, 2, body)).status]).toEqual([path, 404]);
    }
    const token = await lakeToken(sample, 2);
    const signed = async (snapshotId: number) =>
      Object.keys(
        SignAnswer.parse((await post(`/lakes/${sample.lakeId}/sign`, token, { fileIds: [0, 1], snapshotId })).body)
          .urls,
      );
    expect([await signed(0), await signed(1), await signed(2)]).toEqual([[], ["0"], ["0", "1"]]);
  });

  it("learns which snapshot an instant means, none of them after its own", async () => {
    const sample = await newSample();
    await inside(sample, ({ storage }) => {
      for (const [id, day] of [
        [0, 1],
        [1, 2],
        [2, 3],
      ])
        storage.sql.exec(
          "UPDATE ducklake_snapshot SET snapshot_time = ? WHERE snapshot_id = ?",
          `2026-01-0${day} 00:00:00.000+00`,
          id!,
        );
    });
    const send = async (snapshotId: number, asked: object) =>
      SnapshotAnswer.parse(
        (await post(`/lakes/${sample.lakeId}/snapshots`, await lakeToken(sample, snapshotId), asked)).body,
      ).snapshotId;
    const ask = (snapshotId: number, at: string) => send(snapshotId, { at });
    expect([await send(2, { snapshotId: 1 }), await send(2, { snapshotId: 3 })]).toEqual([1, null]);
    expect(await ask(2, "2025-12-31T23:59:59Z")).toBeNull();
    expect([
      await ask(2, "2026-01-02T00:00:00Z"),
      await ask(2, "2026-01-02T23:59:59.999Z"),
      await ask(2, "2030-01-01T00:00:00Z"),
      await ask(1, "2030-01-01T00:00:00Z"),
    ]).toEqual([1, 1, 2, 1]);
  });
});

describe("a token that says its statement may write", () => {
  it("becomes leave to read the newest snapshot, to upload and to commit, once", async () => {
    const sample = await newSample();
    const statementId = newId();
    const token = await writerToken(sample, statementId);
    const leave = WriterAnswer.parse((await openWriter(sample, token, { schema: "main", name: "T" })).body);
    expect(leave).toMatchObject({
      key: `statement/${statementId}`,
      author: "Ada",
      snapshotId: 2,
      root: `s3://${(env as Env).BUCKET_NAME}/${sample.teamId}/lake/${sample.lakeId}/`,
      columnIdLast: 1,
    });
    expect((await post(`/lakes/${sample.lakeId}/describe`, leave.lakeToken)).status).toBe(200);
    const { uploads } = UploadAnswer.parse(
      (await post(`/jobs/${leave.jobId}/uploads`, leave.token, { tables: [{ schema: "main", name: "t" }] })).body,
    );
    const file = { path: uploads[0]!.path, bytes: 100, footerBytes: 10, rows: 2, statistics: [] };
    const commit = {
      key: leave.key,
      author: "Ada",
      message: "INSERT",
      actor: "user",
      baseSnapshotId: 2,
      changes: [append("main", "t", file)],
    };
    expect((await post(`/jobs/${leave.jobId}/commit`, leave.token, commit)).body).toEqual({
      snapshotId: 3,
      replayed: false,
    });
    expect((await post(`/jobs/${leave.jobId}/commit`, leave.token, commit)).body).toEqual({
      snapshotId: 3,
      replayed: true,
    });
    expect(await openWriter(sample, token)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("wrote snapshot 3") },
    });
  });

  it("is refused on a sync's table, with the sync's name and id", async () => {
    const sample = await newSample();
    await sample.catalog.claimTables({ owner: "sync:0198", name: "Shop" }, [{ schema: "main", name: "t" }]);
    const answer = await openWriter(sample, await writerToken(sample), { schema: "MAIN", name: "T" });
    expect(answer).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/belongs to the sync Shop \(0198\)/) },
    });
  });

  it("lets it write to its own lake, and is no other's leave to write", async () => {
    const [one, two] = [await newSample(), await newSample()];
    expect((await openWriter(two, await writerToken(one))).status).toBe(404);
    expect((await post(`/lakes/${one.lakeId}/writers/end`, await lakeToken(one, 2))).status).toBe(403);
    expect(await openWriter(one, await lakeToken(one, 2))).toMatchObject({
      status: 403,
      body: { message: "Writing to the lake needs the right lake:write." },
    });
    expect((await openWriter(one, one.writer.token ? await mintToken(env as Env, one.writer.token) : "")).status).toBe(
      401,
    );
  });

  it("runs beside others, and leaves no leases behind for long", async () => {
    const sample = await newSample();
    for (let i = 0; i < 15; i++) expect((await openWriter(sample, await writerToken(sample))).status).toBe(200);
    const count = async () =>
      (await rowsOf(sample, "SELECT count(*) AS n FROM fjord_leases WHERE name LIKE 'statement/%'"))[0]!.n;
    expect(await count()).toBe(15);
    await inside(sample, ({ storage }) =>
      storage.sql.exec("UPDATE fjord_leases SET expires_at_ms = 1 WHERE name LIKE 'statement/%'").toArray(),
    );
    for (let i = 0; i < 2; i++) await openWriter(sample, await writerToken(sample));
    expect(await count()).toBe(2);
  });

  it("of a lake that was removed is worth nothing", async () => {
    const sample = await newSample();
    const leave = WriterAnswer.parse((await openWriter(sample, await writerToken(sample))).body);
    await sample.catalog.destroy();
    expect(
      (await post(`/jobs/${leave.jobId}/uploads`, leave.token, { tables: [{ schema: "main", name: "t" }] })).status,
    ).toBe(409);
  });
});
