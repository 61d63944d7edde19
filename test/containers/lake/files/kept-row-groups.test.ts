// What is kept of row groups is what the footers say, of the file and of the conditions that are asked about.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RowGroupQuestion } from "../../../../containers/engine/lake/pruning/row-groups.ts";
import { KeptRowGroups } from "../../../../containers/engine/lake/pruning/kept-row-groups.ts";
import { QueryProcess } from "../../../../containers/engine/lake/process/query-process.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

const question = (value: string, paths: string[]): RowGroupQuestion => ({
  paths,
  conditions: [{ leaf: 0, type: "BIGINT", anyOf: [[{ op: "=", values: [value] }]] }],
});

describe("row groups that are kept", () => {
  it("are asked for by file and conditions once, and answered in the order of the question", async () => {
    const kept = new KeptRowGroups();
    const asked: RowGroupQuestion[][] = [];
    const find = (questions: RowGroupQuestion[]) => {
      asked.push(questions);
      const groupsOf = (path: string, { conditions }: RowGroupQuestion): number[] => [
        Number(path.slice(1)),
        Number(conditions[0]!.anyOf[0]![0]!.values[0]),
      ];
      return Promise.resolve(questions.map((each) => each.paths.map((path) => groupsOf(path, each))));
    };
    expect(await kept.of("clerk", [question("5", ["p1", "p3"])], find)).toEqual([
      [
        [1, 5],
        [3, 5],
      ],
    ]);
    const mixed = [question("5", ["p3"]), question("7", ["p1", "p2"]), question("5", ["p2", "p1"])];
    const answer = [
      [[3, 5]],
      [
        [1, 7],
        [2, 7],
      ],
      [
        [2, 5],
        [1, 5],
      ],
    ];
    expect(await kept.of("clerk", mixed, find)).toEqual(answer);
    expect(asked[1]).toEqual([question("7", ["p1", "p2"]), question("5", ["p2"])]);
    expect(await kept.of("clerk", mixed, find)).toEqual(answer);
    expect(asked).toHaveLength(2);
  });

  it("leave when there are too many, and are then asked for again", async () => {
    const kept = new KeptRowGroups();
    const paths = Array.from({ length: 20_000 }, (_, i) => `p${i}`);
    const find = vi.fn((questions: RowGroupQuestion[]) =>
      Promise.resolve(questions.map(({ paths }) => paths.map((path) => [Number(path.slice(1))]))),
    );
    const answer = [paths.map((_, i) => [i])];
    expect(await kept.of("clerk", [question("1", paths)], find)).toEqual(answer);
    expect(await kept.of("clerk", [question("1", paths)], find)).toEqual(answer);
    expect(find).toHaveBeenCalledTimes(2);
    expect(find.mock.calls[1]![0][0]!.paths.length).toBeGreaterThan(5_000);
  });

  it("are asked for by each reader, who is not told sooner of what another has looked for", async () => {
    const kept = new KeptRowGroups();
    const find = vi.fn(() => Promise.resolve([[[4]]]));
    for (const reader of ["auditor", "clerk", "auditor", "clerk"])
      expect(await kept.of(reader, [question("1", ["p1"])], find)).toEqual([[[4]]]);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it("are not kept where asking failed", async () => {
    const kept = new KeptRowGroups();
    await expect(kept.of("clerk", [question("1", ["p1"])], () => Promise.reject(new Error("away")))).rejects.toThrow(
      "away",
    );
    expect(await kept.of("clerk", [question("1", ["p1"])], () => Promise.resolve([[[4]]]))).toEqual([[[4]]]);
  });
});

describe("a statement on a table that lies here in part", () => {
  let lake: TestLake;
  beforeAll(async () => {
    lake = await TestLake.open();
  });
  afterAll(() => lake.close());

  it("asks a process about its row groups once, and other conditions get another answer", async () => {
    const select = "SELECT range AS id, md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(120000)";
    const path = await lake.write("g.parquet", select, "id: 1, a: 2, b: 3", ", ROW_GROUP_SIZE 20480");
    const columns = [column(1, "id", "int64"), column(2, "a", "varchar"), column(3, "b", "varchar")];
    lake.platform.addTable("main", "g", columns, [{ path }]);
    const prunes = vi.spyOn(QueryProcess.prototype, "prune");
    const read = async (id: number): Promise<number> => {
      const before = lake.platform.bytesRead;
      const rows = await lake.rows(`SELECT id, a FROM g WHERE id = ${id}`);
      expect(rows).toEqual([{ id, a: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown }]);
      return lake.platform.bytesRead - before;
    };
    await read(5);
    expect(prunes).toHaveBeenCalledTimes(1);
    expect(await read(5)).toBe(0);
    expect(prunes).toHaveBeenCalledTimes(1);
    expect(await read(100_000)).toBeGreaterThan(0);
    expect(prunes).toHaveBeenCalledTimes(2);
  });
});
