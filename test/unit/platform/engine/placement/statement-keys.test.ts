import { describe, expect, it } from "vitest";
import type { StatementRequest } from "../../../../../kernel/wire/engine.ts";
import { isRead, keysOf } from "../../../../../src/platform/engine/placement/statement-keys.ts";

const lake = { teamId: "t", lakeId: "l", snapshotId: 1, token: "x", reader: "everything" };
const credentials = { host: "h", port: "1", database: "d", username: "u", password: "secret" };
const statement = (changes: Partial<StatementRequest>): StatementRequest => ({
  id: crypto.randomUUID(),
  target: { kind: "lake", lake },
  ...{ format: "json", numbers: "exact", rowsMax: 1, bytesMax: 1, deadlineMs: 1, leaseMs: 1 },
  ...changes,
});
const source: StatementRequest["target"] = {
  kind: "source",
  source: { type: "postgres", credentials },
  access: "everything",
};

describe("isRead", () => {
  it.each([
    ["a statement whose text reads", { sql: "WITH a AS (FROM t) FROM a" }, true],
    ["a statement that writes", { sql: "insert into t values (1)" }, false],
    ["a text that may write", { sql: "with a as (select 1) insert into t from a" }, false],
    ["one that may write, of a sender who may not", { sql: "drop table t", isReadOnly: true }, true],
    ["a semantic query", { semantic: { model: { cubes: [], views: [] }, queries: [] } as never }, true],
    ["a statement on a connected database", { sql: "insert into t values (1)", target: source }, true],
  ])("knows %s", (_, { isReadOnly, ...changes }: Partial<StatementRequest> & { isReadOnly?: boolean }, expected) => {
    const target = { kind: "lake" as const, lake: { ...lake, ...(isReadOnly && { isReadOnly }) } };
    expect(isRead(statement({ target, ...changes }))).toBe(expected);
  });
});

describe("keysOf", () => {
  const keys = (sql: string, changes: Partial<StatementRequest> = {}) => keysOf(statement({ sql, ...changes }));

  it("finds the tables of a text, however they are named", () => {
    const named = keys('select * from LAKE.sample.Orders o join "sample"."products" p on true, (FROM x) where 1');
    expect(named.tables).toEqual(keys("FROM sample.orders JOIN sample.products JOIN x").tables);
    expect(named.tables).toHaveLength(3);
    expect(keys("select 1").tables).toEqual([]);
    expect(keys(Array.from({ length: 20 }, (_, i) => `from t${i}`).join(" ")).tables).toHaveLength(8);
  });

  it("tells lakes, texts, values, readers and those who want a new result apart", () => {
    const sql = "from t where a = $a";
    const values = (value: number) => ({ parameters: { a: { type: "bigint", value } } }) as never;
    const of = (changes: Partial<StatementRequest>) => keys(sql, changes).work;
    expect(of(values(1))).toBe(of(values(1)));
    const others = [values(2), { invalidate: true }, { invalidate: true }, {}];
    const works = [of(values(1)), ...others.map(of)];
    works.push(of({ target: { kind: "lake", lake: { ...lake, reader: "digest" } } }));
    works.push(of({ target: { kind: "lake", lake: { ...lake, lakeId: "other" } } }));
    expect(new Set(works).size).toBe(works.length);
    expect(keys(sql, values(1)).text).toBe(keys(sql, values(2)).text);
  });

  it("holds no word of a statement, and none of a password", () => {
    const shown = JSON.stringify([keys("select hidden from secrets"), keys("select hidden", { target: source })]);
    expect(shown).not.toMatch(/hidden|secret/);
  });

  it("reads a long text in no time", () => {
    expect(keys(`${"from ".repeat(200_000)}"`).tables.length).toBeLessThanOrEqual(8);
  });
});
