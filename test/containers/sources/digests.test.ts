import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checksumKeys } from "../../../containers/engine/extract/changes/key-checksum.ts";
import { READ_ALL, ReadAllInstead } from "../../../containers/engine/extract/changes/read-all-reasons.ts";
import type { ChangedRows, EarlierBaseline } from "../../../containers/engine/extract/changes/changes.ts";
import type { SourceTable } from "../../../containers/engine/extract/source-table.ts";
import { duckdbType } from "../../../containers/engine/parquet/lake-types.ts";
import type { DigestDialect } from "../../../containers/engine/sources/digests/dialect.ts";
import { findChangedPartitions } from "../../../containers/engine/sources/digests/find-changes.ts";
import { duckdbDigests } from "../../support/node/sources/duckdb-digests.ts";
import { never } from "../../support/node/sources/extraction.ts";
import { textColumn, textTable } from "../../support/node/sources/text-snapshot.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

let tables = 0;

/** A table at the source, and what a sync has made of it in the lake. */
class SyncedTable {
  readonly table: SourceTable;
  readonly lake: string;
  readonly statements: string[] = [];
  spoil: (dialect: DigestDialect) => Partial<DigestDialect> = () => ({});
  #before: EarlierBaseline | undefined;
  #runs = 0;

  constructor(columns: Record<string, string>, key: string[]) {
    const described = textTable(Object.entries(columns).map(([name, type]) => textColumn(name, type)));
    this.table = { ...described, name: `source_${++tables}`, primaryKey: key, fingerprint: "1" };
    this.lake = `lake_${tables}`;
  }

  async create(): Promise<this> {
    const columns = this.table.columns.map(({ lake }) => `"${lake.name}" ${duckdbType(lake)}`).join(", ");
    for (const name of [this.table.name, this.lake]) await connection.run(`CREATE TABLE ${name} (${columns})`);
    return this;
  }

  /** How many statements have read the table. */
  reads = (): number => this.statements.filter((sql) => sql.includes(this.table.name)).length;

  run(sql: string): Promise<unknown> {
    return connection.run(sql.replaceAll("$t", this.table.name));
  }

  /** What it answers; the lake has become the source by it, and by nothing else. */
  async sync(rangeRows = 10): Promise<ChangedRows | ReadAllInstead> {
    const dialect = duckdbDigests(connection, this.table, this.statements);
    const { changed, baseline } = await findChangedPartitions(
      { ...dialect, ...this.spoil(dialect) },
      {
        table: this.table,
        before: this.#before,
        isFirstRun: this.#runs++ === 0,
        signal: never(),
        rangeRows,
        onProgress: () => undefined,
      },
    );
    if (changed instanceof ReadAllInstead) {
      await connection.run(`DELETE FROM ${this.lake}`);
      await connection.run(`INSERT INTO ${this.lake} FROM ${this.table.name}`);
    } else await this.#apply(changed);
    expect(await this.#differences()).toBe(0);
    // As a checkpoint keeps it.
    this.#before = baseline?.kind === "digests" ? JSON.parse(JSON.stringify(baseline)) : undefined;
    if (baseline?.kind === "digests") expect(baseline.keys).toEqual(await this.#keys(this.table.name));
    return changed;
  }

  async #apply({ wheres, compared, keys }: ChangedRows): Promise<void> {
    expect(keys).toMatchObject({
      before: await this.#keys(this.lake),
      now: await this.#keys(this.table.name),
      method: "by_source",
    });
    if (compared.kind !== "ranges") throw new Error("partitions are ranges");
    if (compared.lakeWhere === "") return expect(wheres).toEqual([]);
    await connection.run(`DELETE FROM ${this.lake} WHERE ${compared.lakeWhere}`);
    for (const where of wheres) await connection.run(`INSERT INTO ${this.lake} FROM ${this.table.name} WHERE ${where}`);
  }

  /** Rows that one side has more often than the other. */
  async #differences(): Promise<number> {
    const [a, b] = [this.table.name, this.lake];
    return Number(
      await value(`SELECT count(*) FROM ((FROM ${a} EXCEPT ALL FROM ${b}) UNION ALL (FROM ${b} EXCEPT ALL FROM ${a}))`),
    );
  }

  #keys(from: string) {
    const keys = this.table.primaryKey.map((key) => this.table.columns.find(({ name }) => name === key)!.lake);
    return checksumKeys(connection, `FROM ${from}`, keys, "sha256");
  }
}

async function value(sql: string): Promise<unknown> {
  return (await connection.runAndReadAll(sql)).getRows()[0]![0];
}

/** How many partitions had changed, of how many. */
function partitionsOf(changed: ChangedRows | ReadAllInstead): { changed: number; all: number } {
  if (changed instanceof ReadAllInstead) throw changed;
  const [, some, all] = /^(\d+) of (\d+) ranges/.exec(changed.method)!;
  return { changed: Number(some), all: Number(all) };
}

const EDITS = [
  ["inserts", "INSERT INTO $t SELECT i + 5000, 'new', 1, NULL FROM range(7) r(i)", 1],
  ["deletes", "DELETE FROM $t WHERE id IN (17, 18)", 1],
  ["updates", "UPDATE $t SET name = name || '!' WHERE id = 300", 1],
  ["a NULL that becomes a value", "UPDATE $t SET gone = 0 WHERE id = 301", 1],
  ["a value that becomes NULL", "UPDATE $t SET name = NULL WHERE id = 302", 1],
  ["an empty text for NULL", "UPDATE $t SET gone = NULL, name = '' WHERE id = 302", 1],
  ["values swapped between columns of a row", "UPDATE $t SET number = gone, gone = number WHERE id = 300", 1],
  [
    "values swapped between rows of a range",
    "UPDATE $t SET name = CASE id WHEN 400 THEN 'n401' ELSE 'n400' END WHERE id IN (400, 401)",
    1,
  ],
  ["a key that moves", "UPDATE $t SET id = 9999 WHERE id = 400", 2],
  ["nothing", "UPDATE $t SET name = name", 0],
  ["all of it gone", "DELETE FROM $t", undefined],
  ["rows in what was empty", "INSERT INTO $t SELECT i, 'x', 2, 2 FROM range(100) r(i)", undefined],
] as const;

describe("digests of a table", () => {
  it("show every edit, and no range beside those that have one", async () => {
    const synced = await new SyncedTable({ id: "int64", name: "varchar", number: "float64", gone: "int32" }, [
      "id",
    ]).create();
    await synced.run("INSERT INTO $t SELECT i, 'n' || i, i / 7, CASE WHEN i % 3 > 0 THEN i END FROM range(1000) r(i)");
    expect(await synced.sync()).toMatchObject(READ_ALL.firstRun);
    for (const [what, edit, partitions] of EDITS) {
      await synced.run(edit);
      const found = partitionsOf(await synced.sync());
      if (partitions !== undefined) expect(found.changed, what).toBe(partitions);
    }
  });

  it("take -0 and 0, NaN, and what only looks alike for different values", async () => {
    const synced = await new SyncedTable({ id: "int32", a: "varchar", b: "varchar", f: "float64" }, ["id"]).create();
    await synced.run("INSERT INTO $t VALUES (1, 'x', 'y', 0), (2, '', 'xy', 1), (3, NULL, 'N', 2)");
    await synced.sync();
    // DuckDB's UPDATE leaves a value that equals the new one.
    await synced.run("DELETE FROM $t WHERE id = 1");
    await synced.run("INSERT INTO $t VALUES (1, 'x', 'y', '-0')");
    expect(partitionsOf(await synced.sync(1)).changed).toBe(1);
    for (const edit of [
      "a = 'x,1 y', b = '' WHERE id = 1",
      "a = 'x', b = 'y' WHERE id = 2",
      "a = 'N', b = NULL WHERE id = 3",
      "f = 'NaN' WHERE id = 3",
    ]) {
      await synced.run(`UPDATE $t SET ${edit}`);
      expect(partitionsOf(await synced.sync(1)).changed, edit).toBe(1);
    }
  });

  it("read the table by two statements where its key is ordered, and by one where it is not", async () => {
    const ordered = await new SyncedTable({ id: "int64" }, ["id"]).create();
    await ordered.sync();
    expect(ordered.reads()).toBe(2);
    const hashed = await new SyncedTable({ id: "varchar" }, ["id"]).create();
    await hashed.sync();
    hashed.statements.length = 0;
    await hashed.sync();
    expect(hashed.reads()).toBe(1);
  });

  it("read a table in full whose columns changed, whose key has floats, or whose memory is none of theirs", async () => {
    const synced = await new SyncedTable({ id: "int64", v: "int32" }, ["id"]).create();
    await synced.run("INSERT INTO $t SELECT i, i FROM range(50) r(i)");
    await synced.sync();
    Object.assign(synced.table, { fingerprint: "2" });
    expect(await synced.sync()).toMatchObject(READ_ALL.columnsChanged);
    expect(partitionsOf(await synced.sync()).changed).toBe(0);
    const floats = await new SyncedTable({ id: "float64" }, ["id"]).create();
    expect(await floats.sync()).toMatchObject(READ_ALL.keyWithoutRanges);
    for (const digests of [{}, { fingerprint: "2", plan: { by: "ordinal", bits: 1 }, buckets: [["x", 1, "1", "1"]] }]) {
      const { changed } = await findChangedPartitions(duckdbDigests(connection, synced.table), {
        table: synced.table,
        before: { kind: "digests", digests },
        isFirstRun: false,
        signal: never(),
        rangeRows: 10,
        onProgress: () => undefined,
      });
      expect(changed).toMatchObject(READ_ALL.firstRun);
    }
  });

  it("read a table in full where most of it has changed", async () => {
    const synced = await new SyncedTable({ id: "int64", v: "int32" }, ["id"]).create();
    await synced.run("INSERT INTO $t SELECT i, 0 FROM range(120000) r(i)");
    await synced.sync(1_000);
    await synced.run("UPDATE $t SET v = 1 WHERE id % 900 = 0");
    expect(await synced.sync(1_000)).toMatchObject({ note: expect.stringMatching(/^Ranges with \d+ of its 120000/) });
    expect(partitionsOf(await synced.sync(1_000)).changed).toBe(0);
  });
});

/** What a service may do otherwise than its manual says, or than the engine has read it. */
const SPOILT: [what: string, spoil: (dialect: DigestDialect) => Partial<DigestDialect>][] = [
  ["hashes otherwise", () => ({ hash: (text) => `sha256(${text} || ' ')` })],
  ["prints hashes in capitals", ({ firstDigits }) => ({ firstDigits: (...of) => `upper(${firstDigits(...of)})` })],
  [
    "has sums with a sign",
    () => ({
      sumHashes: (hash) => {
        const signed = (from: number) =>
          `sum(CAST('0x' || substr(${hash}, ${from}, 15) AS BIGINT) - 576460752303423488)::VARCHAR`;
        return [signed(1), signed(17)];
      },
    }),
  ],
  ["has sums of half a hash", ({ sumHashes }) => ({ sumHashes: (hash) => [sumHashes(hash)[0], "'0'"] })],
  ["rounds what it divides", () => ({ divide: (number, by) => `round(${number} / ${by})::HUGEINT` })],
  ["divides to digits behind the point", () => ({ divide: (number, by) => `(${number} / ${by})` })],
  [
    "rounds times towards 1970",
    ({ ordinal }) => ({
      ordinal: (column) => ({ ...ordinal(column)!, sql: `trunc(epoch("${column.name}"))::HUGEINT` }),
    }),
  ],
];

describe("a database that", () => {
  it.each(SPOILT)("%s is not trusted: its tables are read in full, and the run says why", async (_, spoil) => {
    const synced = await new SyncedTable({ id: "timestamp", v: "int32" }, ["id"]).create();
    await synced.run(
      "INSERT INTO $t SELECT TIMESTAMP '1969-12-31 23:59:50.5' + INTERVAL (i) SECOND, i FROM range(20) r(i)",
    );
    await synced.sync();
    expect(partitionsOf(await synced.sync()).changed).toBe(0);
    synced.spoil = spoil;
    expect(await synced.sync()).toMatchObject(READ_ALL.hashedOtherwise);
    expect(synced.reads()).toBe(4);
    synced.spoil = () => ({ hash: (text) => `no_such_function(${text})` });
    expect(await synced.sync()).toMatchObject(READ_ALL.notHashed("no such function"));
  });
});

/** Keys of every type that there are ranges or texts of: the columns, and the SQL of the i-th key. */
const KEYS: Record<string, [columns: Record<string, string>, key: string]> = {
  "small numbers below and above nought": [{ k: "int16" }, "(i - 500)::SMALLINT"],
  "the ends of 64 bits": [
    { k: "int64" },
    "CASE WHEN i % 2 = 0 THEN 9223372036854775807 - i ELSE -9223372036854775808 + i END",
  ],
  "numbers of 38 digits": [{ k: "decimal(38,0)" }, "(i - 500)::DECIMAL(38,0) * 99999999999999999999999999999999999"],
  "the ends of 38 digits": [
    { k: "decimal(38,0)" },
    `CASE WHEN i % 2 = 0 THEN ${"9".repeat(38)}::DECIMAL(38,0) - i ELSE i - ${"9".repeat(38)}::DECIMAL(38,0) END`,
  ],
  "decimals with digits behind the point": [{ k: "decimal(10,2)" }, "(i - 500) / 100"],
  "decimals that are all behind the point": [{ k: "decimal(4,4)" }, "(i - 500) / 10000"],
  dates: [{ k: "date" }, "DATE '1969-01-01' + i::INTEGER"],
  "the ends of the calendar": [
    { k: "date" },
    "CASE WHEN i % 2 = 0 THEN DATE '0001-01-01' + i::INTEGER ELSE DATE '9999-12-31' - i::INTEGER END",
  ],
  "dates before Christ": [{ k: "date" }, "DATE '0044-03-15 (BC)' + i::INTEGER"],
  times: [{ k: "timestamp" }, "TIMESTAMP '1969-12-31 23:55:00.25' + INTERVAL (i * 700) MILLISECOND"],
  "times to the microsecond": [{ k: "timestamp" }, "TIMESTAMP '1969-12-31 23:59:59.9999' + INTERVAL (i) MICROSECOND"],
  instants: [{ k: "timestamptz" }, "TIMESTAMPTZ '2026-10-25 00:30:00+00' + INTERVAL (i) SECOND"],
  texts: [{ k: "varchar" }, "'ключ, ' || i"],
  "numbers as texts": [{ k: "varchar" }, "i::VARCHAR"],
  uuids: [{ k: "uuid" }, "md5(i::VARCHAR)::UUID"],
  bytes: [{ k: "blob" }, "encode('b' || i)"],
  "a text and a number": [{ k: "varchar", l: "int64" }, "'t' || (i % 7), i"],
  "a number for many rows, and a text": [{ k: "int32", l: "varchar" }, "i % 5, 'v' || i"],
  "a truth and a number": [{ k: "boolean", l: "int32" }, "i % 2 = 0, i"],
  "a number with a wide gap": [{ k: "int64" }, "CASE WHEN i = 0 THEN 9000000000000000000 ELSE i END"],
  "a number that may be missing": [{ k: "int64" }, "CASE WHEN i % 1000 > 2 THEN i END"],
  "a text that may be missing": [{ k: "varchar" }, "CASE WHEN i % 1000 > 2 THEN 't' || i END"],
};

describe.each(Object.entries(KEYS))("a key of %s", (_, [columns, key]) => {
  it("leads to the source's rows, whatever is edited", async () => {
    const synced = await new SyncedTable({ ...columns, v: "int32" }, Object.keys(columns)).create();
    const insert = (from: number, to: number) =>
      synced.run(`INSERT INTO $t SELECT ${key}, i FROM range(${from}, ${to}) r(i)`);
    let random = 7;
    const next = (below: number) => (random = (random * 48_271) % 2_147_483_647) % below;
    await insert(0, 400);
    await synced.sync();
    let last = 400;
    for (let round = 0; round < 8; round++) {
      const edits = next(5);
      for (let edit = 0; edit < edits; edit++) {
        const at = next(last);
        if (edit % 3 === 0) await insert(last, (last += 1 + next(3)));
        else if (edit % 3 === 1) await synced.run(`DELETE FROM $t WHERE v = ${at}`);
        else await synced.run(`UPDATE $t SET v = v + 100000 WHERE v = ${at}`);
      }
      const found = partitionsOf(await synced.sync());
      // An insert is of three rows at most; each row lies in one partition.
      expect(found.changed).toBeLessThanOrEqual(3 * edits);
      expect(found.all).toBeGreaterThan(0);
    }
    expect(partitionsOf(await synced.sync()).changed).toBe(0);
  });
});

describe("a table that grows", () => {
  it("from numbers below nought to those above it is cut in two, however few its rows and far apart", async () => {
    const synced = await new SyncedTable({ id: "int64" }, ["id"]).create();
    await synced.run("INSERT INTO $t VALUES (-1), (0)");
    await synced.sync(100);
    await synced.run("INSERT INTO $t VALUES (-9223372036854775808), (9223372036854775807)");
    await synced.sync(100);
  });

  it("is cut into more ranges, and compared by those it had", async () => {
    const synced = await new SyncedTable({ id: "int64", v: "int32" }, ["id"]).create();
    await synced.run("INSERT INTO $t SELECT i, 0 FROM range(20) r(i)");
    await synced.sync();
    for (const rows of [100, 3_000, 40_000]) {
      await synced.run(`INSERT INTO $t SELECT i, 1 FROM range((SELECT count(*) FROM $t), ${rows}) r(i)`);
      await synced.sync();
      await synced.run("UPDATE $t SET v = v + 1 WHERE id = 11");
      const found = partitionsOf(await synced.sync());
      expect(found.changed).toBe(1);
      expect(found.all).toBeGreaterThanOrEqual(Math.min(2_000, rows / 20));
      expect(found.all).toBeLessThanOrEqual(4_097);
    }
  });

  it("by hashes of its key, is cut into more partitions too", async () => {
    const synced = await new SyncedTable({ id: "varchar", v: "int32" }, ["id"]).create();
    await synced.run("INSERT INTO $t SELECT 'k' || i, 0 FROM range(5) r(i)");
    await synced.sync();
    await synced.run("INSERT INTO $t SELECT 'k' || i, 0 FROM range(5, 40000) r(i)");
    await synced.sync();
    await synced.sync();
    await synced.run("UPDATE $t SET v = 1 WHERE id = 'k7'");
    expect(partitionsOf(await synced.sync())).toEqual({ changed: 1, all: 4_096 });
  });

  it("with most of its rows under one number, is compared by hashes from the next run on", async () => {
    const synced = await new SyncedTable({ tenant: "int64", id: "int64", v: "int32" }, ["tenant", "id"]).create();
    await synced.run("INSERT INTO $t SELECT CASE WHEN i < 200 THEN i ELSE 7 END, i, 0 FROM range(5000) r(i)");
    await synced.sync();
    await synced.run("UPDATE $t SET v = 1 WHERE id = 4000");
    const changed = await synced.sync();
    expect(partitionsOf(changed).changed).toBe(1);
    expect((changed as ChangedRows).wheres[0]).toMatch(/sha256/);
  });
});
