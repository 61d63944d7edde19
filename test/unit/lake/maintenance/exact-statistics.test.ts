import { describe, expect, it } from "vitest";
import type { StatisticsStep } from "../../../../src/lake/maintenance/exact-statistics.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import {
  alter,
  append,
  column,
  compact,
  createTable,
  deleteRows,
  newLake,
  newWriter,
  rowsOf,
  statistics,
  type TestLake,
} from "../../../support/unit/lake.ts";

const COLUMNS = [column(1, "n"), column(2, "f", "float64"), column(3, "s", "varchar")];

/** `main.t` with data files 0, 1 and 2 of 10 rows: numbers 0–9, 10–19 with NULLs, 20–29 with NaN. */
async function newTable() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const file = (from: number, nulls: number, containsNan: boolean) => {
    const bounds = { min: String(from), max: String(from + 9), nulls };
    return writer.file("main", "t", 10, {
      statistics: [
        statistics(1, 10, bounds),
        statistics(2, 10, { ...bounds, containsNan }),
        statistics(3, 10, { nulls, min: `k${from}`, max: `k${from + 9}` }),
      ],
    });
  };
  const files = [file(0, 0, false), file(10, 3, false), file(20, 0, true)];
  valueOf(await writer.commit([createTable("main", "t", COLUMNS), append("main", "t", ...files)]));
  const drop = (...dataFileIds: number[]) => ({ kind: "drop_files" as const, schema: "main", name: "t", dataFileIds });
  return { ...lake, writer, drop };
}

const known = async (lake: TestLake) =>
  (
    await rowsOf(
      lake,
      `SELECT column_id AS id, contains_null AS n, contains_nan AS nan, min_value AS min, max_value AS max
       FROM ducklake_table_column_stats ORDER BY table_id, id`,
    )
  ).map(({ id, n, nan, min, max }) => [id, n, nan, min, max]);

const correct = async (lake: TestLake) => {
  let tables = 0;
  for (let after: string | null = null, calls = 0; ; calls++) {
    expect(calls).toBeLessThan(10);
    const step: StatisticsStep = valueOf(await lake.catalog.makeStatisticsExact(after));
    tables += step.tables;
    if (step.next === null) return tables;
    after = step.next;
  }
};

describe("statistics made exact", () => {
  it("are those of the files that are left, and are left alone where they are", async () => {
    const { writer, drop, ...lake } = await newTable();
    expect(await correct(lake)).toBe(0);
    valueOf(await writer.commit([drop(1, 2)], { baseSnapshotId: 1 }));
    expect(await known(lake)).toEqual([
      [1, 1, null, "0", "29"],
      [2, 1, 1, "0", "29"],
      [3, 1, null, "k0", "k9"],
    ]);
    expect(await correct(lake)).toBe(1);
    expect(await known(lake)).toEqual([
      [1, 0, null, "0", "9"],
      [2, 0, 0, "0", "9"],
      [3, 0, null, "k0", "k9"],
    ]);
    expect(await correct(lake)).toBe(0);
  });

  it("keep taking in the rows of files that others are deleted from", async () => {
    const { writer, ...lake } = await newTable();
    const deletes = writer.deletes("main", "t", 9);
    valueOf(await writer.commit([deleteRows("main", "t", { dataFileId: 2, file: deletes })], { baseSnapshotId: 1 }));
    expect(await correct(lake)).toBe(0);
  });

  it("count the rows and bytes of the live files, whatever was counted", async () => {
    const { writer: _, ...lake } = await newTable();
    await rowsOf(lake, "UPDATE ducklake_table_stats SET record_count = 7, file_size_bytes = 7");
    expect(await correct(lake)).toBe(1);
    expect(await rowsOf(lake, "SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats")).toEqual([
      { record_count: 30, next_row_id: 30, file_size_bytes: 3_030 },
    ]);
  });

  it("know that files from before a column hold none of its values", async () => {
    const { writer, ...lake } = await newTable();
    valueOf(await writer.commit([alter("main", "t", { kind: "add_column", column: column(4, "later") })]));
    const later = writer.file("main", "t", 2, { statistics: [statistics(4, 2, { min: "5", max: "6" })] });
    valueOf(await writer.commit([append("main", "t", later)]));
    expect((await known(lake))[3]).toEqual([4, 1, null, null, null]);
    await correct(lake);
    expect((await known(lake))[3]).toEqual([4, 1, null, "5", "6"]);
    // The file that says nothing of the first column may hold anything: what is known of it stays unknown.
    expect((await known(lake))[0]).toEqual([1, null, null, null, null]);
  });

  it("lose no bound that a file written anew does not tell of", async () => {
    const { writer, ...lake } = await newTable();
    const before = await known(lake);
    valueOf(
      await writer.commit([compact("main", "t", { data: [0, 1, 2] }, writer.file("main", "t", 30))], {
        baseSnapshotId: 1,
      }),
    );
    expect(await correct(lake)).toBe(0);
    expect(await known(lake)).toEqual(before);
  });

  it("are none where no value or no row is left", async () => {
    const { writer, drop, ...lake } = await newTable();
    const nulls = writer.file("main", "t", 5, {
      statistics: [1, 2, 3].map((id) => statistics(id, 5, { nulls: 5, containsNan: id === 2 ? false : null })),
    });
    valueOf(await writer.commit([append("main", "t", nulls)]));
    valueOf(await writer.commit([drop(0, 1, 2)], { baseSnapshotId: 2 }));
    expect(await correct(lake)).toBe(1);
    expect(await known(lake)).toEqual([
      [1, 1, null, null, null],
      [2, 1, 0, null, null],
      [3, 1, null, null, null],
    ]);
    const { snapshotId } = await lake.catalog.currentSnapshot();
    const [left] = valueOf(await lake.catalog.plan(snapshotId, [1], "everything"))[0]!.files;
    valueOf(await writer.commit([drop(left!.id)], { baseSnapshotId: snapshotId }));
    await correct(lake);
    expect(await known(lake)).toEqual([]);
  });

  it("go on where they stopped, and from nowhere else", async () => {
    const { writer: _, ...lake } = await newTable();
    for (const after of ["", "1", "1:x", "1:2:3"])
      expect(await lake.catalog.makeStatisticsExact(after)).toMatchObject({
        ok: false,
        refusal: { code: "validation_failed" },
      });
    await rowsOf(lake, "UPDATE ducklake_table_column_stats SET max_value = '99'");
    expect(valueOf(await lake.catalog.makeStatisticsExact("1:2"))).toEqual({ tables: 1, next: null });
    expect((await known(lake)).map(([, , , , max]) => max)).toEqual(["99", "29", "k9"]);
  });
});
