// What a statement will read is told before it runs, by the catalog and its plan, and nothing of what is hidden.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessGrant, AccessRoles } from "../../../../kernel/access/access.ts";
import type { ReadEstimate, EstimateRequest } from "../../../../kernel/wire/engine.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { estimateStatement } from "../../../../containers/engine/run-statement.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { WriteLake } from "../../../support/node/lake/write-lake.ts";

const FILES = 8;
const FILE_ROWS = 5_000;

let lakes: WriteLake;
let bytesTotal: number;
beforeAll(async () => {
  lakes = await WriteLake.open();
  await lakes.ask("CREATE TABLE t (id BIGINT, pad VARCHAR, day DATE, tags VARCHAR[])");
  for (let i = 0; i < FILES; i++) await lakes.ask(insert(i));
  await lakes.ask("CREATE TABLE other AS SELECT range AS id FROM range(10)");
  bytesTotal = (await estimate("SELECT * FROM t")).tables[0]!.figures!.bytesTotal;
}, 120_000);
afterAll(() => lakes.close());

const insert = (i: number): string =>
  `INSERT INTO t SELECT range, md5(range::VARCHAR) || md5('x' || range), DATE '2026-01-01' + ${i}, ['a' || range] ` +
  `FROM range(${i * FILE_ROWS}, ${(i + 1) * FILE_ROWS})`;

const whole = () => ({ ...lakes.platform.grant(), reader: "everything" });

type EstimateOptions = Partial<Pick<EstimateRequest, "parameters" | "lake">> & { signal?: AbortSignal };

const estimate = (
  sql: string,
  { parameters, lake = whole(), signal = new AbortController().signal }: EstimateOptions = {},
): Promise<ReadEstimate> =>
  estimateStatement(
    { id: "e", sender: "s", sql, lake, deadlineMs: 20_000, ...(parameters && { parameters }) },
    lakes.lake,
    signal,
  );

const figuresOf = async (sql: string, asked: EstimateOptions = {}) =>
  (await estimate(sql, asked)).tables.map(({ name, figures }) => [name, figures?.files, figures?.filesTotal]);

describe("what a statement will read", () => {
  it("is all of a table where all of it is", async () => {
    const { tables, readsDrive, writes } = await estimate("SELECT * FROM t");
    expect({ readsDrive, writes }).toEqual({ readsDrive: false, writes: false });
    expect(tables).toEqual([
      {
        schema: "main",
        name: "t",
        at: null,
        figures: { files: FILES, filesTotal: FILES, bytes: bytesTotal, bytesTotal },
      },
    ]);
    expect(bytesTotal).toBeGreaterThan(FILES * FILE_ROWS * 32);
  });

  it("is the files that the catalog has not pruned by the conditions", async () => {
    expect(await figuresOf("SELECT * FROM t WHERE id = 12000")).toEqual([["t", 1, FILES]]);
    expect(await figuresOf("SELECT * FROM t WHERE id BETWEEN 9000 AND 16000")).toEqual([["t", 3, FILES]]);
    expect(await figuresOf("SELECT * FROM t WHERE day >= DATE '2026-01-07' AND pad <> ''")).toEqual([["t", 2, FILES]]);
    expect(await figuresOf("SELECT * FROM t WHERE id < 0")).toEqual([["t", 0, FILES]]);
    expect(await figuresOf("SELECT * FROM t WHERE pad LIKE '%a%'")).toEqual([["t", FILES, FILES]]);
  });

  it("is by the values of its parameters", async () => {
    const idOf = (id: string) => ({ id: { type: "integer" as const, isList: false, values: [id] } });
    const sql = "SELECT * FROM t WHERE id >= $id";
    expect(await figuresOf(sql, { parameters: idOf("12000") })).toEqual([["t", FILES - 2, FILES]]);
    expect(await figuresOf(sql, { parameters: idOf("39999") })).toEqual([["t", 1, FILES]]);
  });

  it("is the bytes of the columns that are read, nested ones included", async () => {
    const bytesOf = async (columns: string) =>
      (await estimate(`SELECT ${columns} FROM t WHERE id >= 0 OR pad = ''`)).tables[0]!.figures!.bytes;
    const [narrow, day, tags, all] = await Promise.all(["id", "id, day", "id, tags", "*"].map(bytesOf));
    expect(narrow).toBeLessThan(day!);
    expect(day).toBeLessThan(tags!);
    expect(tags).toBeLessThan(all!);
    expect(all).toBe(bytesTotal);
    const pad = (await estimate("SELECT max(pad) FROM t")).tables[0]!.figures!.bytes;
    expect(pad).toBeGreaterThan(bytesTotal * 0.6);
    expect((await estimate("SELECT sum(id) FROM t")).tables[0]!.figures!.bytes).toBeLessThan(bytesTotal * 0.4);
  });

  it("is nothing where rows are counted, and the first files where rows are taken from the first", async () => {
    expect(await figuresOf("SELECT count(*) FROM t")).toEqual([["t", 0, FILES]]);
    expect(await figuresOf(`SELECT id FROM t LIMIT ${FILE_ROWS + 1}`)).toEqual([["t", 2, FILES]]);
  });

  it("is of each table that it names, and of each snapshot", async () => {
    expect(await figuresOf("SELECT count(t.id) FROM t JOIN other USING (id) JOIN t AS again USING (id)")).toEqual([
      ["t", FILES, FILES],
      ["other", 1, 1],
    ]);
    const { tables } = await estimate("SELECT * FROM t AT (VERSION => 4)");
    expect(tables).toMatchObject([{ name: "t", at: "4", figures: { files: 3, filesTotal: 3 } }]);
  });

  it("is the same whatever of its files is here already", async () => {
    const sql = "SELECT max(pad) FROM t WHERE id BETWEEN 9000 AND 16000";
    const before = await estimate(sql);
    await lakes.rows(sql);
    await lakes.rows("SELECT max(pad), max(day), max(tags) FROM t");
    expect(await estimate(sql)).toEqual(before);
  });

  it("counts the delete files that go with its files", async () => {
    await lakes.ask("DELETE FROM other WHERE id = 3");
    const [read] = (await estimate("SELECT id FROM other")).tables;
    expect(read!.figures).toMatchObject({ files: 1, filesTotal: 1 });
    const without = (await estimate("SELECT id FROM other AT (VERSION => 10)")).tables[0]!.figures!;
    expect(read!.figures!.bytesTotal).toBeGreaterThan(without.bytesTotal);
    // Rows of a statement that is another each time are counted by files, and delete files say which count.
    const counted = (await estimate("SELECT count(*), random() FROM other")).tables[0]!.figures!;
    expect(counted).toMatchObject({ files: 1, bytes: read!.figures!.bytesTotal - without.bytesTotal });
  });

  it("is nothing but footers of a plan, and what running it takes of a measured one", async () => {
    expect(await figuresOf("EXPLAIN SELECT * FROM t")).toEqual([["t", 0, FILES]]);
    expect(await figuresOf("EXPLAIN ANALYZE SELECT * FROM t WHERE id = 1")).toEqual([["t", 1, FILES]]);
    expect(await estimate("SELECT 1")).toEqual({ tables: [], readsDrive: false, writes: false });
  });

  it("ends with its deadline", async () => {
    const late = new Failure("deadline_exceeded", "The statement did not end within its 20 s.");
    const estimated = estimate("SELECT id AS late FROM t", { signal: AbortSignal.abort(late) });
    await expect(estimated).rejects.toMatchObject({ code: "deadline_exceeded" });
  });

  it("is not told of a statement that writes", async () => {
    expect(await estimate("INSERT INTO other SELECT id FROM t")).toEqual({
      tables: [],
      readsDrive: false,
      writes: true,
    });
  });
});

describe("a statement that may not run", () => {
  it.each([
    ["SELECT * FROM nowhere", "sql_error", 15],
    ["SELECT * FROM read_parquet('/etc/passwd')", "statement_refused", undefined],
    ["SELECT 1; SELECT 2", "statement_refused", undefined],
    ["SELEC 1", "sql_error", 1],
    ["SELECT '😀' FROM nowhere", "sql_error", 17],
  ])("is refused as it would be: %s", async (sql, code, position) => {
    const refused = await estimate(sql).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code, ...(position !== undefined && { position }) });
    const run = await lakes.failure(sql);
    expect(refused).toMatchObject({ code: run.code, message: run.message });
  });
});

describe("a caller whom roles bind", () => {
  const rolesOf = (part: Partial<AccessGrant>): AccessRoles => [[aGrant("t", { schema: "main", ...part })]];
  const someRows = rolesOf({ filters: [{ member: "id", operator: "lt", values: ["100"] }] });

  it.each<[string, AccessRoles]>([
    ["some rows", someRows],
    ["some columns", rolesOf({ excludes: ["pad"] })],
    ["masks", rolesOf({ masks: { pad: "***" } })],
  ])("is told nothing of the files of a table of which it sees %s, and nothing of others", async (_, roles) => {
    const lake = lakes.platform.grantFor(roles);
    for (const sql of [
      "SELECT * FROM t WHERE id = 12000",
      "SELECT count(*) FROM t",
      "SELECT * FROM t AT (VERSION => 4)",
    ]) {
      const { tables } = await estimate(sql, { lake });
      expect(tables, sql).toMatchObject([{ schema: "main", name: "t", figures: null }]);
    }
    await expect(estimate("SELECT * FROM other", { lake })).rejects.toMatchObject({ code: "sql_error" });
    await expect(estimate("SELECT pad FROM t, other", { lake })).rejects.toMatchObject({ code: "sql_error" });
  });

  it("is told all of a table that a role shows whole", async () => {
    const lake = lakes.platform.grantFor(rolesOf({}));
    expect(await figuresOf("SELECT * FROM t WHERE id = 12000", { lake })).toEqual([["t", 1, FILES]]);
  });

  it.each(["EXPLAIN SELECT * FROM t", "EXPLAIN ANALYZE SELECT * FROM t"])(
    "is refused a plan of a table of which it sees some rows, as it would be: %s",
    async (sql) => {
      const lake = lakes.platform.grantFor(someRows);
      const refused = await estimate(sql, { lake }).catch((error: unknown) => error);
      const run = await lakes.failure(sql, { grant: lake });
      expect(refused).toMatchObject({ code: "statement_refused", message: run.message });
    },
  );
});
