// Statements that need more than there is memory for: they spill, and short ones run anew as long ones.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LakeSettings } from "../../../../containers/engine/core/settings.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

/** One value of more than 100 MB, which can't be spilled. */
const LIST = "SELECT length(list(md5(range::VARCHAR)))::INT AS n FROM range(3_000_000)";
const LIST_ROWS = [{ n: 3_000_000 }];
/** More than 200 MB of groups. */
const GROUPS = "SELECT count(*)::INT AS n FROM (SELECT DISTINCT md5(range::VARCHAR) FROM range(3_000_000))";

async function open(settings: Partial<LakeSettings>): Promise<TestLake> {
  const lake = await TestLake.open({ processes: 1, ...settings });
  onTestFinished(() => lake.close());
  return lake;
}

/** Bytes of temporary files of the lake's statements. */
function spilledBytes({ directory }: TestLake): number {
  const folder = join(directory, "cache", "tmp");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce(
    (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

describe("a short statement past its memory", () => {
  it("runs anew as a long one", async () => {
    const lake = await open({ shortMemoryMb: 150, queryMemoryMb: 3_000, spillMb: 10 });
    expect(await lake.rows(LIST)).toEqual(LIST_ROWS);
  });

  it("fails where a long one has no more", async () => {
    const lake = await open({ shortMemoryMb: 150, queryMemoryMb: 150, spillMb: 10 });
    expect((await lake.failure(LIST)).code).toBe("resources_exceeded");
  });

  it("does not run anew once a row of its answer is gone", async () => {
    const lake = await open({ shortMemoryMb: 150, queryMemoryMb: 8_000, spillMb: 10 });
    let text = "";
    const sql = `SELECT CASE WHEN range = 900000 THEN length(repeat('x', 2000000000 + range)) ELSE range END AS n
      FROM range(1000000)`;
    const failure = await lake.failure(sql, {
      format: "csv",
      rowsMax: 10_000_000,
      sink: (bytes) => void (text += Buffer.from(bytes).toString()),
    });
    expect(failure.code).toBe("resources_exceeded");
    expect(text.split("\n").slice(0, 3)).toEqual(["n", "0", "1"]);
    expect(text.split("\n").filter((line) => line === "1")).toHaveLength(1);
  });
});

describe("a working set beyond memory", () => {
  it.each([
    ["of groups", GROUPS, [{ n: 3_000_000 }]],
    [
      "that is sorted",
      `SELECT count(*)::INT AS n, max(place)::INT AS most FROM (
         SELECT md5(id::VARCHAR) AS h, row_number() OVER (ORDER BY md5(id::VARCHAR)) AS place FROM large)
       WHERE h <> ''`,
      [{ n: 4_000_000, most: 4_000_000 }],
    ],
    [
      "that is joined",
      `SELECT count(*)::INT AS n FROM (SELECT id, md5(id::VARCHAR) AS h FROM large) AS a
         JOIN (SELECT id, md5(id::VARCHAR) AS h FROM large) AS b USING (h) WHERE a.id = b.id`,
      [{ n: 4_000_000 }],
    ],
  ])("%s spills before it fails", async (_, sql, rows) => {
    const lake = await open({ shortMemoryMb: 256, queryMemoryMb: 256, spillMb: 4_000, threads: 2 });
    const path = await lake.write("large.parquet", "SELECT range AS id FROM range(4_000_000)", "id: 1");
    lake.platform.addTable("main", "large", [column(1, "id", "int64")], [{ path }]);
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, spilledBytes(lake))), 20);
    onTestFinished(() => clearInterval(timer));
    expect(await lake.rows(sql, { deadlineMs: 120_000 })).toEqual(rows);
    expect(most).toBeGreaterThan(0);
    // Nothing of it stays.
    await expect.poll(() => spilledBytes(lake)).toBe(0);
  });
});
