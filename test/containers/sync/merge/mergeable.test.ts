// Whether a table is merged or read as a whole, for each reason that is known before any row is read.

import { describe, expect, it } from "vitest";
import type { SyncWork } from "../../../../kernel/jobs/work.ts";
import type { ChangeReport } from "../../../../containers/engine/extract/changes/changes.ts";
import {
  READ_ALL,
  ReadAllInstead,
  type ReadAllCode,
} from "../../../../containers/engine/extract/changes/read-all-reasons.ts";
import type { Checkpoint } from "../../../../containers/engine/jobs/sync/commit/checkpoint.ts";
import { baselineBehind, checkMergeable } from "../../../../containers/engine/jobs/sync/merge/check-mergeable.ts";
import type { PreparedTable } from "../../../../containers/engine/jobs/sync/sync-run.ts";

const figures = { rowsRead: 0, rowsWritten: 0, rowsDeleted: 0, bytesWritten: 0 };
const checkpoint: Checkpoint = {
  version: 1,
  runId: "earlier",
  result: { ...figures, method: "full read", notes: [], warnings: [] },
  readAs: {},
  columnIdLast: 1,
  fingerprint: "columns",
  readVersion: 1,
  isAppended: false,
  columnsWithGaps: [],
  comments: "",
  cursor: null,
  baseline: null,
};
const changed = { wheres: ["k > 1"], compared: { kind: "keys" as const }, method: "rows written since the last run" };
const found: ChangeReport = { changed, baseline: null };

/** As far as the decision looks at it. */
const table = ({ full = false, ...more }: Partial<PreparedTable> & { full?: boolean } = {}): PreparedTable =>
  ({
    run: { work: { full } as SyncWork },
    lake: { tableId: 1, schema: "main", name: "t", columns: [] },
    checkpoint,
    isReadOtherwise: false,
    columnPlan: { kind: "keep", columns: [], changes: [], notes: [] },
    ...more,
  }) as unknown as PreparedTable;

function codeOf(prepared: PreparedTable, from: ChangeReport = found): ReadAllCode | undefined {
  try {
    checkMergeable(prepared, from);
    return undefined;
  } catch (error) {
    if (error instanceof ReadAllInstead) return error.code;
    throw error;
  }
}

describe("a table", () => {
  it("is merged where the lake has it as this sync left it, and the source says what changed", () =>
    expect(checkMergeable(table(), found)).toMatchObject({ merge: { checkpoint }, changed }));

  it.each([
    ["the run is asked to", table({ full: true }), READ_ALL.askedInFull],
    ["the lake has no such table", table({ lake: undefined }), READ_ALL.noLakeTable],
    ["another wrote the lake's table", table({ checkpoint: undefined }), READ_ALL.notWrittenBySync],
    ["values are read otherwise than before", table({ isReadOtherwise: true }), READ_ALL.valuesReadOtherwise],
    ["it is made anew", table({ columnPlan: { kind: "create", columns: [], notes: [] } }), READ_ALL.columnsDiffer],
    [
      "a column changes in place",
      table({ columnPlan: { kind: "keep", columns: [], changes: [{ kind: "drop_column", id: 1 }], notes: [] } }),
      READ_ALL.columnsDiffer,
    ],
    ["rows were appended to it", table({ checkpoint: { ...checkpoint, isAppended: true } }), READ_ALL.appendedBefore],
    [
      "rows were appended to it by an earlier version",
      table({
        checkpoint: {
          ...checkpoint,
          isAppended: undefined,
          result: { ...checkpoint.result, method: "new rows by id" },
        },
      }),
      READ_ALL.appendedBefore,
    ],
  ])("is read as a whole where %s", (_, prepared, { code }) => expect(codeOf(prepared)).toBe(code));

  it("is read as a whole for the source's reason, before any other", () => {
    const source: ChangeReport = { changed: new ReadAllInstead(READ_ALL.tableRecreated), baseline: null };
    expect(codeOf(table({ full: true }), source)).toBe("tableRecreated");
  });
});

describe("what the next run compares with", () => {
  const digests = { kind: "digests" as const, digests: {}, keys: { rows: 1, low: "1", high: "0" } };
  const mark = { kind: "mark" as const, mark: {} };

  it.each([
    ["digests where the reading broke off, perhaps with the snapshot", READ_ALL.outOfCapacity, digests, null],
    ["digests where the lake did not come to the source's keys", READ_ALL.keysDiffer, digests, digests],
    ["a mark, which may lie before the rows that are read", READ_ALL.outOfCapacity, mark, mark],
    ["nothing", READ_ALL.askedInFull, null, null],
  ])("is kept of a merge that was given up: %s", (_, reason, baseline, kept) => {
    expect(baselineBehind(new ReadAllInstead(reason), baseline)).toBe(kept);
  });
});
