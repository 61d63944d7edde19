// Values that sources and formats spell otherwise than they mean them, through whole runs: the lake has what the source
// means.

import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type { Checkpoint } from "../../../containers/engine/jobs/sync/commit/checkpoint.ts";
import { mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { SyncBench, type Ran } from "../../support/node/sync/test-sync.ts";
import { openSyncServers } from "../../support/node/sync/sync-servers.ts";

const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
const SCHEMA = `values_${process.pid}`;
const { client, root } = await openSyncServers(SCHEMA);
let bench: SyncBench;
afterEach(() => bench.close());

const openPostgres = async (): Promise<SyncBench> => {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET search_path = ${SCHEMA}`);
  return SyncBench.open(postgresSource(postgres));
};
const openMariadb = async (): Promise<SyncBench> => {
  await root.query(`DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA}; USE ${SCHEMA}`);
  return SyncBench.open(mariadbSource(mariadb, SCHEMA));
};

const synced = (more: Partial<Parameters<SyncBench["run"]>[0]> = {}): Promise<Ran> =>
  bench.run({ tables: [`${SCHEMA}.t`], ...more });
const reported = (ran: Ran) => ran.table(`${SCHEMA}.t`);

/** Leaves checkpoints like those of an engine that knew nothing of how values are read now. */
function forgetVersions(): void {
  for (const [key, text] of bench.platform.state) {
    const { readVersion: _, ...state } = JSON.parse(text) as Checkpoint;
    bench.platform.state.set(key, JSON.stringify(state));
  }
}

/** A lake's table as an earlier version made it: of these types. */
function retype(types: Record<string, string>): void {
  const [table] = bench.platform.tables;
  table!.columns = table!.columns.map((column) =>
    types[column.name] ? withType(column, types[column.name]!) : column,
  );
}
const withType = (column: LakeColumn, type: string): LakeColumn =>
  column.children.length > 0
    ? { ...column, children: column.children.map((child) => withType(child, type)) }
    : { ...column, type };
const typesNow = () =>
  Object.fromEntries(
    bench.platform.tables[0]!.columns.map(({ name, type, children }) => [name, children[0]?.type ?? type]),
  );

/** -0 is not kept by MariaDB. */
it("zeros of PostgreSQL keep their signs, in a full read and in a merge", async () => {
  bench = await openPostgres();
  const signed = (type: string, zero: string) =>
    `CASE i % 2 WHEN 0 THEN '${zero}'::${type} ELSE '${zero.replace("0", "-0")}'::${type} END`;
  await client.query(
    `CREATE TABLE t (id int PRIMARY KEY, d float8, f real, l float8[]); INSERT INTO t SELECT i, ${signed("float8", "0")}, ${signed("real", "0")}, ${signed("float8[]", "{0}")} FROM generate_series(0, 999) i`,
  );
  const negative = `SELECT ${["d", "f", "l[1]"].map((column, i) => `count(*) FILTER (signbit(${column})) AS n${i}, count(*) FILTER (${column} = 0) AS all${i}`).join(", ")} FROM t`;
  const halves = Object.fromEntries(
    [0, 1, 2].flatMap((i) => [
      [`n${i}`, 500],
      [`all${i}`, 1_000],
    ]),
  );
  expect(await synced()).toMatchObject({ outcome: "succeeded" });
  expect(await bench.rows(negative)).toEqual([halves]);
  for (const column of ["d = '-0'", "f = '-0'", "l = '{-0}'"]) {
    await client.query(
      `UPDATE t SET ${column} WHERE id % 100 = 0; UPDATE t SET ${column.replace("-", "")} WHERE id % 100 = 1`,
    );
    expect(reported(await synced())).toMatchObject({ phase: "done", rowsWritten: 20, rowsDeleted: 20 });
  }
  expect(await bench.rows(negative)).toEqual([halves]);
  expect(
    await bench.rows("SELECT signbit(d) AS d, signbit(f) AS f, signbit(l[1]) AS l FROM t WHERE id < 2 ORDER BY id"),
  ).toEqual([
    { d: true, f: true, l: true },
    { d: false, f: false, l: false },
  ]);
});

describe("numbers without a sign", () => {
  const WIDEST = {
    a: 255,
    b: 65_535,
    c: 16_777_215,
    d: 4_294_967_295,
    e: "18446744073709551615",
    f: 3,
    g: "18446744073709551615",
  };
  const NOW = {
    id: "decimal(20,0)",
    a: "int16",
    b: "int32",
    c: "int32",
    d: "int64",
    e: "decimal(20,0)",
    f: "int64",
    g: "decimal(20,0)",
  };
  const BEFORE = {
    id: "uint64",
    a: "uint8",
    b: "uint16",
    c: "uint32",
    d: "uint32",
    e: "uint64",
    f: "uint64",
    g: "uint64",
  };
  const make = `CREATE TABLE t (id bigint unsigned PRIMARY KEY, a tinyint unsigned, b smallint unsigned, c mediumint unsigned, d int unsigned, e bigint unsigned, f bit(2), g bit(64));
    INSERT INTO t VALUES (1, 0, 0, 0, 0, 0, 0, 0), (18446744073709551615, 255, 65535, 16777215, 4294967295, 18446744073709551615, 3, 18446744073709551615)`;
  const all = "SELECT * REPLACE (id::VARCHAR AS id, e::VARCHAR AS e, g::VARCHAR AS g) FROM t ORDER BY t.id";
  const rows = [
    { id: "1", a: 0, b: 0, c: 0, d: 0, e: "0", f: 0, g: "0" },
    { id: "18446744073709551615", ...WIDEST },
  ];

  it("of MySQL have types that every engine reads, and changes are followed among the largest", async () => {
    bench = await openMariadb();
    await root.query(make);
    expect(await synced()).toMatchObject({ outcome: "succeeded" });
    expect(typesNow()).toEqual(NOW);
    expect(await bench.rows(all)).toEqual(rows);
    await root.query(
      "UPDATE t SET e = 18446744073709551614 WHERE id > 1; INSERT INTO t (id, e) VALUES (18446744073709551614, 7)",
    );
    expect(reported(await synced())).toMatchObject({ rowsWritten: 2, rowsDeleted: 1, notes: [] });
    expect(
      await bench.rows(
        "SELECT id::VARCHAR AS id, e::VARCHAR AS e FROM t WHERE id > 18446744073709551613 ORDER BY t.id",
      ),
    ).toEqual([
      { id: "18446744073709551614", e: "7" },
      { id: "18446744073709551615", e: "18446744073709551614" },
    ]);
  });

  it.each(["merge", "overwrite"] as const)(
    "in a table that an earlier version made, %s makes it anew, and says so",
    async (loadMethod) => {
      bench = await openMariadb();
      await root.query(make);
      await synced({ loadMethod });
      retype(BEFORE);
      const anew = reported(await synced({ loadMethod })).notes.join(" ");
      expect(anew).toMatch(
        /Column d is int\(10\) unsigned, which is int64 in the lake and was uint32, a type that few other engines read\..*Column f is bit\(2\).*made anew/,
      );
      expect(typesNow()).toEqual(NOW);
      expect(await bench.rows(all)).toEqual(rows);
      expect(reported(await synced({ loadMethod })).notes.join(" ")).not.toContain("few other engines");
    },
  );

  it("in a table that an earlier version appended to stay as they are until a run in full", async () => {
    bench = await openMariadb();
    await root.query(make);
    const append = { loadMethod: "append" as const };
    await synced(append);
    retype(BEFORE);
    await root.query("DELETE FROM t WHERE id > 1; INSERT INTO t (id, d) VALUES (18446744073709551615, 0), (2, 1)");
    const ran = reported(await synced({ ...append, cursors: {} }));
    expect(ran.notes.join(" ")).toContain(
      "Column d is int(10) unsigned and stays uint32 in the lake, a type that few other engines read; a run in full makes it int64.",
    );
    expect(typesNow()).toEqual(BEFORE);
    const added = { id: "2", a: null, b: null, c: null, d: 1, e: null, f: null, g: null };
    expect(await bench.rows(all)).toEqual([rows[0], added, rows[1]]);
    expect(await synced({ ...append, full: true })).toMatchObject({ outcome: "succeeded" });
    expect(typesNow()).toEqual(NOW);
  });

  it("of PostgreSQL, oids, do too, alone and in arrays, and can be a cursor", async () => {
    bench = await openPostgres();
    await client.query(
      "CREATE TABLE t (id oid PRIMARY KEY, l oid[]); INSERT INTO t VALUES (1, '{4294967295,NULL}'), (4294967295, '{}')",
    );
    const append = { loadMethod: "append" as const, cursors: { [`${SCHEMA}.t`]: "id" } };
    await synced(append);
    expect(typesNow()).toEqual({ id: "int64", l: "int64" });
    retype({ id: "uint32", l: "uint32" });
    await client.query("INSERT INTO t VALUES (4294967294, '{7}')");
    expect(reported(await synced(append))).toMatchObject({ rowsWritten: 1, error: null });
    expect(await bench.rows("SELECT id, l FROM t ORDER BY id")).toEqual([
      { id: 1, l: [4_294_967_295, null] },
      { id: 4_294_967_294, l: [7] },
      { id: 4_294_967_295, l: [] },
    ]);
    expect(typesNow()).toEqual({ id: "uint32", l: "uint32" });
  });
});

describe("char(n) of PostgreSQL", () => {
  beforeEach(async () => void (bench = await openPostgres()));

  it("comes without its padding, which is no part of the value: alone, in keys, domains and arrays", async () => {
    await client.query(`CREATE DOMAIN code AS char(4); CREATE TABLE t (k char(6), n int, d code, l char(3)[], m char(3)[][], "varchar" varchar(6), PRIMARY KEY (k, n));
      INSERT INTO t VALUES ('ab', 1, 'x', '{a,"b ",NULL}', '{{a,b}}', 'ab '), ('', 2, '', '{}', NULL, ''), (' a', 3, NULL, '{""}', NULL, ' ')`);
    expect(await synced()).toMatchObject({ outcome: "succeeded" });
    const all = 'SELECT k, n, d, l, CAST(m AS VARCHAR) AS m, "varchar" FROM t ORDER BY n';
    const rows = [
      { k: "ab", n: 1, d: "x", l: ["a", "b", null], m: '[["a","b"]]', varchar: "ab " },
      { k: "", n: 2, d: "", l: [], m: null, varchar: "" },
      { k: " a", n: 3, d: null, l: [""], m: null, varchar: " " },
    ];
    expect(await bench.rows(all)).toEqual(rows);
    await client.query(
      "UPDATE t SET d = 'y' WHERE k = 'ab'; DELETE FROM t WHERE k = ''; INSERT INTO t VALUES ('new', 4)",
    );
    expect(reported(await synced())).toMatchObject({ rowsRead: 2, rowsWritten: 2, rowsDeleted: 2 });
    expect(await bench.rows(all)).toEqual([
      { ...rows[0], d: "y" },
      rows[2],
      { k: "new", n: 4, d: null, l: null, m: null, varchar: null },
    ]);
  });

  it("in a table that an earlier version merged, is read anew, once, and said", async () => {
    await client.query(
      "CREATE TABLE t (k char(6) PRIMARY KEY, plain text); INSERT INTO t SELECT i, i FROM generate_series(1, 10) i",
    );
    await synced();
    forgetVersions();
    const anew = reported(await synced());
    expect(anew).toMatchObject({ rowsRead: 10, rowsWritten: 10, rowsDeleted: 10, method: "full read" });
    expect(anew.notes.join(" ")).toContain(
      "Column k is character(6) and is read without its padding now. So all of it is read.",
    );
    expect(reported(await synced())).toMatchObject({ rowsRead: 0, rowsWritten: 0, notes: [] });
  });

  it.each(["PRIMARY KEY (id, code)", "CHECK (true)"])(
    "in a table that an earlier version appended to is the value it was before, with %s",
    async (key) => {
      const append = { loadMethod: "append" as const, cursors: { [`${SCHEMA}.t`]: "id" } };
      await client.query(
        `CREATE TABLE t (id int, code varchar(4), l varchar(3)[], ${key}); INSERT INTO t VALUES (1, 'ab  ', '{"a  "}'), (2, 'c   ', '{}')`,
      );
      expect(await synced(append)).toMatchObject({ outcome: "succeeded" });
      forgetVersions();
      await client.query(
        "ALTER TABLE t ALTER COLUMN code TYPE char(4), ALTER COLUMN l TYPE char(3)[]; INSERT INTO t VALUES (3, 'new', '{b}')",
      );
      const ran = reported(await synced(append));
      expect(ran).toMatchObject({ rowsWritten: 1, error: null });
      expect(ran.notes.join(" ")).toContain(
        "Column code is character(4) and is read without its padding now. Rows that were there keep theirs until a run in full.",
      );
      expect(await bench.rows("SELECT id, code, l FROM t ORDER BY id")).toEqual([
        { id: 1, code: "ab  ", l: ["a  "] },
        { id: 2, code: "c   ", l: [] },
        { id: 3, code: "new", l: ["b"] },
      ]);
      expect(await synced({ ...append, full: true })).toMatchObject({ outcome: "succeeded" });
      expect(await bench.rows("SELECT id FROM t WHERE code = 'ab' AND l = ['a']")).toEqual([{ id: 1 }]);
    },
  );

  it("in a table that was appended to, and is merged by a cursor then, leaves one row a key", async () => {
    const append = { loadMethod: "append" as const, cursors: { [`${SCHEMA}.t`]: "upd" } };
    const merge = { ...append, loadMethod: "merge" as const };
    await client.query(
      "CREATE TABLE t (code varchar(4) PRIMARY KEY, upd int, v int); INSERT INTO t VALUES ('ab  ', 1, 1), ('c   ', 2, 1)",
    );
    await synced(append);
    forgetVersions();
    await client.query("ALTER TABLE t ALTER COLUMN code TYPE char(4); INSERT INTO t VALUES ('new', 3, 1)");
    for (let i = 0; i < 2; i++)
      expect(reported(await synced(append)).notes.join(" ")).toContain(
        "Column code is character(4) and is read without its padding now. Rows that were there keep",
      );
    await client.query("UPDATE t SET v = 9, upd = 4 WHERE code = 'ab'");
    expect(reported(await synced(merge)).notes.join(" ")).toContain(
      "Column code is character(4) and is read without its padding now. So all of it is read.",
    );
    expect(await bench.rows("SELECT code, v FROM t ORDER BY code")).toEqual([
      { code: "ab", v: 9 },
      { code: "c", v: 1 },
      { code: "new", v: 1 },
    ]);
    expect(reported(await synced(merge))).toMatchObject({
      method: "rows changed by upd",
      rowsWritten: 0,
      rowsDeleted: 0,
    });
  });

  it.each(["char(3)[][]", "char(3)[]"])(
    "in %s that is json in the lake is the value that an earlier version appended",
    async (type) => {
      const append = { loadMethod: "append" as const, cursors: { [`${SCHEMA}.t`]: "id" } };
      await client.query(
        `CREATE TABLE t (id int, m ${type.replace("char", "varchar")}); INSERT INTO t VALUES (1, '{{"a  ",NULL},{"\\"  ","   "}}'), (2, '{{"c \\"","d,  "}}'), (3, '{}'), (4, NULL)`,
      );
      await synced(append);
      expect(typesNow()).toMatchObject({ m: "json" });
      forgetVersions();
      await client.query(`ALTER TABLE t ALTER COLUMN m TYPE ${type}; INSERT INTO t VALUES (5, '{{e}}')`);
      expect(reported(await synced(append))).toMatchObject({ rowsWritten: 1, error: null });
      expect(await bench.rows("SELECT id, CAST(m AS VARCHAR) AS m FROM t WHERE id IN (1, 5) ORDER BY id")).toEqual([
        { id: 1, m: '[["a  ",null],["\\"  ","   "]]' },
        { id: 5, m: '[["e"]]' },
      ]);
      expect(reported(await synced(append))).toMatchObject({ rowsWritten: 0, error: null });
    },
  );
});
