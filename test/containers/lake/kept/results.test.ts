// Results that are kept: by whom they may be seen again, and when they may not be seen any more.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CacheUse } from "../../../../containers/engine/core/cache-use.ts";
import type { LakeGrant, StatementRequest } from "../../../../kernel/wire/engine.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import { Phases } from "../../../../containers/engine/core/phases.ts";
import { statementOf, type LakeStatement } from "../../../../containers/engine/core/statement.ts";
import { readRows, runRead } from "../../../../containers/engine/lake/read/run-read.ts";
import { WriteLake } from "../../../support/node/lake/write-lake.ts";

const MIB = 1024 * 1024;

let lakes: WriteLake;
beforeAll(async () => {
  lakes = await WriteLake.open({ resultCacheBytesMax: 8 * MIB });
  await lakes.ask("CREATE TABLE t AS SELECT range AS a, 'w' || range AS w FROM range(100)");
  await lakes.ask("CREATE TABLE other AS SELECT 1 AS b");
  const z = { id: 1, name: "z", type: "timetz", nullable: true, children: [] };
  lakes.platform.commit({ kind: "create_table", schema: "main", name: "zoned", columns: [z] });
});
afterAll(() => lakes.close());

type StatementOptions = Partial<
  Pick<StatementRequest, "invalidate" | "persist" | "format" | "numbers" | "rowsMax" | "bytesMax">
> & {
  id?: string;
  grant?: LakeGrant;
  values?: readonly BoundValue[];
  write?: (bytes: Uint8Array) => void | Promise<void>;
  signal?: AbortSignal;
};

const whole = (): LakeGrant => ({ ...lakes.platform.grant(), reader: "everything" });

/** What an answer says, and how it says that it came about. */
async function ask(sql: string, { id = "r", grant = whole(), values, write, signal, ...rest }: StatementOptions = {}) {
  const cacheUse = new CacheUse();
  const usual = { format: "json", numbers: "exact", rowsMax: 100_000, bytesMax: 1e8 } as const;
  const times = { deadlineMs: 60_000, leaseMs: 60_000 };
  const target = { kind: "lake" as const, lake: grant };
  const facts = { phases: new Phases(), cacheUse };
  const statement = statementOf({ id, sql, target, ...usual, ...times, ...rest }, facts) as LakeStatement;
  const chunks: Uint8Array[] = [];
  const sink = { write: write ?? ((bytes: Uint8Array) => void chunks.push(Buffer.from(bytes))) };
  await runRead(lakes.lake, { ...statement, ...(values && { values }) }, signal ?? new AbortController().signal, sink);
  const text = Buffer.concat(chunks).toString();
  return { text, status: cacheUse.headers["cache-status"], cacheUse };
}

type Document = { data: Record<string, unknown>[]; truncated: boolean; meta: { requestId: string; cachedAt?: string } };

async function document(sql: string, asked: StatementOptions = {}): Promise<Document & { status: string | undefined }> {
  const { text, status } = await ask(sql, asked);
  return { ...(JSON.parse(text) as Document), status };
}

const HIT = "Fjord; hit";

/** A statement that no other test asks. */
let n = 0;
let SUM = "";
beforeEach(() => void (SUM = `SELECT sum(a) AS s, ${++n} AS test FROM t`));

describe("a statement that is asked again", () => {
  it("is answered with the same rows, and says since when they are kept", async () => {
    const before = Date.now();
    const first = await document(SUM);
    expect(first).toMatchObject({ data: [{ s: 4950 }], status: "Fjord; fwd=miss" });
    expect(first.meta.cachedAt).toBeUndefined();
    const again = await document(SUM);
    expect(again).toMatchObject({ data: first.data, truncated: false, status: HIT });
    expect(Date.parse(again.meta.cachedAt!)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(again.meta.cachedAt!)).toBeLessThanOrEqual(Date.now());
  });

  it("says its age in seconds", async () => {
    const use = new CacheUse();
    expect(use.headers).toEqual({});
    use.hit(Date.now() - 90_500);
    expect(use.headers).toEqual({ "cache-status": HIT, age: "90" });
    // A part of the answer has run.
    new CacheUse(use).forward("miss");
    expect(use.headers).toEqual({ "cache-status": "Fjord; fwd=miss" });
    expect(use.cachedAt).toBeDefined();
  });

  it("has the id of its own request, and no time of another's", async () => {
    await document(SUM, { id: "first" });
    const { text, status } = await ask(SUM, { id: "second" });
    expect(status).toBe(HIT);
    expect(text).not.toContain("first");
    const { meta, timing } = JSON.parse(text) as { meta: unknown; timing: { phases: object } };
    expect(meta).toMatchObject({ requestId: "second" });
    expect(Object.keys(timing.phases)).not.toContain("run");
  });

  it.each(["csv", "ndjson", "arrow", "parquet"] as const)(
    "is answered to the byte as %s, however often",
    async (format) => {
      const sql = `${SUM} UNION ALL SELECT a, length(w) FROM t WHERE a < 5 ORDER BY ALL`;
      const first = await ask(sql, { format });
      for (let i = 0; i < 3; i++) expect(await ask(sql, { format })).toMatchObject({ text: first.text, status: HIT });
    },
  );

  it("has its columns where it has no rows", async () => {
    const sql = `SELECT a, w, ${n} AS test FROM t WHERE a < 0`;
    const { text } = await ask(sql, { format: "csv" });
    expect(text).toBe("a,w,test\n");
    expect(await ask(sql, { format: "csv" })).toMatchObject({ text, status: HIT });
  });

  it("says that it was cut, where it was", async () => {
    const sql = `SELECT a, ${n} AS test FROM t ORDER BY a`;
    const cut = await document(sql, { rowsMax: 3 });
    expect(cut).toMatchObject({ truncated: true, data: [{ a: 0 }, { a: 1 }, { a: 2 }] });
    expect(await document(sql, { rowsMax: 3 })).toMatchObject({ truncated: true, data: cut.data, status: HIT });
    expect((await document(sql)).data).toHaveLength(100);
  });

  it("gives its rows to a taker in this process, too", async () => {
    const rows = async (): Promise<{ seen: string[]; at: Date | undefined }> => {
      const facts = { phases: new Phases(), cacheUse: new CacheUse() };
      const target = { kind: "lake" as const, lake: whole() };
      const usual = {
        format: "json",
        numbers: "exact",
        rowsMax: 9,
        bytesMax: 1e6,
        deadlineMs: 1e5,
        leaseMs: 1e5,
      } as const;
      const statement = statementOf({ id: "cells", sql: SUM, target, ...usual }, facts) as LakeStatement;
      const seen: string[] = [];
      await readRows(lakes.lake, statement, new AbortController().signal, {
        columns: (columns) => void seen.push(...columns.map(({ name }) => name)),
        row: ({ bytes, starts, ends }) => {
          seen.push(Buffer.from(bytes.subarray(starts[0], ends[0])).toString());
          return true;
        },
        end: () => undefined,
      });
      return { seen, at: facts.cacheUse.cachedAt };
    };
    expect(await rows()).toEqual({ seen: ["s", "test", "4950"], at: undefined });
    expect(await rows()).toEqual({ seen: ["s", "test", "4950"], at: expect.any(Date) as Date });
  });

  it("runs where its sender says so, and is kept anew", async () => {
    const first = await document(SUM);
    expect((await document(SUM, { invalidate: true })).status).toBe("Fjord; fwd=request");
    const again = await document(SUM);
    expect(again.status).toBe(HIT);
    expect(again.data).toEqual(first.data);
  });

  it("is not kept where its sender says so, nor is what was", async () => {
    expect((await document(SUM, { persist: false })).status).toBe("Fjord; fwd=miss");
    expect((await document(SUM)).status).toBe("Fjord; fwd=miss");
    expect((await document(SUM, { persist: false })).status).toBe(HIT);
    expect((await document(SUM, { persist: false, invalidate: true })).status).toBe("Fjord; fwd=request");
    expect((await document(SUM)).status).toBe("Fjord; fwd=miss");
  });
});

describe("what is kept is not of use", () => {
  it.each<[string, StatementOptions]>([
    ["in another format", { format: "csv" }],
    ["with numbers as strings", { numbers: "string" }],
    ["with another bound of rows", { rowsMax: 99 }],
    ["with another bound of bytes", { bytesMax: 12_345 }],
    ["bound to values, even to none", { values: [] }],
  ])("%s", async (_, asked) => {
    await ask(SUM);
    expect((await ask(SUM, asked)).status).toBe("Fjord; fwd=miss");
    expect((await ask(SUM)).status).toBe(HIT);
  });

  it("of another text, be it by a space", async () => {
    await ask(SUM);
    expect((await ask(`${SUM} `)).status).toBe("Fjord; fwd=miss");
  });

  it("with other values, or values of another kind", async () => {
    const sql = `SELECT typeof(?) AS t, CAST(? AS VARCHAR) AS v, ${n} AS test`;
    const asked = async (...values: BoundValue[]): Promise<unknown> => {
      const { data, status } = await document(sql, { values });
      return [data[0]!.v, status];
    };
    for (const status of ["Fjord; fwd=miss", HIT]) {
      expect(await asked("a", "1")).toEqual(["1", status]);
      expect(await asked("a", "2")).toEqual(["2", status]);
      expect(await asked("a", 1)).toEqual(["1", status]);
      expect(await asked("a,1", "")).toEqual(["", status]);
    }
  });

  it("in another lake or team", async () => {
    await ask(SUM);
    for (const other of [{ lakeId: "elsewhere" }, { teamId: "others" }])
      expect((await ask(SUM, { grant: { ...whole(), ...other } })).status).toBe("Fjord; fwd=miss");
  });

  it("to who has other rights: roles, a token alone, or a scope of the same letters", async () => {
    expect((await document(SUM)).data).toEqual([{ s: 4950, test: n }]);
    const grant = lakes.platform.grantFor([
      [
        {
          schema: "main",
          table: "t",
          excludes: [],
          masks: {},
          filters: [{ member: "a", operator: "lt", values: ["3"] }],
        },
      ],
    ]);
    const seen = await document(SUM, { grant });
    expect(seen).toMatchObject({ data: [{ s: 3 }], status: "Fjord; fwd=miss" });
    expect(await document(SUM, { grant })).toMatchObject({ data: [{ s: 3 }], status: HIT });
    const { reader: _, ...alone } = whole();
    expect((await ask(SUM, { grant: alone })).status).toBe("Fjord; fwd=miss");
    expect((await ask(SUM, { grant: { ...whole(), reader: alone.token } })).status).toBe("Fjord; fwd=miss");
    expect((await document(SUM)).data).toEqual([{ s: 4950, test: n }]);
  });

  it("to who may not read the table at all: the failure names nothing of it", async () => {
    await ask(SUM);
    await expect(ask(SUM, { grant: lakes.platform.grantFor([]) })).rejects.toThrow("does not exist in the lake");
  });
});

describe("what has changed is seen", () => {
  const CHANGES: [string, string[], unknown][] = [
    ["rows come", ["INSERT INTO c VALUES (10, 0)"], 13],
    ["rows go", ["DELETE FROM c WHERE a = 2"], 1],
    ["rows change", ["UPDATE c SET a = 5 WHERE a = 1"], 7],
    ["all rows go", ["TRUNCATE c"], null],
    [
      "the table is dropped and made anew with as many rows",
      ["DROP TABLE c", "CREATE TABLE c AS SELECT 7::BIGINT AS a"],
      7,
    ],
    ["the table is replaced", ["CREATE OR REPLACE TABLE c AS SELECT 8::BIGINT AS a"], 8],
    ["another table takes its name", ["ALTER TABLE c RENAME TO was", "ALTER TABLE d RENAME TO c"], 40],
    ["the column is another of its name", ["ALTER TABLE c DROP COLUMN a", "ALTER TABLE c ADD COLUMN a BIGINT"], null],
    ["two columns change names", ["ALTER TABLE c RENAME COLUMN a TO x", "ALTER TABLE c RENAME COLUMN b TO a"], 300],
  ];
  it.each(CHANGES)("where %s", async (_, changes, expected) => {
    for (const name of ["c", "d", "was"]) await lakes.ask(`DROP TABLE IF EXISTS ${name}`);
    await lakes.ask("CREATE TABLE c AS SELECT a, a * 100 AS b FROM (VALUES (1::BIGINT), (2::BIGINT)) v(a)");
    await lakes.ask("CREATE TABLE d AS SELECT 40::BIGINT AS a");
    const sql = "SELECT sum(a)::BIGINT AS s FROM c";
    const old = whole();
    expect((await document(sql)).data).toEqual([{ s: 3 }]);
    expect(await document(sql)).toMatchObject({ data: [{ s: 3 }], status: HIT });
    for (const change of changes) await lakes.ask(change);
    expect(await document(sql)).toMatchObject({ data: [{ s: expected }], status: "Fjord; fwd=stale" });
    expect(await document(sql)).toMatchObject({ data: [{ s: expected }], status: HIT });
    // One whose request came before the change sees what was then, and leaves no trace of it.
    expect(await document(sql, { grant: old })).toMatchObject({ data: [{ s: 3 }], status: "Fjord; fwd=stale" });
    expect(await document(sql)).toMatchObject({ data: [{ s: expected }] });
  });

  it("where the table is gone", async () => {
    await lakes.ask("CREATE TABLE gone AS SELECT 1 AS a");
    await ask("SELECT a FROM gone");
    await lakes.ask("DROP TABLE gone");
    await expect(ask("SELECT a FROM gone")).rejects.toThrow("does not exist in the lake");
  });

  it("where a name comes to mean another table, or two", async () => {
    await lakes.ask("CREATE TABLE meant AS SELECT 1 AS a");
    const sql = "SELECT a FROM LAKE.meant";
    await ask(sql);
    expect((await ask(sql)).status).toBe(HIT);
    await lakes.ask("CREATE SCHEMA lake");
    await lakes.ask("CREATE TABLE LAKE.lake.meant AS SELECT 2 AS a");
    await expect(ask(sql)).rejects.toThrow(/[Aa]mbiguous/);
  });

  it("of each table of several, and of no other", async () => {
    const sql = `SELECT (SELECT sum(a) FROM t) + (SELECT sum(b) FROM other) AS s, ${n} AS test`;
    expect((await document(sql)).data).toMatchObject([{ s: 4951 }]);
    await lakes.ask("CREATE OR REPLACE TABLE unread AS SELECT 1 AS a");
    expect((await document(sql)).status).toBe(HIT);
    await lakes.ask("INSERT INTO other VALUES (9)");
    expect(await document(sql)).toMatchObject({ data: [{ s: 4960 }], status: "Fjord; fwd=stale" });
  });
});

describe("of these nothing is kept", () => {
  it.each([
    ["the time", "SELECT now() AS v"],
    ["chance", "SELECT random() AS v FROM t LIMIT 1"],
    ["a sample", "SELECT a FROM t USING SAMPLE 3 ROWS"],
    ["the zones' present offsets", "SELECT * FROM pg_timezone_names() LIMIT 1"],
    ["times of day that are put into another zone", "SELECT z AT TIME ZONE 'Europe/Berlin' AS v FROM zoned"],
    ["a plan", "EXPLAIN SELECT * FROM t"],
    ["a plan that was run", "EXPLAIN ANALYZE SELECT * FROM t"],
    ["which tables there are", "SELECT count(*) AS v FROM information_schema.tables"],
    ["tables that are shown", "SHOW TABLES"],
  ])("%s", async (_, sql) => {
    expect((await ask(sql)).status).toBe("Fjord; fwd=bypass");
    expect((await ask(sql)).status).toBe("Fjord; fwd=bypass");
  });

  it("an earlier snapshot, alone or beside the newest", async () => {
    const { snapshotId } = whole();
    for (const sql of [
      `SELECT a FROM t AT (VERSION => ${snapshotId}) LIMIT 1`,
      `SELECT max(a) + (SELECT max(a) FROM t AT (VERSION => ${snapshotId})) AS v FROM t`,
    ]) {
      await ask(sql);
      expect((await ask(sql)).status).toBe("Fjord; fwd=bypass");
    }
  });

  it("a failure", async () => {
    const sql = `SELECT CAST(w AS BIGINT), ${n} FROM t`;
    for (let i = 0; i < 2; i++) await expect(ask(sql)).rejects.toThrow("Conversion Error");
  });

  it("a failure behind the first rows", async () => {
    const sql = `SELECT range AS a, CASE WHEN range = 2000000 THEN CAST('x' AS BIGINT) END AS b, ${n} FROM range(3000000)`;
    const failing = async (): Promise<string | undefined> => (await ask(sql, { rowsMax: 5_000_000 })).status;
    await failing().catch(() => undefined);
    expect(await failing().catch(() => "failed")).not.toBe(HIT);
  });

  it("a result whose reader left", async () => {
    const gone = (): Promise<void> => Promise.reject(new Error("gone"));
    await expect(ask(SUM, { format: "csv", write: gone })).rejects.toThrow("gone");
    expect((await ask(SUM, { format: "csv" })).status).toBe("Fjord; fwd=miss");
  });

  it("a result that is larger than one may be, nor is the memory of it", async () => {
    const sql = `SELECT repeat('x', 1000) AS x, range AS i, ${n} AS test FROM range(3000)`;
    expect((await document(sql)).data).toHaveLength(3_000);
    expect((await ask(sql)).status).toBe("Fjord; fwd=miss");
    expect((await ask(SUM)).status).toBe("Fjord; fwd=miss");
    expect((await ask(SUM)).status).toBe(HIT);
  });
});

it("forgets what was asked longest ago, once there is more than it may hold", async () => {
  const large = (i: number): string => `SELECT repeat('y', 500000) AS y, ${i} AS i`;
  const first = `${SUM} LIMIT 5`;
  await ask(first);
  await ask(large(0));
  for (let i = 1; i <= 20; i++) {
    await ask(large(i));
    expect((await ask(first)).status).toBe(HIT);
  }
  expect((await ask(large(20))).status).toBe(HIT);
  expect((await ask(large(0))).status).toBe("Fjord; fwd=miss");
});

it("answers many who ask at once alike", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => document(SUM, { id: `r${i}` })));
  answers.forEach(({ data, meta }, i) => {
    expect(data).toEqual([{ s: 4950, test: n }]);
    expect(meta.requestId).toBe(`r${i}`);
  });
});
