import { describe, expect, it } from "vitest";
import {
  mintToken,
  readToken,
  type DriveToken,
  type JobToken,
  type LakeToken,
} from "../../../src/platform/crypto/token.ts";

const ENV = { TOKEN_SECRET: "a secret of this test, long enough to be one" };
const now = new Date(1_000_000);
const LAKE: LakeToken = {
  use: "lake",
  teamId: "team",
  lakeId: "lake",
  snapshotId: 7,
  reader: "everything",
  expiresAt: 1_000_001,
};
const JOB: JobToken = {
  use: "job",
  teamId: "team",
  lakeId: "lake",
  jobId: "job",
  lease: "sync",
  fence: 3,
  expiresAt: 1_000_001,
};
const REFUSED = { code: "auth_invalid_token" };

describe("a container's token", () => {
  it("says what it was minted with, until it expires", async () => {
    expect(await readToken(ENV, "lake", await mintToken(ENV, LAKE), now)).toEqual(LAKE);
    expect(await readToken(ENV, "job", await mintToken(ENV, JOB), now)).toEqual(JOB);
    await expect(readToken(ENV, "lake", await mintToken(ENV, LAKE), new Date(1_000_001))).rejects.toMatchObject(
      REFUSED,
    );
  });

  it("is good for its own use only", async () => {
    await expect(readToken(ENV, "job", await mintToken(ENV, LAKE), now)).rejects.toMatchObject(REFUSED);
    await expect(readToken(ENV, "lake", await mintToken(ENV, JOB), now)).rejects.toMatchObject(REFUSED);
    const drive: DriveToken = { use: "drive", teamId: "team", expiresAt: 1_000_001 };
    expect(await readToken(ENV, ["drive", "lake"], await mintToken(ENV, drive), now)).toEqual(drive);
    await expect(readToken(ENV, ["drive", "lake"], await mintToken(ENV, JOB), now)).rejects.toMatchObject(REFUSED);
  });

  it("of another secret is refused", async () => {
    await expect(readToken(ENV, "lake", await mintToken({ TOKEN_SECRET: "another" }, LAKE), now)).rejects.toMatchObject(
      REFUSED,
    );
  });

  it("with any one character changed is refused", async () => {
    const token = await mintToken(ENV, LAKE);
    for (let at = 0; at < token.length - 1; at++) {
      const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
      await expect(readToken(ENV, "lake", changed, now), `character ${at}`).rejects.toMatchObject(REFUSED);
    }
  });

  it.each(["", ".", "a", "a.b", "a.b.c", "%.%", "é.é", "x".repeat(10_000)])(
    "that is none (%.20s) is refused",
    async (text) => {
      await expect(readToken(ENV, "lake", text, now)).rejects.toMatchObject(REFUSED);
      await expect(readToken(ENV, "lake", `${await mintToken(ENV, LAKE)}.${text}`, now)).rejects.toMatchObject(REFUSED);
    },
  );
});
