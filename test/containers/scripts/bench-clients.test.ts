import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("the benchmark of syncs says in a sentence which program it lacks", async () => {
  const empty = await mkdtemp(join(tmpdir(), "fjord-no-programs-"));
  try {
    const ended = promisify(execFile)(process.execPath, ["scripts/bench/main.ts", "sync"], {
      env: { PATH: empty, HOME: empty },
    });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^[^\n]+ needs psql: install [^\n]+\.\n$/),
    });
  } finally {
    await rm(empty, { recursive: true });
  }
});
