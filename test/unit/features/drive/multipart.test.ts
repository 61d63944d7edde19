import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { objectKeyOf } from "../../../../src/features/drive/object-key.ts";
import { sweepDrive } from "../../../../src/features/drive/sweep.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const PART = 5 * 1024 * 1024;

const begin = async (team: TestTeam, path = "large.bin") =>
  (await call("POST", "/v3/drive/uploads", { key: team.member.key, body: { path } })).body;
const complete = (team: TestTeam, id: string, parts: unknown[]) =>
  call("POST", `/v3/drive/uploads/${id}/complete`, { key: team.member.key, body: { parts } });
const sign = (team: TestTeam, id: string, part_numbers: unknown[]) =>
  call("POST", `/v3/drive/uploads/${id}/parts`, { key: team.member.key, body: { part_numbers } });

/** Sends a part as its URL would: the bucket's own name for the upload is in the URL. */
async function sendPart(team: TestTeam, path: string, url: string, bytes: number): Promise<string> {
  const query = new URL(url).searchParams;
  const { key } = await objectKeyOf(team.id, path);
  const { etag } = await env.BUCKET.resumeMultipartUpload(key, query.get("uploadId")!).uploadPart(
    Number(query.get("partNumber")),
    new Uint8Array(bytes),
  );
  return etag;
}

describe("an upload in parts", () => {
  it.each(["large.bin", `${"é".repeat(700)}.bin`])(
    "becomes one file once it is completed, and not before: %s",
    async (path) => {
      const team = await newTeam();
      const upload = await begin(team, path);
      expect(upload).toMatchObject({
        path,
        gcs_path: `gs://fjord/${team.id}/drive/${path}`,
        part_bytes_min: PART,
        parts_max: 10_000,
      });
      const { status, body } = await sign(team, upload.upload_id, [1, 2, 10_000]);
      expect([
        status,
        body.parts.map(({ part_number: number }: { part_number: number }) => number),
        body.headers,
      ]).toEqual([200, [1, 2, 10_000], {}]);
      const sizes = [PART, PART, 3];
      const parts = await Promise.all(
        body.parts.map(async ({ part_number, upload_url }: { part_number: number; upload_url: string }, i: number) => ({
          part_number,
          etag: `"${await sendPart(team, path, upload_url, sizes[i]!)}"`,
        })),
      );
      const metadata = `/v3/drive/file?${new URLSearchParams({ path }).toString()}`;
      expect((await call("GET", metadata, { key: team.member.key })).status).toBe(404);
      expect(await complete(team, upload.upload_id, parts.reverse())).toMatchObject({
        status: 200,
        body: { path, bytes: 2 * PART + 3 },
      });
      expect((await call("GET", metadata, { key: team.member.key })).body.bytes).toBe(2 * PART + 3);
      expect((await complete(team, upload.upload_id, parts)).status).toBe(404);
    },
  );

  it("that misses a part, or has one too small, is told so and can still be completed", async () => {
    const team = await newTeam();
    const { upload_id: id } = await begin(team);
    const { body } = await sign(team, id, [1, 2]);
    const small = await sendPart(team, "large.bin", body.parts[0].upload_url, 10);
    const last = await sendPart(team, "large.bin", body.parts[1].upload_url, 10);
    expect(
      await complete(team, id, [
        { part_number: 1, etag: small },
        { part_number: 2, etag: last },
      ]),
    ).toMatchObject({ status: 400, body: { message: expect.stringContaining("fewer bytes") } });
    expect(
      await complete(team, id, [
        { part_number: 1, etag: small },
        { part_number: 3, etag: last },
      ]),
    ).toMatchObject({ status: 400, body: { message: expect.stringContaining("not been uploaded") } });
    expect(
      await complete(team, id, [
        { part_number: 1, etag: small },
        { part_number: 1, etag: small },
      ]),
    ).toMatchObject({ status: 400, body: { error: { flaws: [{ pointer: "/parts/1/part_number" }] } } });
    expect((await complete(team, id, [{ part_number: 2, etag: last }])).status).toBe(200);
  });

  it("leaves nothing once it is cancelled", async () => {
    const team = await newTeam();
    const { upload_id: id } = await begin(team);
    expect((await call("DELETE", `/v3/drive/uploads/${id}`, { key: team.member.key })).status).toBe(204);
    expect((await call("DELETE", `/v3/drive/uploads/${id}`, { key: team.member.key })).status).toBe(404);
    expect((await sign(team, id, [1])).status).toBe(404);
  });

  it("is given up after seven days", async () => {
    const team = await newTeam();
    const upload = await begin(team);
    const count = () =>
      env.DB.prepare("select count(*) as n from drive_uploads where team_id = ?").bind(team.id).first<number>("n");
    await sweepDrive(openClients(env as Env), new Date(Date.parse(upload.expires_at) - 1));
    expect(await count()).toBe(1);
    await sweepDrive(openClients(env as Env), new Date(Date.parse(upload.expires_at)));
    expect(await count()).toBe(0);
    expect((await complete(team, upload.upload_id, [{ part_number: 1, etag: "x" }])).status).toBe(404);
  });

  it("is refused what it can't be", async () => {
    const team = await newTeam();
    const { upload_id: id } = await begin(team);
    expect(
      (await call("POST", "/v3/drive/uploads", { key: team.member.key, body: { path: "a/../b" } })).body.message,
    ).toBe("Invalid path: path traversal is not allowed");
    for (const numbers of [[], [0], [10_001], [1.5], Array.from({ length: 1_001 }, (_, i) => i + 1)])
      expect((await sign(team, id, numbers)).status).toBe(400);
    expect((await complete(team, id, [])).status).toBe(400);
  });
});
