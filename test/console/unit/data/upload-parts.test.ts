// How files are cut for an upload in parts.

import { expect, it } from "vitest";
import { partSize } from "../../../../clients/typescript/src/upload.ts";
import { rangeOf } from "../../../../src/console/screens/drive/upload/parts.ts";

const MIB = 1024 * 1024;
const BOUNDS = { part_bytes_min: 5 * MIB, part_bytes_max: 5 * 1024 * MIB, parts_max: 10_000 };

it("never needs more parts than the store takes, however large the file", () => {
  const bytes = 5_000_000_000_000;
  expect(Math.ceil(bytes / partSize(bytes, BOUNDS))).toBeLessThanOrEqual(BOUNDS.parts_max);
  expect(partSize(1, BOUNDS)).toBe(16 * MIB);
});

it("covers each byte once", () => {
  const bytes = 40 * MIB + 1;
  const size = partSize(bytes, BOUNDS);
  const ranges = Array.from({ length: Math.ceil(bytes / size) }, (_, index) => rangeOf(index, size, bytes));
  expect(ranges[0]!.start).toBe(0);
  expect(ranges.at(-1)!.end).toBe(bytes);
  for (const [at, { end }] of ranges.slice(0, -1).entries()) expect(ranges[at + 1]!.start).toBe(end);
});
