import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CatalogOutline, RowsAnswer } from "../../../../kernel/lake/export.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { DUCKLAKE_TABLES } from "../../../../src/lake/format/ducklake-tables.ts";
import { mintToken, type Token } from "../../../../src/platform/crypto/token.ts";
import { call } from "../../../support/unit/http.ts";
import {
  append,
  column,
  createTable,
  deleteRows,
  inside,
  overwrite,
  statistics,
  type TestLake,
} from "../../../support/unit/lake.ts";
import { newCatalog } from "./browse.ts";

/** All rows of a table as of a snapshot, by column. */
async function rowsAt(
  { catalog }: TestLake,
  snapshotId: number,
  table: keyof typeof DUCKLAKE_TABLES,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let after: number | null = null;
  do {
    const page = RowsAnswer.parse(valueOf(await catalog.readPage(snapshotId, table, after)));
    rows.push(
      ...page.rows.map((row) =>
        Object.fromEntries(Object.keys(DUCKLAKE_TABLES[table]).map((name, i) => [name, row[i]])),
      ),
    );
    after = page.next;
  } while (after !== null);
  return rows;
}

const markOf = async ({ catalog }: TestLake, snapshotId: number) => valueOf(await catalog.outline(snapshotId)).mark;

async function newHistory() {
  const catalog = await newCatalog();
  const { writer } = catalog;
  const file = (rows: number, min: string, max: string) =>
    writer.file("main", "t", rows, { statistics: [statistics(1, rows, { min, max })] });
  await writer.commit([createTable("main", "t"), append("main", "t", file(10, "1", "10"))]);
  await writer.commit([deleteRows("main", "t", { dataFileId: 0, file: writer.deletes("main", "t", 2) })], {
    baseSnapshotId: 1,
  });
  return { ...catalog, file };
}

describe("an export's rows", () => {
  it("are the catalog's, whole, for the tables its outline names", async () => {
    const { lake } = await newHistory();
    const { tables } = CatalogOutline.parse(valueOf(await lake.catalog.outline(2)));
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(DUCKLAKE_TABLES));
    for (const { name, columns } of tables) {
      const table = name as keyof typeof DUCKLAKE_TABLES;
      expect(columns.map((one) => one.name)).toEqual(Object.keys(DUCKLAKE_TABLES[table]));
      expect(await rowsAt(lake, 2, table)).toEqual(
        await inside(lake, ({ storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
      );
    }
  });

  it("stay as they were at their snapshot while commits go on", async () => {
    const { lake, writer, file } = await newHistory();
    const tables = Object.keys(DUCKLAKE_TABLES).filter(
      (name) => !name.includes("_stats"),
    ) as (keyof typeof DUCKLAKE_TABLES)[];
    const read = async () =>
      Object.fromEntries(await Promise.all(tables.map(async (name) => [name, await rowsAt(lake, 2, name)] as const)));
    const [before, mark] = [await read(), await markOf(lake, 2)];
    await writer.commit([
      overwrite("main", "t", file(5, "50", "60")),
      createTable("main", "later"),
      { kind: "create_schema", schema: "more" },
    ]);
    await writer.commit([{ kind: "drop_table", schema: "main", name: "t" }]);
    expect(await read()).toEqual(before);
    expect(await markOf(lake, 2)).toBe(mark);
    expect(await rowsAt(lake, 2, "ducklake_file_column_stats")).toHaveLength(1);
  });

  it("claim no bounds that a later commit may have narrowed", async () => {
    const { lake, writer, file } = await newHistory();
    expect(await rowsAt(lake, 2, "ducklake_table_column_stats")).toMatchObject([{ min_value: "1", max_value: "10" }]);
    await writer.commit([overwrite("main", "t", file(5, "50", "60")), createTable("main", "later", [column(1, "x")])]);
    expect(await rowsAt(lake, 2, "ducklake_table_column_stats")).toMatchObject([
      { min_value: null, max_value: null, contains_null: null },
    ]);
    expect(await rowsAt(lake, 2, "ducklake_table_stats")).toMatchObject([{ record_count: 10, file_size_bytes: 1_010 }]);
    expect(await rowsAt(lake, 3, "ducklake_table_column_stats")).toMatchObject([{ min_value: "50", max_value: "60" }]);
  });

  it("leave no page out and repeat none, however many there are", async () => {
    const { lake } = await newHistory();
    await inside(lake, ({ storage }) =>
      storage.sql.exec(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 12000) INSERT INTO ducklake_column_tag SELECT 1, i, 1, NULL, 'k', 'v' FROM n",
      ),
    );
    expect(valueOf(await lake.catalog.readPage(2, "ducklake_column_tag", null)).rows).toHaveLength(5_000);
    const ids = (await rowsAt(lake, 2, "ducklake_column_tag")).map((row) => row.column_id);
    expect(ids).toEqual(Array.from({ length: 12_000 }, (_, i) => i + 1));
  });

  it("come in smaller pages where they are long", async () => {
    const { lake } = await newHistory();
    await inside(lake, ({ storage }) => {
      for (let i = 0; i < 8; i++)
        storage.sql.exec("INSERT INTO ducklake_tag VALUES (1, 1, NULL, ?, ?)", String(i), "x".repeat(1_000_000));
    });
    expect(valueOf(await lake.catalog.readPage(2, "ducklake_tag", null)).rows).toHaveLength(4);
    expect(await rowsAt(lake, 2, "ducklake_tag")).toHaveLength(8);
  });

  it("show by another mark that expiry took some away", async () => {
    const { lake, writer } = await newHistory();
    const mark = await markOf(lake, 2);
    await writer.commit([createTable("main", "later")]);
    await lake.catalog.expireSnapshots({ snapshotIds: [1] });
    expect(await markOf(lake, 2)).not.toBe(mark);
  });

  it("never tell of files waiting to be deleted, for a copy might delete them", async () => {
    const { lake } = await newHistory();
    await inside(lake, ({ storage }) =>
      storage.sql.exec("INSERT INTO ducklake_files_scheduled_for_deletion VALUES (1, 'x', 1, '2026-01-01')"),
    );
    expect(await rowsAt(lake, 2, "ducklake_files_scheduled_for_deletion")).toEqual([]);
  });

  it("of a snapshot or a table that is not there are refused", async () => {
    const { lake } = await newHistory();
    const missing = { ok: false, refusal: { code: "resource_not_found" } };
    for (const answer of [
      await lake.catalog.outline(9),
      await lake.catalog.readPage(9, "ducklake_table", null),
      await lake.catalog.readPage(2, "fjord_leases", null),
    ]) {
      expect(answer).toMatchObject(missing);
    }
  });
});

describe("the internal routes of an export", () => {
  const post = async (path: string, token: Token, body: unknown) => {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${await mintToken(env as Env, token)}`,
      "content-type": "application/json",
      "content-length": String(text.length),
    };
    return exports.default.fetch(`https://fjord.test/internal${path}`, { method: "POST", headers, body: text });
  };

  it("take an export's token and no query's, which reads only what its caller may", async () => {
    const { lake } = await newHistory();
    const claims = { teamId: lake.teamId, lakeId: lake.lakeId, snapshotId: 2, expiresAt: Date.now() + 60_000 };
    for (const [path, body] of [
      [`/lakes/${lake.lakeId}/outline`, {}],
      [`/lakes/${lake.lakeId}/rows`, { table: "ducklake_table", after: null }],
    ] as const) {
      expect((await post(path, { use: "export", ...claims }, body)).status).toBe(200);
      expect((await post(path, { use: "lake", reader: "everything", ...claims }, body)).status).toBe(401);
      expect(
        (await post(path.replace(lake.lakeId, crypto.randomUUID()), { use: "export", ...claims }, body)).status,
      ).toBe(404);
    }
    expect((await post(`/lakes/${lake.lakeId}/describe`, { use: "export", ...claims }, {})).status).toBe(401);
  });
});

describe("exportLakeCatalog", () => {
  it("is a retryable 500 where the engine can't have the rows", async () => {
    // The engines of this ring can't reach the Worker under test.
    const { team, root } = await newHistory();
    expect(await call("GET", `${root}/export`, { key: team.admin.key })).toMatchObject({
      status: 500,
      body: { error: { code: "internal_error", retryable: true } },
    });
  });

  it.each(["?format=2.0", "?format=", "?data_path=", `?data_path=${"x".repeat(1_025)}`, "?data_path=a%00b", "?more=1"])(
    "refuses %s",
    async (query) => {
      const { team, root } = await newCatalog();
      expect(await call("GET", `${root}/export${query}`, { key: team.admin.key })).toMatchObject({
        status: 422,
        body: { error: { code: "validation_failed" } },
      });
    },
  );
});
