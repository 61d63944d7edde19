import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { SQLITE_TYPE, type ExportRequest } from "../../../kernel/wire/engine.ts";
import { createTableStatements } from "../../../src/lake/format/ducklake-tables.ts";
import { expireSnapshots } from "../../../src/lake/maintenance/expire.ts";
import { CatalogPlatform } from "../../support/node/lake/catalog-platform.ts";
import { readWithDucklake } from "../../support/node/lake/ducklake.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";

const column = (id: number, name: string, type: string, children: LakeColumn[] = []): LakeColumn => ({
  id,
  name,
  type,
  nullable: true,
  children,
});

let platform: CatalogPlatform;
let engine: Engine;
const directory = mkdtempSync(join(tmpdir(), "fjord-exports-"));
let exported = 0;

beforeAll(async () => {
  platform = await CatalogPlatform.start();
  engine = await startEngine({ hostsAllowed: "loopback", platformUrl: platform.url });
  await fillLake();
});
afterAll(async () => {
  await engine.stop();
  await platform.stop();
  rmSync(directory, { recursive: true, force: true });
});

const KINDS: LakeColumn[] = [
  ...[
    column(1, "id", "int64"),
    column(2, "price", "decimal(18,2)"),
    column(3, "Größe %", "varchar"),
    column(4, "at", "timestamptz"),
    column(5, "day", "date"),
  ],
  ...[
    column(6, "ratio", "float64"),
    column(7, "tags", "list", [column(8, "element", "varchar")]),
    column(9, "spot", "struct", [column(10, "x", "int32"), column(11, "y", "int32")]),
  ],
  ...[
    column(12, "by", "map", [column(13, "key", "varchar"), column(14, "value", "int64")]),
    column(15, "uid", "uuid"),
    column(16, "raw", "blob"),
    column(17, "flag", "boolean"),
    column(18, "big", "uint64"),
  ],
];
const kindsRows = (from: number, to: number): string => `
  SELECT i AS id, (i * 1.25)::DECIMAL(18,2) AS price, CASE WHEN i % 7 > 0 THEN 'ü' || i END AS "Größe %", TIMESTAMPTZ '2026-01-01 00:00:00.123456+00' + to_hours(i) AS at,
    DATE '2026-01-01' + i::INTEGER AS day, CASE WHEN i % 50 = 0 THEN 'nan'::DOUBLE ELSE i / 3 END AS ratio, ['a' || i, NULL] AS tags, {'x': i::INTEGER, 'y': NULL::INTEGER} AS spot,
    MAP {'k' || i: i} AS by, md5(i::VARCHAR)::UUID AS uid, ('b' || i)::BLOB AS raw, i % 2 = 0 AS flag, 18446744073709551615 - i::UBIGINT AS big FROM range(${from}, ${to}) AS t(i)`;

/**
 * A lake's life: appends, positional deletes twice over, an overwrite, a merge, a compaction, renames, columns that
 * come and go.
 */
async function fillLake(): Promise<void> {
  const small = [column(1, "id", "int32"), column(2, "old", "varchar"), column(3, "gone", "int32")];
  const smallFile = (from: number, to: number) =>
    platform.write(
      "main",
      "t",
      small,
      `SELECT i::INTEGER AS id, 'v' || i AS old, i::INTEGER AS gone FROM range(${from}, ${to}) AS r(i)`,
    );
  const liveFiles = (tableId: number): number[] =>
    platform.storage.sql
      .exec<{ id: number }>(
        "SELECT data_file_id AS id FROM ducklake_data_file WHERE table_id = ? AND end_snapshot IS NULL ORDER BY data_file_id",
        tableId,
      )
      .toArray()
      .map(({ id }) => id);
  const tableIdOf = (name: string): number =>
    platform.storage.sql
      .exec<{ id: number }>(
        "SELECT table_id AS id FROM ducklake_table WHERE table_name = ? AND end_snapshot IS NULL",
        name,
      )
      .one().id;

  platform.commit({ kind: "create_table", schema: "Odd schema", name: 'All "kinds"', columns: KINDS });
  const kinds = ["Odd schema", 'All "kinds"'] as const;
  platform.commit({
    kind: "append",
    schema: kinds[0],
    name: kinds[1],
    files: [
      await platform.write(...kinds, KINDS, kindsRows(0, 1_000)),
      await platform.write(...kinds, KINDS, kindsRows(1_000, 1_200)),
    ],
  });
  const [first] = liveFiles(tableIdOf(kinds[1]));
  const deletes = async (positions: string) => ({
    kind: "delete" as const,
    schema: kinds[0],
    name: kinds[1],
    deletes: [{ dataFileId: first!, file: await platform.writeDeletes(...kinds, "x", positions) }],
  });
  platform.commit(await deletes("SELECT range FROM range(0, 1000, 10)"));
  // A merge: more positions in the place of those before, and the new rows beside.
  platform.commit(await deletes("SELECT range FROM range(0, 1000, 5)"), {
    kind: "append",
    schema: kinds[0],
    name: kinds[1],
    files: [await platform.write(...kinds, KINDS, kindsRows(5_000, 5_010))],
  });

  platform.commit(
    { kind: "create_table", schema: "main", name: "t", columns: small },
    { kind: "append", schema: "main", name: "t", files: [await smallFile(0, 10)] },
  );
  platform.commit({
    kind: "overwrite",
    schema: "main",
    name: "t",
    files: [await smallFile(10, 15), await smallFile(15, 30)],
  });
  platform.commit({
    kind: "alter_table",
    schema: "main",
    name: "t",
    changes: [
      { kind: "rename_column", id: 2, to: "new" },
      { kind: "drop_column", id: 3 },
      { kind: "add_column", column: column(4, "later", "int64") },
      { kind: "set_type", id: 1, type: "int64" },
    ],
  });
  platform.commit({ kind: "rename_table", schema: "main", name: "t", to: "Renamed" });
  const now = [column(1, "id", "int64"), column(2, "new", "varchar"), column(4, "later", "int64")];
  const rows = `SELECT i AS id, 'v' || i AS new, NULL::BIGINT AS later FROM range(10, 30) AS r(i)`;
  platform.commit({
    kind: "compact",
    schema: "main",
    name: "Renamed",
    dataFileIds: liveFiles(tableIdOf("Renamed")),
    deleteFileIds: [],
    files: [await platform.write("main", "t", now, rows)],
  });
  platform.commit({
    kind: "append",
    schema: "main",
    name: "Renamed",
    files: [await platform.write("main", "t", now, "SELECT 2::BIGINT ** 40 AS id, 'last' AS new, 7::BIGINT AS later")],
  });
  platform.commit(
    { kind: "create_table", schema: "main", name: "empty", columns: [column(1, "id", "int64")] },
    { kind: "create_table", schema: "main", name: "dropped", columns: [column(1, "id", "int64")] },
  );
  platform.commit({ kind: "drop_table", schema: "main", name: "dropped" });
}

const TABLES = ['"Odd schema"."All ""kinds"""', 'main."Renamed"', "main.empty"];

const anExport = (more: Partial<ExportRequest> = {}): ExportRequest => ({
  id: crypto.randomUUID(),
  lake: platform.grant(),
  format: "1.0",
  dataPath: "s3://bucket/team/lake/lake/",
  deadlineMs: 60_000,
  ...more,
});

/** The file an export answers, saved. */
async function save(more: Partial<ExportRequest> = {}): Promise<string> {
  const response = await engine.call("POST", "/exports", anExport(more));
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([response.headers.get("content-type"), response.headers.get("content-length")]).toEqual([
    SQLITE_TYPE,
    String(bytes.length),
  ]);
  const file = join(directory, `${++exported}.sqlite`);
  writeFileSync(file, bytes);
  return file;
}

const inFile = <Row>(file: string, sql: string): Row[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
};

async function rowsOfPlatform(sql: string, snapshotId?: number): Promise<Record<string, unknown>[]> {
  const response = await engine.call(
    "POST",
    "/statements",
    aStatement({ sql, target: { kind: "lake", lake: platform.grant(snapshotId) } }),
  );
  const answer = (await response.json()) as { success: boolean; data: Record<string, unknown>[] };
  expect(answer).toMatchObject({ success: true });
  return answer.data;
}

/** Every row of a table as text, sorted: the same in any DuckDB. */
const rowsSql = (table: string, at = ""): string =>
  `SELECT CAST(to_json(t) AS VARCHAR) AS "row" FROM (SELECT * FROM "LAKE".${table}${at}) AS t ORDER BY 1`;

describe("DuckDB's own ducklake extension, attached to an export", () => {
  it("reads the same rows as the platform, after deletes, merges, overwrites, renames and a compaction", async () => {
    const file = await save({ format: "0.3" });
    const theirs = await readWithDucklake(
      file,
      `${platform.bucket}/`,
      TABLES.map((table) => rowsSql(table)),
    );
    for (const [i, table] of TABLES.entries()) {
      const ours = (await rowsOfPlatform(rowsSql(table))).map(({ row }) => row);
      expect(
        theirs[i]!.map(([row]) => row),
        table,
      ).toEqual(ours);
    }
    expect(theirs.map((rows) => rows.length)).toEqual([800 + 200 + 10, 21, 0]);
  });

  it("finds by the statistics what the platform finds", async () => {
    const file = await save({ format: "0.3" });
    const conditions = [
      ...[
        "id = 1199",
        "id > 5008",
        "price = 1.25",
        "price BETWEEN 1000 AND 1250.5",
        `"Größe %" = 'ü1'`,
        `"Größe %" IS NULL`,
        `"at" < TIMESTAMPTZ '2026-01-02 00:00:00+00'`,
        "day >= DATE '2029-01-01'",
      ],
      ...[
        "ratio > 1e6",
        "isnan(ratio)",
        "ratio < 1",
        "spot.x = 7",
        `"by"['k6'] = 6`,
        "uid = md5('7')::UUID",
        "raw = 'b8'::BLOB",
        "flag",
        "big > 18446744073709551600",
        "big = 18446744073709546612",
      ],
    ];
    const counts = conditions.map((condition) => `SELECT count(*) AS n FROM "LAKE".${TABLES[0]} WHERE ${condition}`);
    const theirs = await readWithDucklake(file, `${platform.bucket}/`, counts);
    for (const [i, sql] of counts.entries())
      expect([sql, theirs[i]![0]![0]]).toEqual([sql, (await rowsOfPlatform(sql))[0]!.n]);
    expect(theirs.filter((rows) => rows[0]![0] === 0)).toEqual([]);
  });

  it("reads every snapshot as the platform does", async () => {
    const file = await save({ format: "0.3" });
    const [table] = TABLES;
    const versions = [2, 3, 4];
    const theirs = await readWithDucklake(
      file,
      `${platform.bucket}/`,
      versions.map((version) => rowsSql(table!, ` AT (VERSION => ${version})`)),
    );
    for (const [i, version] of versions.entries())
      expect(theirs[i]!.map(([row]) => row)).toEqual(
        (await rowsOfPlatform(rowsSql(table!), version)).map(({ row }) => row),
      );
    expect(theirs.map((rows) => rows.length)).toEqual([1_200, 1_100, 1_010]);
  });

  it("finds the same tables, columns and types", async () => {
    const file = await save({ format: "0.3" });
    const sql =
      "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns WHERE table_catalog = 'LAKE' ORDER BY ALL";
    const [theirs] = await readWithDucklake(file, `${platform.bucket}/`, [sql]);
    expect(theirs).toEqual((await rowsOfPlatform(sql)).map((row) => Object.values(row)));
    expect(theirs!.length).toBe(KINDS.length + 3 + 1);
  });

  it("needs no other path where the export was asked for the one the files have", async () => {
    const file = await save({ format: "0.3", dataPath: `${platform.bucket}/` });
    expect(await readWithDucklake(file, null, [`SELECT count(*) FROM "LAKE".main."Renamed"`])).toEqual([[[21]]]);
  });

  it("reads an export of a snapshot that commits have gone past", async () => {
    const lake = platform.grant(5);
    const file = await save({ format: "0.3", lake });
    const [theirs, tables] = await readWithDucklake(file, `${platform.bucket}/`, [
      rowsSql("main.t"),
      "SELECT table_name FROM duckdb_tables() WHERE database_name = 'LAKE' ORDER BY 1",
    ]);
    expect(theirs!.map(([row]) => row)).toEqual((await rowsOfPlatform(rowsSql("main.t"), 5)).map(({ row }) => row));
    expect(tables).toEqual([['All "kinds"'], ["t"]]);
  });
});

describe("an export in the format 1.0", () => {
  it("is laid out as the specification says, with the object store's path and nothing of ours", async () => {
    const file = await save();
    const made = inFile<{ sql: string }>(file, "SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY name").map(
      ({ sql }) => sql.replaceAll('"', ""),
    );
    expect(made).toEqual(createTableStatements.map((sql) => sql.replaceAll('"', "")).sort());
    expect(
      inFile(file, "SELECT key, value FROM ducklake_metadata WHERE key IN ('version', 'data_path') ORDER BY key"),
    ).toEqual([
      { key: "data_path", value: "s3://bucket/team/lake/lake/" },
      { key: "version", value: "1.0" },
    ]);
  });

  it("holds the catalog's rows, numbers as integers", async () => {
    const file = await save();
    for (const table of [
      "ducklake_snapshot",
      "ducklake_table",
      "ducklake_column",
      "ducklake_data_file",
      "ducklake_delete_file",
      "ducklake_file_column_stats",
      "ducklake_table_column_stats",
      "ducklake_schema_versions",
    ]) {
      expect(inFile(file, `SELECT * FROM ${table}`), table).toEqual(
        platform.storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
      );
    }
    expect(inFile(file, "SELECT DISTINCT typeof(record_count) AS kind FROM ducklake_data_file")).toEqual([
      { kind: "integer" },
    ]);
  });
});

describe("an export", () => {
  it("starts over when rows were taken away while it read, and gives up where that never ends", async () => {
    let [outlines, expired] = [0, 0];
    const expireNext = () => expireSnapshots(platform.storage, { snapshotIds: [++expired] }, Date.now());
    platform.onRequest = (verb) => {
      if (verb === "outline" && ++outlines === 2) expireNext();
    };
    const file = await save();
    expect(outlines).toBe(4);
    expect(inFile(file, "SELECT snapshot_id AS id FROM ducklake_snapshot WHERE snapshot_id < 4 ORDER BY 1")).toEqual([
      { id: 0 },
      { id: 2 },
      { id: 3 },
    ]);
    platform.onRequest = (verb) => {
      if (verb === "outline") expireNext();
    };
    expect(await (await engine.call("POST", "/exports", anExport())).json()).toMatchObject({ code: "conflict" });
    platform.onRequest = () => undefined;
  });

  it("in a format without words for the catalog is refused, and in the newer one is not", async () => {
    const { sql } = platform.storage;
    sql.exec("UPDATE ducklake_data_file SET partial_max = 3 WHERE data_file_id = 0");
    const refused = await engine.call("POST", "/exports", anExport({ format: "0.3" }));
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { code: "conflict", message: expect.stringContaining("Ask for the format 1.0"), isRead: true },
    ]);
    await save();
    sql.exec("UPDATE ducklake_data_file SET partial_max = NULL");
  });

  it("of a snapshot that is gone is refused in the platform's words", async () => {
    const refused = await engine.call("POST", "/exports", anExport({ lake: platform.grant(999) }));
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { code: "platform_unavailable", message: expect.stringContaining("Snapshot 999"), isRead: true },
    ]);
  });

  it("ends by its deadline, by a cancel, and leaves no file behind", async () => {
    const names = () => readdirSync(tmpdir()).filter((name) => name.startsWith("fjord-export-"));
    const before = names();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    platform.onRequest = (verb) => {
      if (verb !== "rows") return;
      resolve();
      // Holds this process, which answers the engine, for a moment at every page.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    };
    const late = await engine.call("POST", "/exports", anExport({ deadlineMs: 50 }));
    expect([late.status, await late.json()]).toEqual([
      408,
      { code: "deadline_exceeded", message: expect.any(String), isRead: true },
    ]);
    const request = anExport();
    const cancelled = engine.call("POST", "/exports", request);
    await asked;
    expect((await engine.call("DELETE", `/statements/${request.id}`)).status).toBe(204);
    expect((await cancelled).status).toBe(499);
    platform.onRequest = () => undefined;
    // The folder of an export before this one may be on its way out at the beginning.
    expect(names().filter((name) => !before.includes(name))).toEqual([]);
  });
});
