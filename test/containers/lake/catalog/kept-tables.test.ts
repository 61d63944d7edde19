// What the engine keeps of tables from one statement to the next gives the same answers as if it kept nothing.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { lakeBesideDuckdb } from "../../../support/node/lake/lake-beside-duckdb.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

const TABLES = ["a", "b"] as const;
const WRITES = ["add", "add_some", "delete", "update", "empty", "column", "rename", "replace", "swap"] as const;
type Write = { act: (typeof WRITES)[number]; table: (typeof TABLES)[number]; n: number; past: number };
const write: fc.Arbitrary<Write> = fc.record({
  act: fc.constantFrom(...WRITES),
  table: fc.constantFrom(...TABLES),
  n: fc.nat(9),
  past: fc.nat(1_000),
});

describe("statements on tables that others write, rename, replace and alter", () => {
  const { lake, both, duckdb } = beside();
  const SEEN: AccessRoles = [TABLES.map((table) => ({ ...GRANT, table, excludes: ["id"] }))];

  it("answer what DuckDB does, now and in the past, to who reads everything and to who reads by roles", async () => {
    let columns = 0;
    const commitAll = async (...statements: string[]) => {
      for (const sql of statements) await both(sql);
    };
    const make = (table: string, rows: number) =>
      `CREATE OR REPLACE TABLE ${table} AS SELECT range AS id, 'r' || range AS name FROM range(${rows})`;
    const texts = async (columns: string) => {
      const found: Record<string, string[]> = {};
      for (const table of TABLES) {
        const reader = await duckdb().runAndReadAll(rowsOf(table, columns));
        found[table] = reader.getRows().map(([text]) => String(text));
      }
      return found;
    };
    const run = async (steps: readonly Write[]) => {
      const names: Record<string, string> = { a: "name", b: "name" };
      // Roles show of a table that was replaced what its successor has as well: other suites ask for that.
      let tables: Record<string, { isReplaced: boolean }> = { a: { isReplaced: false }, b: { isReplaced: false } };
      const past = new Map<
        number,
        { all: Record<string, string[]>; seen: Record<string, string[]>; tables: typeof tables }
      >();
      await commitAll(make("a", 4), make("b", 0));
      for (const { act, table, n, past: pick } of steps) {
        const name = names[table]!;
        const acts: Record<Write["act"], string[]> = {
          add: [`INSERT INTO ${table} BY NAME SELECT range AS id, 'x' AS ${name} FROM range(${n}, ${n + 3})`],
          add_some: [`INSERT INTO ${table} (id) VALUES (${n}), (NULL)`],
          delete: [`DELETE FROM ${table} WHERE id % 3 = ${n % 3}`],
          update: [`UPDATE ${table} SET ${name} = 'changed' WHERE id % 2 = ${n % 2}`],
          empty: [`DELETE FROM ${table}`],
          column: [`ALTER TABLE ${table} ADD COLUMN c${++columns} INTEGER`],
          rename: [`ALTER TABLE ${table} RENAME COLUMN ${name} TO n${++columns}`],
          replace: [make(table, n)],
          swap: ["ALTER TABLE a RENAME TO c", "ALTER TABLE b RENAME TO a", "ALTER TABLE c RENAME TO b"],
        };
        await commitAll(...acts[act]);
        if (act === "rename") names[table] = `n${columns}`;
        if (act === "replace") {
          names[table] = "name";
          tables[table]!.isReplaced = true;
          tables = { ...tables, [table]: { isReplaced: false } };
        }
        if (act === "swap") {
          [names.a, names.b] = [names.b!, names.a!];
          tables = { a: tables.b!, b: tables.a! };
        }
        const { platform } = lake();
        past.set(platform.snapshotId, { all: await texts("*"), seen: await texts("* EXCLUDE (id)"), tables });
        const at = [...past.keys()][pick % past.size]!;
        for (const snapshotId of new Set([platform.snapshotId, at])) {
          const clause = snapshotId === platform.snapshotId ? "" : ` AT (VERSION => ${snapshotId})`;
          const known = past.get(snapshotId)!;
          for (const each of TABLES) {
            const all: LakeGrant = { ...platform.grant(), reader: "everything" };
            expect([act, await read(rowsOf(each, "*", clause), all)]).toEqual([act, known.all[each]]);
            if (known.tables[each]!.isReplaced) continue;
            const seen = await read(rowsOf(each, "*", clause), platform.grantFor(SEEN));
            expect([act, seen]).toEqual([act, known.seen[each]]);
          }
        }
      }
    };
    const read = async (sql: string, grant: LakeGrant) => (await lake().rows(sql, { grant })).map(({ text }) => text);
    await fc.assert(fc.asyncProperty(fc.array(write, { minLength: 8, maxLength: 8 }), run), {
      numRuns: 4,
      endOnFailure: true,
    });
  });
});

const GRANT = { schema: "main", excludes: [], masks: {}, filters: [] };

const rowsOf = (table: string, columns: string, clause = ""): string =>
  `SELECT CAST(r AS VARCHAR) AS text FROM (SELECT ${columns} FROM ${table}${clause}) AS r ORDER BY 1`;

/** The pair is there once the tests begin. */
function beside() {
  const pair = lakeBesideDuckdb();
  return { both: pair.both, lake: () => pair.lake, duckdb: () => pair.duckdb };
}

describe("tables whose files are here", () => {
  let lake: TestLake;
  beforeAll(async () => {
    lake = await TestLake.open();
  });
  afterAll(() => lake.close());

  /** Adds a table of files that are small enough to be fetched whole. */
  const addTable = async (name: string) => {
    const path = (i: number) => `${name}-${i}.parquet`;
    const select = (i: number) => `SELECT range + ${i * 1e5} AS id, md5(range::VARCHAR) AS text FROM range(20000)`;
    const files = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => ({ path: await lake.write(path(i), select(i), "id: 1, text: 2") })),
    );
    const table = lake.platform.addTable("main", name, [column(1, "id", "int64"), column(2, "text", "varchar")], files);
    lake.platform.keeps = ({ id }, anyOf) =>
      anyOf.some((all) => all.every(({ values }) => table.files[Math.floor(Number(values[0]) / 1e5)]?.id === id));
  };

  it("are read in full after a statement that left most of them out", async () => {
    await addTable("pruned");
    expect(await lake.rows("SELECT id FROM pruned WHERE id = 300007")).toEqual([{ id: 300007 }]);
    expect(await lake.rows("SELECT count(text) AS n FROM pruned")).toEqual([{ n: 120000 }]);
    await addTable("limited");
    expect(await lake.rows("SELECT id FROM limited LIMIT 2")).toHaveLength(2);
    expect(await lake.rows("SELECT count(text) AS n FROM limited")).toEqual([{ n: 120000 }]);
    await addTable("counted");
    expect(await lake.rows("SELECT count(*) AS n FROM counted")).toEqual([{ n: 120000 }]);
    expect(await lake.rows("SELECT count(text) AS n FROM counted")).toEqual([{ n: 120000 }]);
  });

  it("are asked for again only as far as they changed", async () => {
    await addTable("steady");
    const moving = lake.platform.addTable("main", "moving", [column(1, "id", "int64")], []);
    const read = async (snapshotId: number) => {
      const before = { ...lake.platform.calls };
      const grant = { reader: "everyone", snapshotId };
      const [row] = await lake.rows("SELECT count(steady.id) AS n, (SELECT count(*) FROM moving) AS m FROM steady", {
        grant,
      });
      const asked = ["describe", "plan", "sign", "get"].map(
        (verb) => (lake.platform.calls[verb] ?? 0) - (before[verb] ?? 0),
      );
      return [row, asked];
    };
    expect(await read(1_001)).toEqual([{ n: 120000, m: 0 }, [1, 1, 1, 6]]);
    expect(await read(1_001)).toEqual([{ n: 120000, m: 0 }, [0, 0, 0, 0]]);
    // The lake has another snapshot, in which neither table changed.
    expect(await read(1_002)).toEqual([{ n: 120000, m: 0 }, [1, 0, 0, 0]]);
    moving.files.push(
      ...lake.platform.addTable("main", "source", moving.columns, [
        { path: await lake.write("m.parquet", "SELECT 1::BIGINT AS id", "id: 1") },
      ]).files,
    );
    expect(await read(1_003)).toEqual([{ n: 120000, m: 1 }, [1, 1, 1, 1]]);
  });

  it("are brought in again once they had to leave", async () => {
    const small = await TestLake.open({ cacheBytesMax: 3_000 });
    try {
      for (const name of ["one", "two", "three"]) {
        const path = await small.write(`${name}.parquet`, "SELECT hash(range) >> 1 AS id FROM range(150)", "id: 1");
        small.platform.addTable("main", name, [column(1, "id", "int64")], [{ path }]);
      }
      for (const name of ["one", "one", "two", "three", "one", "three", "two", "one"])
        expect(await small.rows(`SELECT count(id) AS n FROM ${name}`)).toEqual([{ n: 150 }]);
      expect(small.platform.calls.get).toBeGreaterThan(4);
    } finally {
      await small.close();
    }
  });
});
