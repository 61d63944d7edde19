// Models and queries through the compile process, as the engine's routes answer them.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CompiledModel } from "../../../kernel/semantic/model.ts";
import type { SqlDialect } from "../../../kernel/semantic/model.ts";
import { SemanticSql, type SemanticQuery } from "../../../kernel/semantic/query.ts";
import { EngineFailure } from "../../../kernel/wire/engine.ts";
import { SemanticCompiler } from "../../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { aSemanticQuery, CALLER, SHOP } from "../../support/node/semantic/shop.ts";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine({ hostsAllowed: "" })));
afterAll(() => engine.stop());

const post = (path: string, body: object): Promise<Response> =>
  engine.call("POST", path, { model: SHOP, dialect: "postgres", sender: "ada", deadlineMs: 60_000, ...body });

async function sqlOf(query: Partial<SemanticQuery>): Promise<SemanticSql> {
  const answer = await post("/semantic/sql", { query: aSemanticQuery(query) });
  expect(answer.status).toBe(200);
  return SemanticSql.parse(await answer.json());
}

describe("a model", () => {
  it("answers its meta as Cube lists it", async () => {
    const { flaws, meta } = CompiledModel.parse(await (await post("/semantic/models", {})).json());
    expect(flaws).toEqual([]);
    expect(meta.map(({ name, type }) => [name, type])).toEqual([
      ["orders", "cube"],
      ["customers", "cube"],
      ["line_items", "cube"],
      ["orders_view", "view"],
    ]);
    expect(meta[3]).toMatchObject({
      dimensions: [{ name: "orders_view.status" }, {}, { aliasMember: "customers.country" }],
    });
  });

  it("answers what Cube has against it, by member", async () => {
    const model = {
      cubes: [
        {
          name: "orders",
          sql_table: "orders",
          joins: [{ name: "lines", relationship: "one_to_many", sql: "{CUBE}.id = {lines}.order_id" }],
          measures: [{ name: "total", sql: "amount", type: "summ" }],
        },
        { name: "lines", sql_table: "lines", measures: [{ name: "count", type: "count" }] },
      ],
      views: [],
    };
    const { flaws } = CompiledModel.parse(await (await post("/semantic/models", { model })).json());
    expect(flaws.map(({ member }) => member)).toEqual(["orders"]);
    expect(flaws[0]!.message).toContain("measures.total.type");
  });
});

describe("a query", () => {
  it("becomes SQL with bound values, its columns in the order of the SELECT", async () => {
    const { sql, values, columns } = await sqlOf({
      measures: ["orders.total"],
      dimensions: ["customers.country"],
      timeDimensions: [{ dimension: "orders.created_at", granularity: "month" }],
      filters: [{ member: "orders.status", operator: "equals", values: ["do'ne"] }],
    });
    expect(sql).toContain("$1");
    expect(sql).not.toContain("do'ne");
    expect(values).toEqual(["do'ne"]);
    expect(columns).toEqual([
      { member: "customers.country", kind: "value" },
      { member: "orders.created_at.month", kind: "time" },
      { member: "orders.total", kind: "value" },
    ]);
  });

  it("says the join it takes, and whose rows that repeats", async () => {
    const { sql, joinPath, multiplied } = await sqlOf({
      measures: ["orders.total", "line_items.quantity"],
      filters: [{ member: "line_items.id", operator: "set", values: [] }],
    });
    expect(joinPath).toMatchObject([{ from: "orders", to: "line_items", relationship: "one_to_many" }]);
    expect(multiplied).toEqual(["orders"]);
    expect(sql).toContain("SELECT DISTINCT");
  });

  it("is refused in Cube's words where the model has no such member", async () => {
    const answer = await post("/semantic/sql", { query: aSemanticQuery({ measures: ["orders.missing"] }) });
    expect(answer.status).toBe(400);
    expect(EngineFailure.parse(await answer.json())).toMatchObject({
      code: "statement_refused",
      message: "'missing' not found for path 'orders.missing'",
    });
  });
});

/** Whose processes end as soon as nobody needs them: one that is there was asked. */
const COLD = { idleMs: 50, warm: 0 };

describe("the compile process", () => {
  const ask = (compiler: SemanticCompiler, limit = 1) =>
    compiler.compileSemantic(
      { model: SHOP, dialect: "postgres", query: aSemanticQuery({ measures: ["orders.total"], limit }) },
      CALLER,
      AbortSignal.timeout(60_000),
    );

  it("ends when nobody needs it where none is kept warm, and starts anew for the next who does", async () => {
    const compiler = new SemanticCompiler({ ...COLD });
    try {
      await ask(compiler);
      await expect.poll(() => compiler.pids).toEqual([]);
      expect((await ask(compiler, 2)).sql).toContain("SELECT");
    } finally {
      compiler.stop();
    }
  });

  it("is not asked again what it answered, and is asked whatever differs in anything", async () => {
    const compiler = new SemanticCompiler({ ...COLD });
    const compile = async ({
      model = SHOP,
      dialect = "postgres" as SqlDialect,
      query = {} as Partial<SemanticQuery>,
      reader = CALLER.reader,
    }) => {
      await expect.poll(() => compiler.pids).toEqual([]);
      const range: [string, string] = ["2026-01-01T00:00:00.000", "2026-01-31T23:59:59.999"];
      const timeDimensions = [{ dimension: "orders.created_at", granularity: "day", dateRange: range }];
      const whole = aSemanticQuery({ measures: ["orders.total"], timeDimensions, ...query });
      const answer = await compiler.compileSemantic(
        { model, dialect, query: whole },
        { ...CALLER, reader },
        AbortSignal.timeout(60_000),
      );
      return { wasAsked: compiler.pids.length > 0, answer };
    };
    try {
      const first = await compile({});
      expect(first.wasAsked).toBe(true);
      expect(await compile({})).toEqual({ wasAsked: false, answer: first.answer });
      // The time that it takes must not say what others with other rights have asked.
      expect(await compile({ reader: "a digest" })).toEqual({ wasAsked: true, answer: first.answer });
      const model = structuredClone(SHOP);
      model.cubes[0]!["sql_table"] = "others.orders";
      const later: [string, string] = ["2026-02-01T00:00:00.000", "2026-02-28T23:59:59.999"];
      for (const other of [
        { model },
        { dialect: "duckdb" as const },
        { query: { timezone: "Europe/Oslo" } },
        { query: { limit: 7 } },
        { query: { timeDimensions: [{ dimension: "orders.created_at", granularity: "day", dateRange: later }] } },
      ]) {
        const { wasAsked, answer } = await compile(other);
        expect(wasAsked).toBe(true);
        expect(answer).not.toEqual(first.answer);
      }
      expect(await compile({})).toEqual({ wasAsked: false, answer: first.answer });
    } finally {
      compiler.stop();
    }
  });

  it("is asked again what is larger than all that may be kept", async () => {
    const compiler = new SemanticCompiler({ ...COLD, keptCharactersMax: 10 });
    try {
      const answer = await ask(compiler);
      await expect.poll(() => compiler.pids).toEqual([]);
      expect(await ask(compiler)).toEqual(answer);
      expect(compiler.pids).not.toEqual([]);
    } finally {
      compiler.stop();
    }
  });

  it("answers each of those who ask at once, as many as may wait, and none once the engine stops", async () => {
    const compiler = new SemanticCompiler();
    const limits = Array.from({ length: 70 }, (_, i) => i + 1);
    const answers = await Promise.allSettled(limits.map((limit) => ask(compiler, limit)));
    const answered = answers.flatMap((answer, i) => (answer.status === "fulfilled" ? [[i + 1, answer.value.sql]] : []));
    expect(answered.length).toBe(65);
    for (const [limit, sql] of answered) expect(sql).toMatch(new RegExp(`LIMIT ${limit}$`));
    expect(answers.at(-1)).toMatchObject({ status: "rejected", reason: { code: "busy" } });
    compiler.stop();
    await expect(ask(compiler, 71)).rejects.toMatchObject({ code: "stopping" });
  });
});
