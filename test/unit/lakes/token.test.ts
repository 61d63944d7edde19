import { describe, expect, it } from "vitest";
import { mintToken, readToken, type DriveToken, type JobToken, type LakeToken } from "../../../src/platform/token.ts";

const env = { TOKEN_SECRET: "a secret of this test, long enough to be one" };
const now = new Date(1_000_000);
const lake: LakeToken = { use: "lake", teamId: "team", lakeId: "lake", snapshotId: 7, expiresAt: 1_000_001 };
const job: JobToken = {
  use: "job",
  teamId: "team",
  lakeId: "lake",
  jobId: "job",
  lease: "sync",
  fence: 3,
  expiresAt: 1_000_001,
};
const refused = { code: "auth_invalid_token" };

describe("a container's token", () => {
  it("says what it was minted with, until it expires", async () => {
    expect(await readToken(env, "lake", await mintToken(env, lake), now)).toEqual(lake);
    expect(await readToken(env, "job", await mintToken(env, job), now)).toEqual(job);
    await expect(readToken(env, "lake", await mintToken(env, lake), new Date(1_000_001))).rejects.toMatchObject(
      refused,
    );
  });

  it("is good for its own use only", async () => {
    await expect(readToken(env, "job", await mintToken(env, lake), now)).rejects.toMatchObject(refused);
    await expect(readToken(env, "lake", await mintToken(env, job), now)).rejects.toMatchObject(refused);
    const drive: DriveToken = { use: "drive", teamId: "team", expiresAt: 1_000_001 };
    expect(await readToken(env, ["drive", "lake"], await mintToken(env, drive), now)).toEqual(drive);
    await expect(readToken(env, ["drive", "lake"], await mintToken(env, job), now)).rejects.toMatchObject(refused);
  });

  it("of another secret is refused", async () => {
    await expect(readToken(env, "lake", await mintToken({ TOKEN_SECRET: "another" }, lake), now)).rejects.toMatchObject(
      refused,
    );
  });

  it("with any one character changed is refused", async () => {
    const token = await mintToken(env, lake);
    for (let at = 0; at < token.length - 1; at++) {
      const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
      await expect(readToken(env, "lake", changed, now), `character ${at}`).rejects.toMatchObject(refused);
    }
  });

  it.each(["", ".", "a", "a.b", "a.b.c", "%.%", "é.é", "x".repeat(10_000)])(
    "that is none (%.20s) is refused",
    async (text) => {
      await expect(readToken(env, "lake", text, now)).rejects.toMatchObject(refused);
      await expect(readToken(env, "lake", `${await mintToken(env, lake)}.${text}`, now)).rejects.toMatchObject(refused);
    },
  );
});
