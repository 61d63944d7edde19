// What a table of very many files leaves out of its commit, so that it stays one.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { shedStatistics } from "../../../containers/engine/jobs/sync/commit/shed-statistics.ts";
import {
  addRangeChecksums,
  findChangedRanges,
  joinRanges,
  coarsened,
  NO_CHECKSUMS,
  predicatesOfRange,
  type RangeChecksums,
} from "../../../containers/engine/jobs/sync/changes/range-checksums.ts";
import { planLosses } from "../../../containers/engine/jobs/sync/merge/delete-rows.ts";
import { ReadAllInstead } from "../../../containers/engine/extract/changes/read-all-reasons.ts";
import { PartUploads } from "../../../containers/engine/platform/part-uploads.ts";
import { partRows } from "../../../containers/engine/jobs/sync/rows/upload-rows.ts";
import { COMMIT_FILES_MAX } from "../../../kernel/lake/commit.ts";
import { uploadChanges } from "../../../containers/engine/lake/write/changes/change-rows.ts";
import type { Writer } from "../../../containers/engine/lake/write/writer.ts";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type { ColumnStatistics, LakeChange } from "../../../kernel/lake/commit.ts";
import { REQUEST_LIMITS } from "../../../src/http/request/limits.ts";
import { LAKE_CATALOG_LIMITS } from "../../../src/lake/format/limits.ts";

const column = (id: number, type: string): LakeColumn => ({ id, name: `c${id}`, type, nullable: true, children: [] });
const statistics = (columnId: number): ColumnStatistics => ({
  columnId,
  bytes: 1_000_000,
  values: 1_000_000,
  nulls: 0,
  min: "m".repeat(100),
  max: "n".repeat(100),
  containsNan: false,
});
const bytesOf = (changes: LakeChange[]) => Buffer.byteLength(JSON.stringify(changes));

describe("a commit", () => {
  const columns = [column(1, "varchar"), column(2, "varchar"), column(3, "timestamp"), column(4, "varchar")];
  const file = (i: number) => ({
    path: `main/t/job-${i}.parquet`,
    bytes: 9_000_000,
    footerBytes: 5_000,
    rows: 1_000_000,
    statistics: columns.map(({ id }) => statistics(id)),
  });
  const overwrite = (files: number): LakeChange[] => [
    { kind: "overwrite", schema: "main", name: "t", files: Array.from({ length: files }, (_, i) => file(i)) },
  ];
  const kept = ({ changes }: { changes: LakeChange[] }) =>
    (changes[0] as Extract<LakeChange, { kind: "overwrite" }>).files.map(({ statistics }) =>
      statistics.map(({ columnId }) => columnId).join(),
    );

  it("ends where it would have more files than one holds, before they are read", async () => {
    const directory = mkdtempSync(join(tmpdir(), "fjord-parts-"));
    const sent: string[] = [];
    const platform = {
      uploads: () => Promise.resolve([{ path: `part-${sent.length}`, url: "" }]),
      upload: (_: string, file: string) => Promise.resolve(void sent.push(file)),
    };
    const uploads = new PartUploads(platform, { schema: "main", name: "t" }, () => undefined, 2);
    const part = (name: string) => {
      writeFileSync(join(directory, name), "x");
      return { file: join(directory, name), bytes: 1, footerBytes: 1, rows: 1, statistics: [] };
    };
    await uploads.add(part("a"));
    await uploads.add(part("b"));
    await expect(uploads.add(part("c"))).rejects.toMatchObject({
      code: "resources_exceeded",
      message: expect.stringContaining("main.t would take more than 2 files"),
    });
    await uploads.settle();
    expect([sent.length, uploads.rows]).toEqual([2, 2]);
    rmSync(directory, { recursive: true });
  });

  it("of a merge is not begun where it would have more delete files than one holds", () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        id: i + 1,
        path: `main/t/${i}.parquet`,
        bytes: 1,
        rows: 10,
        deletes: i % 2 === 0 ? { id: -i - 1, path: "d", bytes: 1, rows: 4 } : null,
      }));
    const gone = (count: number, rows: (i: number) => number) =>
      new Map(Array.from({ length: count }, (_, i) => [i + 1, rows(i)]));
    const { thinned, ended } = planLosses(
      files(6),
      gone(4, (i) => (i === 0 ? 6 : i === 1 ? 10 : 3)),
      1,
    );
    expect([thinned.map(({ id }) => id), ended.map(({ id }) => id)]).toEqual([
      [3, 4],
      [1, 2],
    ]);
    const most = COMMIT_FILES_MAX;
    expect(
      planLosses(
        files(most + 5),
        gone(most, () => 1),
        0,
      ).thinned,
    ).toHaveLength(most);
    expect(
      planLosses(
        files(most + 5),
        gone(most + 5, (i) => (i < 10 ? (i % 2 === 0 ? 6 : 10) : 1)),
        5,
      ).thinned,
    ).toHaveLength(most - 5);
    for (const [count, added] of [
      [most + 1, 0],
      [most, 1],
      [most - 5, 6],
    ] as const)
      expect(
        () =>
          planLosses(
            files(count),
            gone(count, () => 1),
            added,
          ),
        `${count} and ${added}`,
      ).toThrow(ReadAllInstead);
  });

  it("of a merge has files of new rows as large as those of a full read, however wide the rows are", () => {
    const rows = [0, 100, 4_400, 10_000_000, 200_000_000].map((bytes) => partRows({ rows: 7, bytes: bytes * 7 }));
    expect(rows).toEqual([1_000_000, 1_000_000, 30_504, 13, 1]);
    expect(partRows({ rows: 0, bytes: 0 })).toBe(1_000_000);
  });

  it("of a statement that writes is refused in words before anything is sent", async () => {
    const upload = vi.fn();
    const table = { tableId: 1, schema: "main", name: "t", version: "1", columns, view: "whole" as const };
    const deletes = Array.from({ length: COMMIT_FILES_MAX }, (_, dataFileId) => ({
      dataFileId,
      file: { file: "d", bytes: 1, footerBytes: 1, rows: 1 },
    }));
    const task = { writer: { upload } as unknown as Writer, signal: new AbortController().signal };
    const work = {
      count: 1,
      files: [{ file: "f", bytes: 1, footerBytes: 1, rows: 1, statistics: [] }],
      deletes,
      ended: [],
      answers: [],
    };
    await expect(uploadChanges(task, table, work, true)).rejects.toMatchObject({
      code: "resources_exceeded",
      message: expect.stringContaining("would take 10001"),
    });
    expect(upload).not.toHaveBeenCalled();
  });

  it("that is small enough stays as it is", () => {
    const changes = overwrite(10);
    expect(shedStatistics(changes, columns, [2])).toEqual({ changes, columnsShed: 0 });
  });

  it("of many files leaves out statistics of the columns that are least asked for, of all files alike", () => {
    const changes = overwrite(100);
    const fitted = shedStatistics(changes, columns, [2], bytesOf(changes) / 2);
    expect([fitted.columnsShed, new Set(kept(fitted)), bytesOf(fitted.changes) <= bytesOf(changes) / 2]).toEqual([
      3,
      new Set(["2"]),
      true,
    ]);
    expect(new Set(kept(shedStatistics(changes, columns, [2], bytesOf(changes) * 0.8)))).toEqual(new Set(["1,2,3"]));
  });

  it("of as many files as the catalog takes is a message that the platform takes", () => {
    const { changes } = shedStatistics(overwrite(COMMIT_FILES_MAX), columns, [2]);
    expect(bytesOf(changes)).toBeLessThan(REQUEST_LIMITS.internalBodyBytesMax - 2 * LAKE_CATALOG_LIMITS.stateBytesMax);
  });
});

describe("sums of keys by stretches", () => {
  const sum = (rows: number) => ({ rows, low: String(rows * 7), high: String(rows * 11) });
  const spans = (width: number, sums: Record<string, number>): RangeChecksums => ({
    width: String(width),
    digest: "md5",
    sums: Object.fromEntries(Object.entries(sums).map(([at, rows]) => [at, sum(rows)])),
  });

  it("add up across widths, below nought too", () => {
    expect(addRangeChecksums(spans(2, { "-1": 1, 0: 2, 5: 3 }), spans(4, { "-1": 10, 2: 20 }))).toEqual(
      spans(4, { "-1": 11, 0: 2, 2: 23 }),
    );
    expect(
      findChangedRanges(
        spans(4, { "-1": 11, 0: 2, 2: 24 }),
        spans(2, { "-1": 1, 0: 2, 5: 3 }),
        spans(4, { "-1": 10, 2: 20 }),
      ),
    ).toEqual([{ from: 8n, to: 12n }]);
  });

  it("name no range for keys that have no order of numbers", () =>
    expect(findChangedRanges(spans(1, { "": 2 }), spans(1, { "": 1 }), NO_CHECKSUMS)).toBe("everywhere"));

  it("are kept in few stretches of a small table, and never lose a row", () => {
    const many = spans(1, Object.fromEntries(Array.from({ length: 390 }, (_, i) => [String(i * 1000 - 50_000), 100])));
    const few = coarsened(many);
    expect(Object.keys(few.sums).length).toBeLessThanOrEqual(3);
    expect(Object.values(few.sums).reduce((rows, each) => rows + each.rows, 0)).toBe(39_000);
    expect(findChangedRanges(few, many, NO_CHECKSUMS)).toEqual([]);
  });

  it("are looked for in few plans, which cover them all", () => {
    const stretches = Array.from({ length: 100 }, (_, i) => ({
      from: BigInt(i * i * 10),
      to: BigInt(i * i * 10 + 10),
    }));
    const joined = joinRanges(stretches);
    expect(joined.length).toBeLessThanOrEqual(16);
    for (const { from, to } of stretches) expect(joined.some((each) => each.from <= from && to <= each.to)).toBe(true);
    expect(
      joinRanges([
        { from: 5n, to: 10n },
        { from: 0n, to: 5n },
        { from: 20n, to: 25n },
      ]),
    ).toEqual([
      { from: 0n, to: 10n },
      { from: 20n, to: 25n },
    ]);
  });

  it("are spelled as the catalog spells values, or not at all", () => {
    const reported = (type: string, from: bigint, to: bigint) =>
      predicatesOfRange(column(1, type), { from, to }).map(({ op, values }) => op + values[0]);
    expect(reported("int64", -5n, 7n)).toEqual([">=-5", "<=7"]);
    expect(reported("date", -1n, 1n)).toEqual([">=1969-12-31", "<=1970-01-02"]);
    expect(reported("timestamptz", -1n, 1_000_001n)).toEqual([
      ">=1969-12-31 23:59:59.999+00",
      "<=1970-01-01 00:00:01.001+00",
    ]);
    expect(reported("timestamp", -(2n ** 62n), 2n ** 62n)).toEqual([]);
  });
});
