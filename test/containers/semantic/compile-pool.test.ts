// Whose semantic query is compiled when: callers take turns, and none holds another's up.

import { afterEach, describe, expect, it } from "vitest";
import type { SemanticModel } from "../../../kernel/semantic/model.ts";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { SemanticCompiler } from "../../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { aSemanticQuery, SHOP } from "../../support/node/semantic/shop.ts";

/** Cubes in a row, each joined to the one before: a query from end to end takes Cube longer than any test waits. */
const ROW: SemanticModel = {
  cubes: Array.from({ length: 500 }, (_, i) => ({
    name: `c${i}`,
    sql_table: `t${i}`,
    dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
    measures: [{ name: "count", type: "count" }],
    joins: i === 0 ? [] : [{ name: `c${i - 1}`, relationship: "many_to_one", sql: `{CUBE}.id = {c${i - 1}}.id` }],
  })),
  views: [],
};
const FAR = aSemanticQuery({ measures: ["c499.count"], dimensions: ["c0.id"] });

let compiler: SemanticCompiler;
afterEach(() => compiler.stop());

const caller = (sender: string) => ({ sender, reader: "everything" });
const honest = (sender: string, limit = 1, signal = AbortSignal.timeout(60_000)) => {
  const query = aSemanticQuery({ measures: ["orders.total"], limit });
  return compiler.compileSemantic({ model: SHOP, dialect: "postgres", query }, caller(sender), signal);
};
/** A query that a process works on until `end` is called. */
function stall(sender: string) {
  const controller = new AbortController();
  const waited = Promise.withResolvers<number>();
  const stalled = compiler
    .compileSemantic(
      { model: ROW, dialect: "duckdb", query: FAR },
      { ...caller(sender), onWaited: waited.resolve },
      controller.signal,
    )
    .catch((error: unknown) => error);
  const end = async (): Promise<void> => {
    controller.abort(new Error("enough"));
    await stalled;
  };
  return { begun: waited.promise, stalled, end };
}

describe("a caller whose query takes long", () => {
  it("holds up their own other queries, and nobody else's", async () => {
    compiler = new SemanticCompiler();
    const slow = stall("mallory");
    await slow.begun;
    const slower = stall("mallory");
    let ended = false;
    void slow.stalled.then(() => (ended = true));
    for (const limit of [1, 2, 3]) expect((await honest("ada", limit)).sql).toContain("SELECT");
    expect((await honest("grace", 4)).sql).toContain("SELECT");
    expect(ended).toBe(false);
    await slow.end();
    await slower.begun;
    await slower.end();
  });

  it("is told what a query waited for that did not come to its turn", async () => {
    compiler = new SemanticCompiler();
    const [slow, other] = [stall("mallory"), stall("eve")];
    await Promise.all([slow.begun, other.begun]);
    const late = (sender: string) => {
      const controller = new AbortController();
      const waiting = honest(sender, 1, controller.signal);
      controller.abort(new Failure("deadline_exceeded", "Too late."));
      return waiting;
    };
    await expect(late("mallory")).rejects.toMatchObject({
      code: "deadline_exceeded",
      message: "Too late. Until then another semantic query of the same caller was being compiled.",
    });
    await expect(late("ada")).rejects.toMatchObject({
      code: "deadline_exceeded",
      message: "Too late. Until then semantic queries of other callers were being compiled.",
    });
    await Promise.all([slow.end(), other.end()]);
  });

  it("finds nobody waiting longer than callers before: they take turns", async () => {
    compiler = new SemanticCompiler();
    const held = [stall("mallory"), stall("eve")];
    await Promise.all(held.map(({ begun }) => begun));
    const order: string[] = [];
    const ask = (sender: string, limit: number) => honest(sender, limit).then(() => order.push(sender));
    const all = [...[1, 2, 3, 4].map((limit) => ask("ada", limit)), ask("grace", 5)];
    await held[0]!.end();
    await Promise.all(all);
    expect(order.indexOf("grace")).toBeLessThan(2);
    await held[1]!.end();
  });
});

describe("compile processes", () => {
  it("stay one after a pause, and are no more than two however many ask", async () => {
    compiler = new SemanticCompiler({ idleMs: 50 });
    const answers = Array.from({ length: 8 }, (_, i) => honest(`caller ${i}`, i + 1));
    let most = 0;
    for (const answer of answers) {
      await answer;
      most = Math.max(most, compiler.pids.length);
    }
    expect(most).toBe(2);
    await expect.poll(() => compiler.pids.length).toBe(1);
    const [pid] = compiler.pids;
    await honest("ada", 9);
    expect(compiler.pids).toEqual([pid]);
  });

  it("are started anew where one was killed, and before anybody asks", async () => {
    compiler = new SemanticCompiler({ queryMs: 300 });
    const { stalled } = stall("mallory");
    expect(await stalled).toMatchObject({ message: expect.stringContaining("not made within 0.3 s") });
    expect(compiler.pids.length).toBeGreaterThan(0);
  });
});

it("an answer that waited for its turn says so apart from compiling", async () => {
  compiler = new SemanticCompiler();
  const slow = stall("mallory");
  await slow.begun;
  const waits: number[] = [];
  const query = aSemanticQuery({ measures: ["orders.total"] });
  const mine = compiler.compileSemantic(
    { model: SHOP, dialect: "postgres", query },
    { ...caller("mallory"), onWaited: (ms) => waits.push(ms) },
    AbortSignal.timeout(60_000),
  );
  await honest("ada");
  expect(waits).toEqual([]);
  await slow.end();
  await mine;
  expect(waits).toHaveLength(1);
});
