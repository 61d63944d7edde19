// What SQL Server's marks say of rows that were written since an earlier run, and when they can't be believed.

import { describe, expect, it } from "vitest";
import { READ_ALL, type ReadAllReason } from "../../../../containers/engine/extract/changes/read-all-reasons.ts";
import { findWrittenRows, type Mark } from "../../../../containers/engine/sources/sqlserver/extraction/changed-rows.ts";
import type { SqlServerTable } from "../../../../containers/engine/sources/sqlserver/extraction/describe-table.ts";
import type { SnapshotPosition } from "../../../../containers/engine/sources/sqlserver/extraction/position.ts";

const POSITION: SnapshotPosition = {
  database: "one",
  version: "20",
  rowversion: "00000000000007D1",
  hasStatementSnapshots: true,
};
const TABLE = {
  schema: "shop",
  name: "or]ders",
  objectId: 7,
  fingerprint: "columns",
  primaryKey: ["id", "part]"],
  isPrimary: true,
  rowversion: undefined,
  untrackedReason: undefined,
  alteredAt: "2026-01-01T00:00:00",
} as SqlServerTable;

type Tracked = { begin: string; leastValid: string | null } | undefined;
type Marked = { position?: Partial<SnapshotPosition>; table?: Partial<SqlServerTable>; tracked?: Tracked };

const find = ({ position, table, tracked }: Marked, earlier?: object) =>
  findWrittenRows(
    {
      position: { ...POSITION, ...position },
      table: { ...TABLE, ...table },
      signal: new AbortController().signal,
      snapshot: { fetchRows: () => Promise.resolve(tracked ? [[tracked.begin, tracked.leastValid]] : []) },
    },
    earlier,
  );

const TRACKED = { begin: "5", leastValid: "5" };
const BEFORE: Mark = { by: "tracking", database: "one", fingerprint: "columns", version: "10", begin: "5" };

describe("rows since an earlier run, by change tracking", () => {
  it("are those that it names by their key, after the version of that run", async () => {
    const written = await find({ tracked: TRACKED }, BEFORE);
    expect(written?.mark).toEqual({ ...BEFORE, version: "20" });
    expect(written?.since).toEqual({
      method: "rows that change tracking names",
      where:
        "EXISTS (SELECT 1 FROM CHANGETABLE(CHANGES [shop].[or]]ders], 10) AS changed " +
        "WHERE changed.[id] = source_row.[id] AND changed.[part]]] = source_row.[part]]])",
    });
  });

  it.each<[string, Marked, object | undefined, ReadAllReason]>([
    ["no run was before", { tracked: TRACKED }, undefined, READ_ALL.noEarlierRun],
    ["the mark is none", { tracked: TRACKED }, { ...BEFORE, version: "1; DROP" }, READ_ALL.noEarlierRun],
    ["changes were cleaned up", { tracked: { begin: "5", leastValid: "11" } }, BEFORE, READ_ALL.trackingLapsed],
    ["it was truncated", { tracked: { begin: "12", leastValid: "12" } }, BEFORE, READ_ALL.trackingRestarted],
    [
      "tracking was off for a while",
      { tracked: { begin: "10", leastValid: "10" } },
      BEFORE,
      READ_ALL.trackingRestarted,
    ],
    [
      "it may have been off, and no version tells",
      { tracked: { begin: "10", leastValid: "10" } },
      { ...BEFORE, begin: "10" },
      READ_ALL.trackingRestarted,
    ],
    ["the server lies behind", { tracked: TRACKED, position: { version: "9" } }, BEFORE, READ_ALL.serverBehind],
    ["it is another database", { tracked: TRACKED, position: { database: "two" } }, BEFORE, READ_ALL.otherDatabase],
    ["columns changed", { tracked: TRACKED, table: { fingerprint: "others" } }, BEFORE, READ_ALL.columnsChanged],
    ["there is only a rowversion now", { table: { rowversion: "v" } }, BEFORE, READ_ALL.otherMarks],
  ])("are all rows where %s", async (_, marked, earlier, full) => {
    expect((await find(marked, earlier))?.since).toEqual({ full });
  });

  it("are as they were up to the last version that is kept", async () => {
    expect((await find({ tracked: { begin: "5", leastValid: "10" } }, BEFORE))?.since).toHaveProperty("where");
  });

  it.each<[string, Marked]>([
    ["the table is not tracked", { tracked: undefined }],
    ["the account may not see its changes", { tracked: { begin: "5", leastValid: null } }],
    ["the database is not tracked", { tracked: TRACKED, position: { version: null } }],
    ["its key is not the primary one", { tracked: TRACKED, table: { isPrimary: false } }],
    ["the database is a copy that can't be written", { tracked: TRACKED, position: { database: null } }],
    ["a column is computed anew at each read", { tracked: TRACKED, table: { untrackedReason: "…" } }],
  ])("can't be told where %s", async (_, marked) => {
    expect(await find(marked, BEFORE)).toBeUndefined();
  });
});

describe("rows since an earlier run, by a rowversion", () => {
  const table = { rowversion: "ver]sion" };
  const { alteredAt } = TABLE;
  const before: Mark = {
    by: "rowversion",
    database: "one",
    fingerprint: "columns",
    from: "00000000000003E8",
    alteredAt,
  };

  it("are those with one that was not committed then, or is later", async () => {
    const written = await find({ table }, before);
    expect(written?.mark).toEqual({ ...before, from: "00000000000007D1" });
    expect(written?.since).toMatchObject({ where: "source_row.[ver]]sion] >= 0x00000000000003E8" });
  });

  it.each<[string, Marked, object, ReadAllReason]>([
    ["the server lies behind", { table, position: { rowversion: "0000000000000001" } }, before, READ_ALL.serverBehind],
    ["it is another database", { table, position: { database: "two" } }, before, READ_ALL.otherDatabase],
    ["columns changed", { table: { ...table, fingerprint: "others" } }, before, READ_ALL.columnsChanged],
    [
      "a partition was switched",
      { table: { ...table, alteredAt: "later" } },
      before,
      READ_ALL.columnsOrPartitionsChanged,
    ],
    ["the table is tracked now", { table, tracked: TRACKED }, before, READ_ALL.otherMarks],
    ["the mark is none", { table }, { ...before, from: "0 OR 1 = 1" }, READ_ALL.noEarlierRun],
  ])("are all rows where %s", async (_, marked, earlier, full) => {
    expect((await find(marked, earlier))?.since).toEqual({ full });
  });

  it("can't be told where the server says none", async () => {
    expect(await find({ table, position: { rowversion: null } }, before)).toBeUndefined();
  });
});
