// A table with two files, which the suites of a commit's changes begin with, and what they look for afterwards.

import { valueOf } from "../../../../src/core/answer.ts";
import {
  append,
  column,
  createTable,
  newLake,
  newWriter,
  statistics,
  type TestLake,
} from "../../../support/unit/lake.ts";

export const CONFLICT = { ok: false, refusal: { code: "resource_conflict" } };
export const invalid = (...pointers: string[]) => ({
  ok: false,
  refusal: { code: "validation_failed", flaws: pointers.map((pointer) => ({ pointer })) },
});

/** Table 1, `main.t`, with data files 0 of 10 rows and 1 of 20, at snapshot 1. */
export async function newTable(columns = [column(1, "n"), column(2, "s", "varchar")]) {
  const lake = newLake();
  const writer = await newWriter(lake);
  const bounds = (rows: number, min: string, max: string) => ({
    statistics: [statistics(1, rows, { min, max }), statistics(2, rows, { min: "a", max: "z" })],
  });
  const files = [
    writer.file("main", "t", 10, bounds(10, "1", "10")),
    writer.file("main", "t", 20, bounds(20, "11", "30")),
  ] as const;
  valueOf(await writer.commit([createTable("main", "t", columns), append("main", "t", ...files)]));
  return { ...lake, writer, files };
}

export const filesAt = async (lake: TestLake, snapshotId: number, tableId = 1) =>
  valueOf(await lake.catalog.plan(snapshotId, [tableId], "everything"))[0]?.files;
export const idsAt = async (lake: TestLake, snapshotId: number, tableId = 1) =>
  (await filesAt(lake, snapshotId, tableId))?.map(({ id, deletes }) => (deletes ? [id, deletes.id] : id));
