// What a maintenance may take of its machine: a disk with no room for some tables.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open()));
afterAll(() => lake.close());

/** Two files, some of whose rows are deleted where that is asked for. */
async function makeTable(name: string, rows: number, word: string): Promise<void> {
  for (const [i, sql] of [`CREATE TABLE ${name} AS`, `INSERT INTO ${name}`].entries())
    await lake.ask(`${sql} SELECT (range + ${i * rows})::INTEGER AS id, ${word} AS word FROM range(${rows})`);
}

const MOUNTS: string[] = [];
afterAll(() => {
  for (const mount of MOUNTS) {
    execFileSync("umount", ["-l", mount]);
    rmSync(mount, { recursive: true, force: true });
  }
});

/** A disk of its own; undefined where this user can't have one. */
function smallDisk(megabytes: number): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), "fjord-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory], { stdio: "ignore" });
    MOUNTS.push(directory);
    return directory;
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
}

const disk = smallDisk(140);
if (disk)
  describe("a disk with little room", () => {
    it("fails the table that needs more, in words and to be tried again, and does the others", async () => {
      await makeTable("large", 400_000, "md5(range::VARCHAR)");
      await makeTable("small", 10, "'w'");
      const usual = process.env.TMPDIR;
      process.env.TMPDIR = disk;
      const maintenance = await MaintenancePlatform.start(lake.platform);
      maintenance.planOnce(() => ["main.large", "main.small"].map((table) => maintenance.groupOf(table)));
      try {
        const outcome = await maintenance.run("daily", "run-disk");
        expect(outcome).toMatchObject({
          outcome: "failed",
          retryable: true,
          error: expect.stringContaining("disk is full"),
        });
        const stateOf = (name: string) => outcome.progress.tables.find((table) => table.name === name)?.state;
        expect([stateOf("large"), stateOf("small")]).toEqual(["failed", "done"]);
        expect(readdirSync(join(disk, `fjord-maintenance-${process.pid}`))).toEqual([]);
      } finally {
        if (usual === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = usual;
        await maintenance.stop();
      }
    });
  });
