// What a lake's catalog takes for its files: rows of a commit, and bytes of its object.

import { describe, expect, it } from "vitest";
import { rowsOf, tableOf } from "../../../scripts/bench/catalog/call.ts";
import { readCalls } from "../../../scripts/bench/catalog/calls.ts";
import { filesOf, ROWS_PER_FILE, typeOf } from "../../../scripts/bench/catalog/worker/new-files.ts";
import type { TablePlan } from "../../../kernel/lake/lake.ts";
import { CATALOG } from "../../../scripts/scale/counts.ts";
import { valueOf, type Answer } from "../../../src/core/answer.ts";
import { newId } from "../../../src/core/ids.ts";
import { browseSnapshots } from "../../../src/lake/browse/snapshots.ts";
import { findTable } from "../../../src/lake/browse/tables.ts";
import { commitToCatalog } from "../../../src/lake/commit/commit.ts";
import { planTables } from "../../../src/lake/plan/plan.ts";
import { countStorage } from "../../support/unit/costs/counted-storage.ts";
import { append, column, createTable, inside, newLake, newWriter } from "../../support/unit/lake.ts";

const TABLE = tableOf(0);
const [FEW, MANY] = [4, 12];
/** A small catalog has shorter numbers in it. */
const BYTES_NEAR = 0.1;
/** Rows of the table itself and of its snapshots are among them. */
const READS_PER_FILE_MAX = 30;

/** A lake with a table of so many columns, and files of it as engines write them. */
async function newTable(columns: number) {
  const lake = newLake();
  const writer = await newWriter(lake);
  const all = Array.from({ length: columns }, (_, at) => column(at + 1, `c${at}`, typeOf(at)));
  valueOf(await writer.commit([createTable(TABLE.schema, TABLE.name, all)]));
  let firstFile = 0;
  /** The rows that a commit of so many files reads and writes. */
  const commit = async (count: number) => {
    const { lease, fence, jobId } = writer.token;
    const changes = [
      append(TABLE.schema, TABLE.name, ...filesOf({ table: TABLE.name, files: count, columns, firstFile }, jobId)),
    ];
    firstFile += count;
    const request = { lease, fence, jobId, commit: { key: newId(), author: null, message: null, changes } };
    return inside(lake, ({ storage }) => {
      const counted = countStorage(storage);
      valueOf(commitToCatalog(counted.storage, request, Date.now()));
      return rowsOf(counted.take());
    });
  };
  const addTables = async (tables: number) => {
    const empty = Array.from({ length: tables }, (_, at) =>
      createTable("main", `beside${at}`, [column(1, "c", "int64")]),
    );
    valueOf(await writer.commit(empty));
  };
  const databaseBytes = () => inside(lake, ({ storage }) => storage.sql.databaseSize);
  return { lake, commit, addTables, databaseBytes };
}

describe("a commit of new files", () => {
  it("writes so many rows, and as many with files before it as without", async () => {
    for (const columns of [FEW, MANY]) {
      const { commit } = await newTable(columns);
      await commit(1);
      const [one, other, eleven] = [await commit(1), await commit(1), await commit(11)];
      for (const kind of ["read", "written"] as const) {
        const { commit: ofCommit, column: ofColumn, file, fileColumn } = CATALOG[kind];
        const perFile = file + fileColumn * columns;
        expect([one[kind], eleven[kind]]).toEqual(
          [1, 11].map((files) => ofCommit + ofColumn * columns + files * perFile),
        );
      }
      expect(other).toEqual(one);
      await commit(500);
      expect(await commit(1)).toEqual(one);
    }
  });

  it("takes so many bytes for each file, and for each column of it", async () => {
    const perFile: number[] = [];
    for (const columns of [FEW, MANY]) {
      const { commit, databaseBytes } = await newTable(columns);
      await commit(500);
      const before = await databaseBytes();
      for (let commits = 0; commits < 4; commits++) await commit(500);
      perFile.push(((await databaseBytes()) - before) / 2_000);
    }
    const perColumn = (perFile[1]! - perFile[0]!) / (MANY - FEW);
    const fixed = perFile[0]! - perColumn * FEW;
    expect(Math.abs(perColumn / CATALOG.bytes.fileColumn - 1)).toBeLessThan(BYTES_NEAR);
    expect(Math.abs(fixed / CATALOG.bytes.file - 1)).toBeLessThan(BYTES_NEAR);
  });
});

describe("a commit to one table of many", () => {
  it("reads and writes as much as one to the only table", async () => {
    const { lake, commit, addTables } = await newTable(FEW);
    await commit(1);
    const alone = await commit(1);
    await addTables(200);
    const beside = await commit(1);
    expect(beside.written).toBe(alone.written);
    // A search of the index may look at the name that follows.
    expect(beside.read).toBeLessThanOrEqual(alone.read + 2);
    const read = await inside(lake, ({ storage }) => {
      const counted = countStorage(storage);
      findTable(counted.storage.sql, TABLE, "everything");
      return rowsOf(counted.take()).read;
    });
    expect(read).toBeLessThan(5);
  });
});

describe("a plan that predicates prune", () => {
  it("reads the bounds of each file and each file once, and no more", async () => {
    const { lake, commit } = await newTable(FEW);
    await commit(400);
    const counted = await inside(lake, ({ storage }) => {
      const { storage: listening, take } = countStorage(storage);
      const anyOf = [[{ columnId: 1, op: "=" as const, values: [String(5 * ROWS_PER_FILE + 1)] }]];
      const plan = valueOf(planTables(listening.sql, 2, { tableIds: [1], anyOf, reader: "everything" }));
      return { files: plan[0]!.files.length, ...rowsOf(take()) };
    });
    expect(counted.files).toBe(1);
    expect(counted.read).toBeLessThan(2 * 400 + 20);
  });
});

describe("the bench of catalogs", () => {
  it("asks for plans that leave as many files as their names say", async () => {
    const { lake, commit } = await newTable(FEW);
    await commit(4);
    const calls = readCalls({ head: 2, tableId: 1, files: 4 }).filter(({ method }) => method === "plan");
    const plan = lake.catalog.plan as unknown as (...given: unknown[]) => Promise<Answer<TablePlan[]>>;
    const left = calls.map(async ({ name, given }) => [name, valueOf(await plan(...given))[0]!.files.length]);
    expect(Object.fromEntries(await Promise.all(left))).toEqual({
      "plan, all files": 4,
      "plan, one file left": 1,
      "plan, half of the files left": 3,
      "plan, by two columns": 1,
    });
  });
});

describe("a table's timeline", () => {
  it("reads each file a bounded number of times, however many snapshots it tells of", async () => {
    const { lake, commit } = await newTable(FEW);
    const snapshots = 60;
    for (let commits = 0; commits < snapshots; commits++) await commit(5);
    const { shown, read } = await inside(lake, ({ storage }) => {
      const { storage: listening, take } = countStorage(storage);
      const page = valueOf(browseSnapshots(listening.sql, TABLE, 200, "everything"));
      return { shown: page.snapshots.length, ...rowsOf(take()) };
    });
    expect(shown).toBe(snapshots + 1);
    expect(read / (5 * snapshots)).toBeLessThan(READS_PER_FILE_MAX);
  });
});
