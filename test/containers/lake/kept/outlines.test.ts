// An analysis that is kept of a statement's outline is what the gate itself says of each text with that outline.

import { beforeAll, describe, expect, it } from "vitest";
import { Gate } from "../../../../containers/engine/lake/sql/gate.ts";
import { outlineOf, without } from "../../../../containers/engine/lake/sql/outline.ts";
import { LakeText } from "../../../../containers/engine/lake/sql/sql-text.ts";
import { KeptAnalyses } from "../../../../containers/engine/lake/read/kept-analyses.ts";
import { ESCAPES } from "../../../support/node/lake/escapes.ts";
import { QUERIES } from "../../../../scripts/bench/lake/tpc/tpch-queries.ts";

let gate: Gate;
let asked = 0;
beforeAll(async () => {
  gate = await Gate.open();
});

const analyse = (kept: KeptAnalyses, sql: string, reader = "clerk") =>
  kept.of({ reader, sql }, () => {
    asked++;
    return gate.analyse(sql);
  });

/** Whether the gate was asked about `sql`, of which the answer is to be the gate's own either way. */
async function asksFor(kept: KeptAnalyses, sql: string, reader?: string): Promise<boolean> {
  const before = asked;
  const verdict = await analyse(kept, sql, reader).catch(String);
  const own = await gate.analyse(sql).catch(String);
  expect(verdict, sql).toEqual(own);
  return asked > before;
}

/** Statements, and others of the same outline: all of their values are constants. */
const ALIKE: [string, ...string[]][] = [
  ["SELECT a FROM t WHERE b > 1", "SELECT a FROM t WHERE b > 22", "SELECT a FROM t WHERE b > 0"],
  ["SELECT a FROM t WHERE b > 0", "SELECT a FROM t WHERE b > 7", "SELECT a FROM t WHERE b > 007"],
  ["SELECT a FROM s.t WHERE b > -5 AND c < - 3", "SELECT a FROM s.t WHERE b > -55555 AND c < - 31"],
  ["SELECT a FROM s.t WHERE b = 0.05", "SELECT a FROM s.t WHERE b = 10.00000001"],
  ["SELECT 'ü', 5 FROM s.tä, s.u WHERE x = 'a b';", "SELECT 'ü', 15 FROM s.tä, s.u WHERE x = '';"],
  [
    "SELECT * FROM t WHERE d >= DATE '2026-01-01' LIMIT 5 -- 1",
    "SELECT * FROM t WHERE d >= DATE '1999-12-31' LIMIT 50 -- 1",
  ],
  ["SELECT * FROM a JOIN b ON a.x = b.x + 1 ORDER BY 1", "SELECT * FROM a JOIN b ON a.x = b.x + 100 ORDER BY 2"],
  ["SELECT list_aggregate(l, 'sum') FROM t WHERE 1 = 1", "SELECT list_aggregate(l, 'avg') FROM t WHERE 2 = 1"],
];

/** Statements that differ in a value that is not, or not only, a constant, or is no plain one. */
const OTHERS: [string, string][] = [
  ["SELECT now() - INTERVAL '1' DAY, x FROM t1", "SELECT now() - INTERVAL '2' DAY, x FROM t2"],
  ["SELECT x::DECIMAL(10, 2) FROM t", "SELECT x::DECIMAL(11, 2) FROM t"],
  ['SELECT 1 FROM "2"', 'SELECT 1 FROM "3"'],
  ["SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'timetz'"],
  ["SELECT list_aggregate(l, 'sum') FROM t", "SELECT list_aggregate(l, 'reservoir_quantile') FROM t"],
  ["SELECT from_json(j, 'x') FROM t", "SELECT from_json(j, '/*') FROM t"],
  ["SELECT * FROM read_csv('gs://fjord/t/drive/1.csv')", "SELECT * FROM read_csv('gs://fjord/t/drive/2.csv')"],
  ["SELECT * FROM t AT (VERSION => 1)", "SELECT * FROM t AT (VERSION => 2)"],
  ["EXPLAIN SELECT a FROM t WHERE b = 1", "EXPLAIN SELECT a FROM t WHERE b = 2"],
  ["SELECT #1 FROM t", "SELECT #2 FROM t"],
  ["SELECT 999999999 AS a FROM t", "SELECT 9999999999 AS a FROM t"],
];

describe("an analysis of an outline", () => {
  it.each(ALIKE)("is the gate's own of each text that has it: %s", async (first, ...others) => {
    const kept = new KeptAnalyses();
    expect(await asksFor(kept, first)).toBe(true);
    for (const sql of [...others, first]) expect(await asksFor(kept, sql), sql).toBe(false);
  });

  it.each(OTHERS)("is not given for what differs in more than constants: %s", async (first, other) => {
    const kept = new KeptAnalyses();
    await asksFor(kept, first);
    expect(await asksFor(kept, other)).toBe(true);
  });

  it("is one reader's: who has other rights is not told sooner of a text like somebody else's", async () => {
    const kept = new KeptAnalyses();
    expect(await asksFor(kept, "SELECT a FROM t WHERE b = 1", "auditor")).toBe(true);
    expect(await asksFor(kept, "SELECT a FROM t WHERE b = 2", "clerk")).toBe(true);
    expect(await asksFor(kept, "SELECT a FROM t WHERE b = 3", "auditor")).toBe(false);
  });

  it("keeps no text that only looks like an outline, nor a refusal", async () => {
    const kept = new KeptAnalyses();
    const { text } = outlineOf(new LakeText("SELECT a FROM t WHERE b = 1"))!;
    await asksFor(kept, "SELECT a FROM t WHERE b = 1");
    expect(await asksFor(kept, text)).toBe(true);
    for (const sql of ESCAPES) {
      expect(await asksFor(kept, sql)).toBe(true);
      for (const other of variantsOf(sql)) await asksFor(kept, other);
    }
  });

  it("is right for TPC-H's statements with each value exchanged, one at a time", async () => {
    const kept = new KeptAnalyses();
    let unasked = 0;
    for (const sql of Object.values(QUERIES)) {
      await asksFor(kept, sql);
      for (const other of variantsOf(sql)) if (!(await asksFor(kept, other))) unasked++;
    }
    expect(unasked).toBeGreaterThan(50);
  });
});

/** `sql` with another value of its kind in the place of each plain one, by turns. */
function variantsOf(sql: string): string[] {
  const { values } = outlineOf(new LakeText(sql)) ?? { values: [] };
  return values.map(({ at, text }) => {
    const other = text.startsWith("'") ? "'another 1'" : text.includes(".") ? "12.345" : "678";
    return sql.slice(0, at) + other + sql.slice(at + text.length);
  });
}

describe("the text without the constants of its filters", () => {
  const restOf = async (sql: string): Promise<string> => {
    const { body, plain } = await gate.analyse(sql);
    return without(
      body,
      plain.filter(({ isFilter }) => isFilter),
    );
  };

  it("keeps each constant that the name or type of a column may depend on", async () => {
    const named = [
      "SELECT 1",
      "SELECT a + 1 FROM t",
      "SELECT count(*) FILTER (WHERE a > 1) FROM t",
      "SELECT (SELECT a FROM t WHERE a > 1)",
      "SELECT EXISTS (FROM t WHERE a > 1)",
      "SELECT * FROM (SELECT (SELECT a FROM t LIMIT 1) FROM t)",
      "SELECT * FROM (VALUES (1))",
      "SELECT * FROM range(1)",
      "SELECT a FROM t GROUP BY a, 1",
      "SELECT sum(a) OVER (ORDER BY b ROWS 1 PRECEDING) FROM t",
      "SELECT * FROM t UNION SELECT 1",
      "WITH c AS (SELECT 1) FROM c",
    ];
    for (const sql of named) expect(await restOf(sql), sql).toBe(sql);
  });

  it("lacks those of conditions and of how many rows there are", async () => {
    expect(await restOf("SELECT a, 5 FROM t WHERE b IN (1, 2) AND c LIKE 'x' LIMIT 3 OFFSET 4")).toBe(
      "SELECT a, 5 FROM t WHERE b IN (\0, \0) AND c LIKE \0 LIMIT \0 OFFSET \0",
    );
    expect(await restOf("FROM (FROM t WHERE a > 1.5) JOIN u ON u.x = 3 WHERE EXISTS (SELECT 7)")).toBe(
      "FROM (FROM t WHERE a > \0) JOIN u ON u.x = \0 WHERE EXISTS (SELECT \0)",
    );
  });
});
