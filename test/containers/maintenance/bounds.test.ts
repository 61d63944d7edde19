// What a maintenance may take of its machine: rows that are too wide for the usual way, and a disk with no room.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WriteLake } from "../../support/node/lake/write-lake.ts";
import { MaintenancePlatform } from "../../support/node/maintenance/maintenance-platform.ts";
import { openSmallDisk } from "../../support/node/tools/small-disk.ts";
import { readRowIds } from "../../support/node/maintenance/row-ids.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open()));
afterAll(() => lake.close());

/** A table of some files. */
async function makeTable(name: string, files: number, rows: number, word: string): Promise<void> {
  await lake.ask(`CREATE TABLE ${name} (id INTEGER, word VARCHAR)`);
  for (let i = 0; i < files; i++)
    await lake.ask(
      `INSERT INTO ${name} SELECT (range + ${i * rows})::INTEGER AS id, ${word} AS word FROM range(${rows})`,
    );
}

describe("rows that are too wide for the memory there is", () => {
  it("are written in small row groups on one thread, with the ids that they had", async () => {
    await makeTable("wide", 6, 12_000, "repeat(md5(range::VARCHAR), 300)");
    const maintenance = await MaintenancePlatform.start(lake.platform, { spillMb: 1 });
    maintenance.planOnce(() => [maintenance.groupOf("main.wide")]);
    try {
      const ids = await readRowIds(lake.platform, maintenance, "main.wide");
      const outcome = await maintenance.run("daily");
      expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: "succeeded" });
      expect(maintenance.pathsOf("main.wide")).toHaveLength(1);
      expect(await readRowIds(lake.platform, maintenance, "main.wide")).toEqual(ids);
      expect(
        await lake.rows("SELECT count(*) AS n, count(*) FILTER (length(word) = 9_600) AS whole FROM wide"),
      ).toEqual([{ n: 72_000, whole: 72_000 }]);
    } finally {
      await maintenance.stop();
    }
  });
});

const disk = openSmallDisk(140);
if (disk)
  describe("a disk with little room", () => {
    it("fails the table that needs more, in words and to be tried again, and does the others", async () => {
      await makeTable("large", 2, 400_000, "md5(range::VARCHAR)");
      await makeTable("small", 2, 10, "'w'");
      const maintenance = await MaintenancePlatform.start(lake.platform);
      maintenance.planOnce(() => ["main.large", "main.small"].map((table) => maintenance.groupOf(table)));
      try {
        const outcome = await disk.use(() => maintenance.run("daily", "run-disk"));
        expect(outcome).toMatchObject({
          outcome: "failed",
          retryable: true,
          error: expect.stringContaining("disk is full"),
        });
        const stateOf = (name: string) => outcome.progress.tables.find((table) => table.name === name)?.state;
        expect([stateOf("large"), stateOf("small")]).toEqual(["failed", "done"]);
        expect(readdirSync(join(disk.directory, `fjord-maintenance-${process.pid}`))).toEqual([]);
      } finally {
        await maintenance.stop();
      }
    });
  });
