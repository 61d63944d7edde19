import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytesLeft,
  groupsToMerge,
  groupsToRewrite,
  GROUP_FILES_MAX,
  type LiveFile,
} from "../../../../src/lake/maintenance/compaction-groups.ts";

/** A file of so many bytes, one a row, with a share of the rows deleted. */
const file = (id: number, bytes: number, deleted = 0): LiveFile => ({
  ...{ id, path: `main/t/${id}.parquet`, bytes, rows: bytes, fileOrder: id, rowIdStart: 0 },
  deletes: deleted === 0 ? null : { id: 10_000 + id, path: `main/t/d${id}.parquet`, bytes: 1, rows: deleted },
});
const table = (...sizes: (number | [bytes: number, deleted: number])[]): LiveFile[] =>
  sizes.map((size, id) => (typeof size === "number" ? file(id, size) : file(id, ...size)));
const ids = (groups: LiveFile[][]) => groups.map((group) => group.map(({ id }) => id));

describe("files to merge", () => {
  it.each<[string, LiveFile[], number[][]]>([
    ["none of a table without files", [], []],
    ["no file alone", table(10), []],
    ["no file that is large", table(60, 80, 500), []],
    ["small files side by side", table(1, 1, 1), [[0, 1, 2]]],
    ["no small ones over a large one's head", table(1, 70, 1), []],
    ["up to the target and no further", table(30, 30, 30, 30, 1), [[0, 1, 2]]],
    ["near the target whatever their sizes", table(49, 1), [[0, 1]]],
    ["not a file that is larger than all beside it", table(30, 4, 3, 2), [[1, 2, 3]]],
    ["nor what is left of falling sizes", table(16, 8, 4, 2, 1), []],
    ["deletes are applied on the way", table([1_000, 990], 10), [[0, 1]]],
    ["a file without rows, even alone", table(70, [20, 20], 70), [[1]]],
    ["a file without rows with its neighbours", table(5, [20, 20], 5), [[0, 1, 2]]],
    ["not a file of which half the target is left", table([100, 50], 10), []],
  ])("%s", (_, files, groups) => {
    expect(ids(groupsToMerge(files, 100))).toEqual(groups);
  });

  it("are no more to a group than can be fetched", () => {
    const groups = groupsToMerge(table(...Array.from({ length: 12_000 }, () => 1)), 1_000_000);
    expect(groups.map((group) => group.length)).toEqual([GROUP_FILES_MAX, GROUP_FILES_MAX, 2_000]);
  });

  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 120 }), fc.tuple(fc.integer({ min: 1, max: 120 }), fc.nat(120))),
    { maxLength: 60 },
  );
  it("are adjacent, fit the target, are taken once, and leave nothing to merge but what is larger than its lessers", () => {
    fc.assert(
      fc.property(sizes, (drawn) => {
        const files = table(
          ...drawn.map((size) =>
            typeof size === "number" ? size : ([size[0], Math.min(...size)] as [number, number]),
          ),
        );
        const groups = groupsToMerge(files, 100);
        const taken = groups.flat();
        expect(new Set(taken).size).toBe(taken.length);
        for (const group of groups) {
          const at = files.indexOf(group[0]!);
          expect(group).toEqual(files.slice(at, at + group.length));
          expect(group.reduce((sum, each) => sum + bytesLeft(each), 0)).toBeLessThanOrEqual(100);
          expect(group.length > 1 || bytesLeft(group[0]!) === 0).toBe(true);
          expect(Math.max(...group.map(bytesLeft))).toBeLessThan(50);
        }
        // Merged, the same table has no more than a few files to a large one.
        const merged = apply(files, groups);
        const large = merged.filter((each) => bytesLeft(each) >= 50).length;
        expect(merged.length).toBeLessThanOrEqual(large + (large + 1) * (Math.log2(100) + 1));
      }),
    );
  });
});

/** What the table looks like once each group is one file in the place of its first. */
function apply(files: readonly LiveFile[], groups: readonly LiveFile[][]): LiveFile[] {
  const groupOf = new Map(groups.flatMap((group) => group.map((each) => [each, group] as const)));
  return files.flatMap((each) => {
    const group = groupOf.get(each);
    const bytes = group?.reduce((sum, one) => sum + bytesLeft(one), 0) ?? 0;
    if (!group) return [each];
    return group[0] === each && bytes > 0 ? [file(each.id, bytes)] : [];
  });
}

describe("a table that grows by small files and is merged again and again", () => {
  it.each([
    [1, 2_000],
    [7, 2_000],
    [300, 100],
  ])("is written anew a logarithmic number of times, %i files a round", (filesPerRound, rounds) => {
    const target = 1 << 18;
    let files: LiveFile[] = [];
    let [added, rewritten] = [0, 0];
    for (let round = 0, id = 0; round < rounds; round++) {
      for (let at = 0; at < filesPerRound; at++) {
        const bytes = 50 + ((id * 37) % 100);
        files.push(file(id++, bytes));
        added += bytes;
      }
      const groups = groupsToMerge(files, target);
      rewritten += groups.flat().reduce((sum, each) => sum + bytesLeft(each), 0);
      files = apply(files, groups);
    }
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(added);
    expect(rewritten / added).toBeLessThanOrEqual(1 + Math.log2(target / 50));
    // Few enough to read at any time.
    expect(files.length).toBeLessThanOrEqual(2 * (added / target) + 2 + Math.log2(target));
  });
});

describe("files to rewrite", () => {
  const rules = { targetBytes: 100, deleteThreshold: 0.95 };
  it.each<[string, LiveFile[], number[][]]>([
    ["none without deleted rows", table(10, 20), []],
    ["those past the threshold, and at it", table([100, 94], [100, 95], [100, 96]), [[1, 2]]],
    ["one all of whose rows are deleted", table(50, [50, 50]), [[1]]],
    ["a large one, of which more is left than any group takes", table([10_000, 9_500], [10_000, 9_500]), [[0], [1]]],
    ["apart where others lie between", table([100, 99], 10, [100, 99]), [[0], [2]]],
  ])("%s", (_, files, groups) => {
    expect(ids(groupsToRewrite(files, rules))).toEqual(groups);
  });

  it("are all with any deleted row at a threshold of 0, and the dead alone at 1", () => {
    const files = table(10, [10, 1], [10, 10]);
    expect(ids(groupsToRewrite(files, { ...rules, deleteThreshold: 0 }))).toEqual([[1, 2]]);
    expect(ids(groupsToRewrite(files, { ...rules, deleteThreshold: 1 }))).toEqual([[2]]);
  });
});
