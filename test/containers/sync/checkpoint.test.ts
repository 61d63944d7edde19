// The form in which a sync's checkpoints are stored, which later versions have to read.

import { expect, it } from "vitest";
import {
  fitsCheckpoint,
  parseCheckpoint,
  serializeCheckpoint,
  type Baseline,
  type Checkpoint,
} from "../../../containers/engine/jobs/sync/commit/checkpoint.ts";

const mark = { moment: { oldestRunning: "7" }, oid: 1, fingerprint: "f" };
const checkpointOf = (baseline: Baseline | null): Checkpoint => ({
  version: 1,
  runId: "run",
  result: {
    rowsRead: 1,
    rowsWritten: 1,
    rowsDeleted: 0,
    bytesWritten: 9,
    method: "full read",
    notes: [],
    warnings: [],
  },
  readAs: {},
  columnIdLast: 2,
  fingerprint: "f",
  readVersion: 1,
  isAppended: false,
  columnsWithGaps: [],
  comments: "",
  cursor: { column: "id", value: "3", fileIdBefore: null },
  baseline,
});
const sums = { width: "4", digest: "hash 7", sums: { "1": { rows: 1, low: "2", high: "3" } } };

const digests = { fingerprint: "f", ranges: [] };

it.each([
  null,
  { kind: "mark" as const, mark, keys: sums, wereKeysGone: true },
  { kind: "late" as const, mark },
  { kind: "digests" as const, digests },
])("a checkpoint is stored by names that stay, and read back: %j", (baseline) => {
  const checkpoint = checkpointOf(baseline);
  const text = serializeCheckpoint(checkpoint);
  const { baseline: memory, ...rest } = checkpoint;
  expect(JSON.parse(text)).toEqual({ ...rest, memory });
  expect(parseCheckpoint(text)).toEqual(checkpoint);
});

it.each([
  [
    { kind: "postgres", mark, keys: { ...sums, digest: undefined } },
    { kind: "mark", mark, keys: { ...sums, digest: "md5" }, wereKeysGone: false },
  ],
  [
    { kind: "mysql", digests },
    { kind: "digests", digests },
  ],
])("a checkpoint of earlier versions is read: %j", (memory, baseline) => {
  const { baseline: _, ...rest } = checkpointOf(null);
  expect(parseCheckpoint(JSON.stringify({ ...rest, memory }))).toEqual({ ...rest, baseline });
});

it("a checkpoint of the first version is read, its cursor among it", () => {
  const result = { rowsRead: 1, rowsWritten: 1, rowsDeleted: 0, bytesWritten: 9, method: "full read", notes: [] };
  const first = { version: 1, runId: "run", result, readAs: {}, columnIdLast: 2, fingerprint: "f" };
  const stored = { ...first, cursor: { column: "id", value: "3" }, memory: null };
  expect(parseCheckpoint(JSON.stringify(stored))).toMatchObject({
    cursor: { column: "id", value: "3", fileIdBefore: null },
    baseline: null,
  });
});

it("a checkpoint that can't be read is none", () => {
  for (const text of [undefined, "", "{", "null", '{"version":2}']) expect(parseCheckpoint(text)).toBeUndefined();
});

it("a checkpoint of more than a megabyte is not kept", () => {
  const notes = ["ä".repeat(500_000)];
  const checkpoint = checkpointOf(null);
  expect(fitsCheckpoint(serializeCheckpoint(checkpoint))).toBe(true);
  expect(fitsCheckpoint(serializeCheckpoint({ ...checkpoint, result: { ...checkpoint.result, notes } }))).toBe(false);
});
