import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gate } from "../../../../containers/engine/lake/sql/gate.ts";
import type { AnalysisOptions } from "../../../../containers/engine/lake/sql/gate.ts";
import { KeptAnalyses } from "../../../../containers/engine/lake/read/kept-analyses.ts";
import { ESCAPES } from "../../../support/node/lake/escapes.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";

let gate: Gate;
let asked = 0;
beforeAll(async () => {
  gate = await Gate.open();
});

const analyse = (kept: KeptAnalyses, sql: string, options: AnalysisOptions = {}, reader = "clerk") =>
  kept.of({ reader, sql, ...options }, () => {
    asked++;
    return gate.analyse(sql, options);
  });

const verdictOf = (kept: KeptAnalyses, sql: string) => analyse(kept, sql).catch(String);

/** How often the gate is asked meanwhile. */
async function askedDuring(work: () => Promise<unknown>): Promise<number> {
  const before = asked;
  await work();
  return asked - before;
}

describe("what the gate said of a text", () => {
  it("is said again without asking it", async () => {
    const kept = new KeptAnalyses();
    const sql = "EXPLAIN SELECT * FROM shop.orders WHERE id = 1;";
    const first = await analyse(kept, sql);
    expect(await askedDuring(async () => expect(await analyse(kept, sql)).toEqual(first))).toBe(0);
    expect(await gate.analyse(sql)).toEqual(first);
    expect(Object.isFrozen((await analyse(kept, sql)).tables)).toBe(true);
  });

  it("is of that text, with values or without, texts or others, and of those tables that moved", async () => {
    const kept = new KeptAnalyses();
    const sql = "SELECT ? AS a, ? AS b FROM shop.orders";
    const options: AnalysisOptions[] = [
      { values: ["x", "y"] },
      { values: ["x", 1] },
      { values: [1, "x"] },
      { values: [1, null] },
      { values: ["x", "y"], moved: [{ schema: "shop", name: "orders", parts: 2 }] },
    ];
    for (const each of options) expect(await analyse(kept, sql, each)).toEqual(await gate.analyse(sql, each));
    for (const each of options)
      expect(
        await askedDuring(async () => expect(await analyse(kept, sql, each)).toEqual(await gate.analyse(sql, each))),
      ).toBe(0);
    await expect(analyse(kept, sql)).rejects.toThrow("send their values in parameters");
    await expect(analyse(kept, sql, { values: ["x"] })).rejects.toThrow("2 parameters and 1 values");
    expect((await analyse(kept, `${sql} `, { values: ["x", "y"] })).body).toContain("fjord_texts_1");
  });

  it("is one reader's: who has other rights is not told sooner of a text that somebody sent", async () => {
    const kept = new KeptAnalyses();
    const sql = "SELECT count(*) FROM shop.orders WHERE name = 'a guess'";
    const mine = await analyse(kept, sql, {}, "auditor");
    expect(await askedDuring(async () => expect(await analyse(kept, sql, {}, "clerk")).toEqual(mine))).toBe(1);
    expect(await askedDuring(() => analyse(kept, sql, {}, "auditor"))).toBe(0);
  });

  it("is asked for anew where the text was refused, or reads an earlier snapshot", async () => {
    const kept = new KeptAnalyses();
    const past = "SELECT * FROM shop.orders AT (TIMESTAMP => now() - INTERVAL 1 DAY)";
    const before = await analyse(kept, past);
    expect(await askedDuring(() => analyse(kept, past))).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await analyse(kept, past)).tables[0]!.travel!.at).not.toBe(before.tables[0]!.travel!.at);
    for (const sql of ESCAPES) {
      const verdicts = [await verdictOf(kept, sql), await verdictOf(kept, sql)];
      expect(verdicts).toEqual(Array(2).fill(await gate.analyse(sql).catch(String)));
    }
  });
});

describe("through the engine", () => {
  let lake: TestLake;
  beforeAll(async () => {
    lake = await TestLake.open();
  });
  afterAll(() => lake.close());

  it("a statement with a kept analysis finds the tables of its own caller and snapshot", async () => {
    const sql = "SELECT * FROM shop.late";
    expect((await lake.failure(sql)).message).toContain("does not exist");
    await lake.write("late.parquet", "SELECT 1::BIGINT AS id", "id: 1");
    lake.platform.addTable("shop", "late", [column(1, "id", "int64")], [{ path: "late.parquet" }]);
    expect(await lake.rows(sql)).toEqual([{ id: 1 }]);
    lake.platform.grants.set("clerk", new Set());
    expect((await lake.failure(sql, { grant: { token: "clerk" } })).message).toContain("does not exist");
    expect(await lake.rows(sql)).toEqual([{ id: 1 }]);
  });
});
