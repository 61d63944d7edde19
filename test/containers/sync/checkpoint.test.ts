// The form in which a sync's checkpoints are stored, which later versions have to read.

import { expect, it } from "vitest";
import {
  fitsCheckpoint,
  parseCheckpoint,
  serializeCheckpoint,
  type Baseline,
  type Checkpoint,
} from "../../../containers/engine/jobs/sync/commit/checkpoint.ts";
import type { PostgresWatermark } from "../../../containers/engine/sources/postgres/extraction/changed-rows.ts";

const watermark = { moment: { oldestRunning: "7" }, oid: 1, fingerprint: "f" } as unknown as PostgresWatermark;
const checkpointOf = (baseline: Baseline | null): Checkpoint => ({
  version: 1,
  runId: "run",
  result: { rowsRead: 1, rowsWritten: 1, rowsDeleted: 0, bytesWritten: 9, method: "full read", notes: [] },
  readAs: {},
  columnIdLast: 2,
  fingerprint: "f",
  readVersion: 1,
  isAppended: false,
  comments: "",
  cursor: { column: "id", value: "3" },
  baseline,
});
const sums = { width: "4", sums: { "1": { rows: 1, low: "2", high: "3" } } };

it.each([
  [null, null],
  [
    { kind: "postgres" as const, watermark, keys: sums },
    { kind: "postgres", mark: watermark, keys: sums },
  ],
  [
    { kind: "late" as const, watermark },
    { kind: "late", mark: watermark },
  ],
  [
    { kind: "mysql" as const, digests: { fingerprint: "f", ranges: [] } },
    { kind: "mysql", digests: { fingerprint: "f", ranges: [] } },
  ],
])("a checkpoint is stored by names that stay, and read back: %j", (baseline, memory) => {
  const checkpoint = checkpointOf(baseline);
  const text = serializeCheckpoint(checkpoint);
  const { baseline: _, ...rest } = checkpoint;
  expect(JSON.parse(text)).toEqual({ ...rest, memory });
  expect(parseCheckpoint(text)).toEqual(checkpoint);
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
