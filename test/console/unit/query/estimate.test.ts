import { expect, it } from "vitest";
import {
  estimateLine,
  tableLines,
  type ReadEstimate,
} from "../../../../src/console/screens/query/run/read-estimate.ts";

const FIGURES = { files: 12, filesTotal: 480, bytes: 34_000_000, bytesTotal: 5e9 };
const estimate = (given: Partial<ReadEstimate>): ReadEstimate => ({
  success: true,
  tables: [{ schema: "shop", name: "orders", at: null, figures: FIGURES }],
  total: FIGURES,
  readsDrive: false,
  writes: false,
  refusal: null,
  ...given,
});

it("says how many files and bytes a statement reads at most", () => {
  expect(estimateLine(estimate({}))).toBe("reads 12 of 480 files, at most 34 MB");
  expect(estimateLine(estimate({ total: { ...FIGURES, files: 1, filesTotal: 1 } }))).toBe(
    "reads 1 of 1 file, at most 34 MB",
  );
  expect(estimateLine(estimate({ total: { ...FIGURES, files: 0 } }))).toBe("reads none of 480 files");
  expect(estimateLine(estimate({ total: { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0 } }))).toBe(
    "reads no files",
  );
});

it("says nothing where nothing is known", () => {
  expect(estimateLine(estimate({ tables: [] }))).toBeUndefined();
  const part = { schema: "shop", name: "orders", at: null, figures: null };
  expect(estimateLine(estimate({ tables: [part] }))).toBeUndefined();
});

it("lists the tables, with what is not told of one", () => {
  const tables = [
    { schema: "shop", name: "orders", at: "7", figures: FIGURES },
    { schema: "shop", name: "people", at: null, figures: null },
  ];
  expect(tableLines(estimate({ tables, readsDrive: true }))).toEqual([
    { name: "shop.orders at 7", text: "12 of 480 files, at most 34 MB" },
    { name: "shop.people", text: "not told: you see a part of it" },
    { name: "the drive", text: "files besides" },
  ]);
});
