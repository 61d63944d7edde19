// A restricted table's view in DuckDB: what its plan lets a statement reach, and what stands in its cells.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccessGrant, MaskValue } from "../../../kernel/access/access.ts";
import { SCALAR_TYPES } from "../../../kernel/lake/lake-types.ts";
import type { LakeColumn, LakeTable } from "../../../kernel/lake/lake.ts";
import { readFooters } from "../../../containers/engine/parquet/footers.ts";
import { emptyRelationsSql, relationsSql } from "../../../containers/engine/lake/sql/relations.ts";
import { tableReadOf } from "../../../containers/engine/lake/pruning/table-reads.ts";
import { relationOf } from "../../../containers/engine/lake/sql/restricted-table.ts";
import { seenTable } from "../../support/node/access/seen-tables.ts";
import { column } from "../../support/node/lake/test-lake.ts";
import { aGrant } from "../../support/node/access/a-grant.ts";

let directory: string;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "fjord-view-"));
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  connection = await instance.connect();
  for (const sql of [`ATTACH ':memory:' AS "LAKE"`, `USE "LAKE".main`]) await connection.run(sql);
});
afterEach(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true, force: true });
});

const rowsOf = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRowsJson();

const grant = (more: Partial<AccessGrant>): AccessGrant => aGrant("*", { schema: "*", ...more });

const seen = (columns: LakeColumn[], ...grants: AccessGrant[]): LakeTable =>
  seenTable(
    { tableId: 1, schema: "main", name: "t", version: "1", columns, view: "whole" },
    grants.map((each) => [each]),
  )!;

describe("the view of a restricted table", () => {
  const COLUMNS = [column(1, "id", "int64"), column(2, "region", "varchar"), column(3, "note", "varchar")];
  const ONE_REGION = grant({ filters: [{ member: "region", operator: "equals", values: ["north"] }] });

  /** Hidden are the rows of 1,000 and more, which lie in row groups of their own. */
  async function openView(table: LakeTable): Promise<void> {
    const path = join(directory, "t.parquet");
    await connection.run(
      `COPY (SELECT range AS id, CASE WHEN range < 4096 THEN 'north' ELSE 'south' END AS region, range::VARCHAR AS note
        FROM range(20480)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048, FIELD_IDS {id: 1, region: 2, note: 3})`,
    );
    const { shapes } = await readFooters(connection, [path], []);
    const setup = relationsSql({
      description: { snapshotId: 1, schemas: [], tables: [] },
      tables: [table],
      plans: [{ tableId: 1, files: [{ id: 1, path: "t", bytes: 1, rows: 20_480, deletes: null }] }],
      files: { paths: new Map([[1, path]]), shapes: new Map([[path, shapes[0]!]]) },
      readsMetadata: false,
    });
    for (const sql of setup) await connection.run(sql);
  }

  const planOf = async (sql: string, verb = "EXPLAIN (FORMAT json)"): Promise<string> =>
    (await rowsOf(`${verb} ${sql}`)).map(([, text]) => String(text)).join("\n");

  type PlanNode = { name: string; children: PlanNode[]; extra_info: Record<string, unknown> };
  /** From the fence down to the files; undefined where there is no fence. */
  function fenceIn(nodes: readonly PlanNode[]): PlanNode | undefined {
    for (const node of nodes) {
      const found = node.name.trim() === "STREAMING_SAMPLE" ? node : fenceIn(node.children);
      if (found) return found;
    }
    return undefined;
  }

  it.each([
    ["a filter", "SELECT id FROM t WHERE note LIKE '%mark%'"],
    ["a comparison", "SELECT id FROM t WHERE note > 'mark'"],
    ["a failing filter", "SELECT id FROM t WHERE error('mark' || note) IS NULL"],
    ["a join's condition", "SELECT a.id FROM t AS a JOIN range(9) AS r(k) ON a.id = r.k AND a.note || r.k = 'mark'"],
    ["an outer join's", "SELECT k FROM range(9) AS r(k) LEFT JOIN t ON t.id = r.k AND t.note LIKE '%mark%'"],
    ["a filter on a common table expression", "WITH a AS MATERIALIZED (FROM t) FROM a WHERE note LIKE '%mark%'"],
    ["a filter over a union", "SELECT id FROM (FROM t UNION ALL FROM t) WHERE note LIKE '%mark%'"],
    ["a filter over a group", "SELECT note FROM t GROUP BY note HAVING note LIKE '%mark%'"],
    ["a subquery", "SELECT (SELECT max(id) FROM t WHERE note LIKE '%mark%' AND id = k) FROM range(9) AS r(k)"],
    ["an order", "SELECT id FROM t ORDER BY note || 'mark' LIMIT 3"],
  ])("is not reached into by %s", async (_, sql) => {
    await openView(seen(COLUMNS, ONE_REGION));
    const plan = JSON.parse(await planOf(sql)) as PlanNode[];
    expect(JSON.stringify(plan)).toContain("mark");
    const fence = fenceIn(plan);
    expect(fence).toBeDefined();
    expect(JSON.stringify(fence)).not.toContain("mark");
    expect(JSON.stringify(fence)).toContain("north");
  });

  it("is not looked through by its files' bounds", async () => {
    await openView(seen(COLUMNS, ONE_REGION));
    // Hidden rows decide whether any row could match, or be the greatest.
    for (const bound of [4_000, 5_000, 50_000]) {
      const plan = await planOf(`SELECT id FROM t WHERE id > ${bound}`);
      expect(plan.replaceAll(String(bound), "")).toBe(
        (await planOf("SELECT id FROM t WHERE id > 4000")).replaceAll("4000", ""),
      );
    }
    const analysed = await planOf(
      "SELECT count(*) FROM t JOIN (SELECT range AS k FROM range(8000, 8010)) ON id = k",
      "EXPLAIN ANALYZE",
    );
    expect(analysed).not.toMatch(/Dynamic/);
    expect(await planOf("SELECT id FROM t ORDER BY id DESC LIMIT 3")).not.toMatch(/Dynamic|SEMI/);
  });

  it("passes the role's own filter on to the files, and reads no column but those asked for", async () => {
    await openView(seen(COLUMNS, ONE_REGION));
    const plan = JSON.parse(await planOf("SELECT sum(id) FROM t WHERE id > 7")) as PlanNode[];
    let leaf = fenceIn(plan)!;
    while (leaf.children.length > 0) leaf = leaf.children[0]!;
    expect(leaf.name.trim()).toBe("READ_PARQUET");
    expect(leaf.extra_info.Filters).toBe("region='north'");
    expect(JSON.stringify(leaf.extra_info.Projections)).not.toContain("note");
  });

  it("needs no fence where no row decides", () => {
    const masked = seen(COLUMNS, grant({ excludes: ["region"], masks: { note: "x" } }));
    expect(relationOf(masked).isFenced).toBe(false);
    expect(relationOf(masked).beneath.map(({ id }) => id)).toEqual([1]);
    expect(relationOf(seen(COLUMNS, ONE_REGION)).isFenced).toBe(true);
    // Rows are all there, and cells are not.
    const both = seen(COLUMNS, grant({ excludes: ["note"] }), ONE_REGION);
    expect(relationOf(both).isFenced).toBe(true);
  });

  it("is looked at before the rows that a plan counts", () => {
    const counted = (table: LakeTable): string[] =>
      relationsSql({
        description: { snapshotId: 1, schemas: [], tables: [] },
        tables: [table],
        plans: [{ tableId: 1, files: [], rows: 20_480 }],
        files: { paths: new Map(), shapes: new Map() },
        readsMetadata: false,
      });
    expect(() => counted(seen(COLUMNS, ONE_REGION))).toThrow("behind a fence");
    expect(counted(seen(COLUMNS, grant({ filters: null })))[0]).toMatch(/^CREATE TABLE/);
    expect(counted(seen(COLUMNS, grant({ excludes: ["region"] }))).join()).not.toContain("region");
  });

  it("has no file for who has no row", () => {
    const none = relationOf(seen(COLUMNS, grant({ filters: null })));
    expect([none.isEmpty, none.columns.length]).toEqual([true, 3]);
  });

  it("is what says how many rows there are, and which are the first", () => {
    const table = seen(COLUMNS, ONE_REGION);
    const scan = { catalog: "LAKE", schema: "fjord rows", table: "1", columns: [], predicate: [[]], skipping: [] };
    for (const scans of [[], [{ ...scan, rowsMax: 3 }]])
      expect(tableReadOf(table, scans, true)).toMatchObject({ isCounted: false, rowsMax: Infinity });
  });

  it("reads the value of a masked column for its filter alone", async () => {
    await openView(
      seen(
        COLUMNS,
        grant({
          masks: { region: "somewhere" },
          filters: [{ member: "region", operator: "equals", values: ["north"] }],
        }),
      ),
    );
    expect(await rowsOf("SELECT count(*), min(region), max(region), max(id) FROM t")).toEqual([
      ["4096", "somewhere", "somewhere", "4095"],
    ]);
  });
});

describe("the cells of a restricted table", () => {
  /** Made by the SQL that plans a statement, whose tables beneath take rows. */
  async function openCells(table: LakeTable, rows: string): Promise<void> {
    for (const sql of emptyRelationsSql([table], {})) await connection.run(sql);
    await connection.run(`INSERT INTO "LAKE"."fjord rows"."1" ${rows}`);
  }

  it("are those of the first role that shows them, then of its mask, in each row", async () => {
    const columns = [column(1, "id", "int64"), column(2, "kind", "varchar"), column(3, "pay", "int64")];
    const kind = (value: string) => [{ member: "kind", operator: "equals" as const, values: [value] }];
    const table = seen(
      columns,
      grant({ filters: kind("a") }),
      grant({ filters: kind("b"), masks: { pay: -1 } }),
      grant({ filters: kind("c"), excludes: ["pay"] }),
      grant({ filters: [{ member: "id", operator: "lt", values: ["2"] }], masks: { pay: -2 } }),
    );
    await openCells(
      table,
      `VALUES (0, 'a', 10), (1, 'b', 11), (2, 'b', 12), (3, 'c', 13), (4, 'd', 14), (1, NULL, 15), (NULL, 'a', 16)`,
    );
    expect(await rowsOf("SELECT * FROM t ORDER BY ALL")).toEqual([
      ["0", "a", "10"],
      ["1", "b", "-1"],
      ["1", null, "-2"],
      ["2", "b", "-1"],
      ["3", "c", null],
      [null, "a", "16"],
    ]);
  });

  const VALUES: MaskValue[] = [null, "", "text", "1", "2026-01-01", "0 0", "{}", "\0", "\ud800", 1.5, 1e300, -7, true];
  const TYPES = [...Object.keys(SCALAR_TYPES), "decimal(5,2)"].map((type) => column(2, "v", type));
  const NESTED = [
    column(2, "v", "list", [column(3, "element", "int64")]),
    column(2, "v", "struct", [column(3, "a", "int64")]),
    column(2, "v", "map", [column(3, "key", "varchar"), column(4, "value", "int64")]),
  ];

  it.each([...TYPES, ...NESTED].map((one) => [one.type, one] as const))("of type %s take any mask", async (_, v) => {
    for (const mask of VALUES) {
      const table = seen([column(1, "id", "int64"), v], grant({ masks: { v: mask } }));
      await connection.run(`DROP VIEW IF EXISTS t; DROP SCHEMA IF EXISTS "fjord rows" CASCADE`);
      await openCells(table, "VALUES (1), (2)");
      expect(await rowsOf("SELECT count(*), count(DISTINCT v::VARCHAR) <= 1 FROM t")).toEqual([["2", true]]);
    }
  });
});
