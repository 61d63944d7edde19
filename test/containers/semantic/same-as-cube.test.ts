// Our way from definitions to SQL beside Cube's own way from YAML: the same SQL, the same meta, the same complaints.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SemanticModel, SqlDialect } from "../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../kernel/semantic/query.ts";
import { compileModel } from "../../../containers/engine/semantic/compile/model/compile-model.ts";
import { compileQuery } from "../../../containers/engine/semantic/compile/model/compile-query.ts";
import { Template } from "../../../containers/engine/semantic/compile/model/template.ts";
import { SemanticCompiler } from "../../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { compileByCube, type CubeCompilers } from "../../support/node/semantic/cube-itself.ts";
import { EVERYTHING, QUERIES } from "../../support/node/semantic/everything.ts";
import { aSemanticQuery, CALLER } from "../../support/node/semantic/shop.ts";

const DIALECTS = ["duckdb", "postgres", "mysql"] as const;
const signal = (): AbortSignal => AbortSignal.timeout(60_000);

let cube: CubeCompilers;
const compiler = new SemanticCompiler();
beforeAll(async () => void (cube = await compileByCube(EVERYTHING)));
afterAll(() => compiler.stop());

const byCube = (compilers: CubeCompilers, dialect: SqlDialect, query: SemanticQuery) =>
  outcome(async () => compileQuery(compilers as never, dialect, query));

/** What came of it, a refusal by its words. */
const outcome = (work: () => Promise<unknown>): Promise<unknown> =>
  work().catch((error: unknown) => ({ refused: error instanceof Error ? error.message : error }));

describe("a model with one of everything", () => {
  it("has the meta that Cube has of it", async () => {
    const { flaws, meta } = await compiler.compileModel(EVERYTHING, CALLER, signal());
    expect(flaws).toEqual([]);
    expect(meta).toEqual(JSON.parse(JSON.stringify(cube.metaTransformer.cubes.map(({ config }) => config))));
  });

  it.each(DIALECTS.flatMap((dialect) => QUERIES.map((query) => [dialect, JSON.stringify(query), query] as const)))(
    "has Cube's SQL in %s for %s",
    async (dialect, _text, more) => {
      const query = aSemanticQuery(more);
      const ours = await outcome(() =>
        compiler.compileSemantic({ model: EVERYTHING, dialect, query }, CALLER, signal()),
      );
      expect(ours).toEqual(await byCube(cube, dialect, query));
    },
  );
});

/** SQL of a dimension, by the word that says what becomes of it: Cube's own reading, or no reading at all. */
const TEXTS: [text: string, reading: "same" | "refused"][] = [
  ["a {CUBE}.x", "same"],
  [" {CUBE}.x ", "same"],
  ["{id}", "same"],
  ["{CUBE.id} + {c.id}", "same"],
  ["{created.month}", "same"],
  ["{CUBE.created.month}", "same"],
  ["${CUBE}.x", "refused"],
  ["\\{x\\}", "same"],
  ["{CUBE}.x || '\\{' || {CUBE}.y", "same"],
  ["a\\\\d", "same"],
  ["{CUBE}.x \\\\\\\\ y", "same"],
  ["'it''s' || '\\''", "same"],
  ['{CUBE}."a b" || "q" || `t`', "same"],
  ["f'x' || f\"y\" || '#z'", "same"],
  ["-- a\r\n x\n\ty", "same"],
  ["a\\nb\\tc", "same"],
  ["100% é✓😀", "same"],
  ["null", "same"],
  // Cube drops the backslash, or reads another letter: SQL that nobody wrote.
  ["\\d+", "refused"],
  ["\\x41", "refused"],
  ["\\u0041", "refused"],
  ["\\0", "refused"],
  ["\\1", "refused"],
  ["\\", "refused"],
  ['\\"', "refused"],
  ["\\`", "refused"],
  ["\\\\{CUBE}.x", "refused"],
  ["a}b", "refused"],
  ["a{b", "refused"],
  ["{{x}}", "refused"],
  ["{% raw %}", "refused"],
  ["", "refused"],
  [" \t", "refused"],
  // Places of values.
  ["'$0$'", "refused"],
  ["{id}$", "refused"],
  ["$1", "refused"],
  // Code.
  ["{ CUBE }.x", "refused"],
  ["{1}", "refused"],
  ["{'x'}", "refused"],
  ["{id!r}", "refused"],
  ["{id:x}", "refused"],
  ["{id()}", "refused"],
  ["{id[0]}", "refused"],
  ["{lambda: id}", "refused"],
  ["{CUBE.constructor}", "refused"],
  ["{constructor.constructor('return process')()}", "refused"],
  ["{CUBE.__proto__}", "refused"],
  ["{x.prototype}", "refused"],
];

const modelWith = (sql: string): SemanticModel => ({
  cubes: [
    {
      name: "c",
      sql_table: "t",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "created", sql: "created", type: "time" },
        { name: "d", sql, type: "string" },
      ],
    },
  ],
  views: [],
});

describe("SQL with references", () => {
  it.each(TEXTS)("%j is read %s", async (text, reading) => {
    if (reading === "refused") return expect(() => new Template(text)).toThrow(/^it |^\{/);
    const query = aSemanticQuery({ dimensions: ["c.d"] });
    const compiled = compileModel(modelWith(text));
    if ("flaws" in compiled) throw new Error(compiled.flaws[0]!.message);
    const ours = compileQuery(compiled.evaluated.compilers, "postgres", query);
    expect(ours).toEqual(await byCube(await compileByCube(modelWith(text)), "postgres", query));
  });
});

/** Models that Cube refuses; ours are Cube's words without the name of a file. */
const FLAWED: [what: string, change: (model: SemanticModel) => unknown][] = [
  ["an unknown type", (model) => (model.cubes[0]!["measures"] = [{ name: "count", type: "counts" }])],
  ["an unknown key", (model) => (model.cubes[0]!["colour"] = "red")],
  [
    "a join to nowhere",
    (model) => (model.cubes[2]!["joins"] = [{ name: "x", relationship: "hasOne", sql: "{CUBE}.a" }]),
  ],
  ["no primary key", (model) => (model.cubes[4]!["dimensions"] = [])],
  ["a name twice", (model) => model.cubes.push(structuredClone(model.cubes[3]!))],
  ["a member of two kinds", (model) => (model.cubes[3]!["segments"] = [{ name: "area", sql: "x" }])],
  [
    "a view of a missing member",
    (model) => (model.views[0]!["cubes"] = [{ join_path: "orders", includes: ["nothing"] }]),
  ],
  [
    "a folder of a missing member",
    (model) => (model.views[0]!["folders"] = [{ name: "Basics", includes: ["nothing"] }]),
  ],
  ["a reference to nothing", (model) => (model.cubes[3]!["measures"] = [{ name: "m", sql: "{nothing}", type: "sum" }])],
  [
    "a bad interval",
    (model) =>
      (model.cubes[3]!["measures"] = [{ name: "m", sql: "a", type: "sum", rolling_window: { trailing: "x" } }]),
  ],
];

describe("a model with a flaw", () => {
  it.each(FLAWED)("is complained of as by Cube: %s", async (_what, change) => {
    const model = structuredClone(EVERYTHING);
    change(model);
    const { flaws } = await compiler.compileModel(model, CALLER, signal());
    expect(flaws.length).toBeGreaterThan(0);
    const report = await compileByCube(model).then(
      () => "",
      (error: Error) => error.message,
    );
    for (const { message } of flaws) expect(report).toContain(message);
  });
});
