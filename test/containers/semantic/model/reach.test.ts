// What a query reaches of a model gives the same SQL as the whole model, by Cube's own compiler.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { filterMembers, type SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { compileModel } from "../../../../containers/engine/semantic/compile/model/compile-model.ts";
import { compileQuery } from "../../../../containers/engine/semantic/compile/model/compile-query.ts";
import { reach } from "../../../../src/features/semantic/model/reach.ts";
import { readModel } from "../../../../src/features/semantic/model/read-model.ts";
import { Random, randomModel, randomQuery } from "../../../support/node/semantic/random-definitions.ts";
import { aSemanticQuery } from "../../../support/node/semantic/shop.ts";

const MODELS = Number(process.env["REACH_MODELS"] ?? 50);
const QUERIES = 6;

/** JSON is YAML. */
function read(written: SemanticModel): SemanticModel {
  const { definitions, flaws } = readModel([{ path: "model.yml", content: JSON.stringify(written) }]);
  expect(flaws).toBeUndefined();
  return definitions!;
}

const membersIn = ({ measures, dimensions, segments, timeDimensions, filters }: SemanticQuery): string[] => [
  ...measures,
  ...dimensions,
  ...segments,
  ...timeDimensions.map(({ dimension }) => dimension),
  ...filters.flatMap(filterMembers),
];

/** A function of queries to their SQL, or to why there is none. */
function compile(definitions: SemanticModel): (query: SemanticQuery) => unknown {
  const compiled = compileModel(structuredClone(definitions));
  if ("flaws" in compiled) throw new Error(JSON.stringify(compiled.flaws));
  return (query) => {
    try {
      return compileQuery(compiled.evaluated.compilers, "postgres", structuredClone(query));
    } catch (error) {
      return String(error);
    }
  };
}

describe("reach", () => {
  it("leaves the SQL of any query what it is with the whole model", () => {
    let same = 0;
    let smaller = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const model = randomModel(random);
        const definitions = read(model.written);
        const whole = compile(definitions);
        for (let i = 0; i < QUERIES; i++) {
          const query = randomQuery(random, model);
          const reached = reach(definitions, membersIn(query), query.joinHints);
          const sql = whole(query);
          expect(compile(reached)(query)).toEqual(sql);
          if (typeof sql === "object") same++;
          if (reached.cubes.length < definitions.cubes.length) smaller++;
        }
      }),
      { numRuns: MODELS, endOnFailure: false },
    );
    // Else it would prove little.
    expect(same).toBeGreaterThan(MODELS * QUERIES * 0.4);
    expect(smaller).toBeGreaterThan(MODELS * QUERIES * 0.3);
  });

  it("is read from extended definitions as Cube extends them", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const model = randomModel(random);
        const [asWritten, asRead] = [compile(model.written), compile(read(model.written))];
        for (let i = 0; i < QUERIES; i++) {
          const query = randomQuery(random, model);
          expect(asRead(query)).toEqual(asWritten(query));
        }
      }),
      { numRuns: MODELS / 2 },
    );
  });

  it("keeps the subqueries of a cube apart that refer to the same cube", () => {
    const id = { name: "id", sql: "id", type: "number", primary_key: true };
    const sql = compile(
      read({
        cubes: [
          {
            name: "a",
            sql_table: "a",
            joins: [{ name: "b", relationship: "one_to_many", sql: "{CUBE}.id = {b}.a_id" }],
            dimensions: [
              id,
              { name: "plain", sql: "{b.own}", type: "number", sub_query: true },
              { name: "joined", sql: "{b.other}", type: "number", sub_query: true },
            ],
          },
          {
            name: "b",
            sql_table: "b",
            joins: [{ name: "c", relationship: "many_to_one", sql: "{CUBE}.c_id = {c}.id" }],
            dimensions: [id],
            measures: [
              { name: "own", type: "sum", sql: "x" },
              { name: "other", type: "sum", sql: "{c.x}" },
            ],
          },
          { name: "c", sql_table: "c", dimensions: [id, { name: "x", sql: "x", type: "number" }] },
        ],
        views: [],
      }),
    )(aSemanticQuery({ dimensions: ["a.plain", "a.joined"] })) as { sql: string };
    expect(sql.sql).toContain("LEFT JOIN c AS");
  });

  it("ends where joins lead in a circle", () => {
    const cube = (name: string, ...joined: string[]) => ({
      name,
      sql_table: name,
      joins: joined.map((other) => ({ name: other, relationship: "many_to_one", sql: `{CUBE}.x = {${other}}.x` })),
      dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
    });
    const sql = compile(read({ cubes: [cube("a", "b"), cube("b", "a"), cube("c", "b")], views: [] }));
    expect(sql(aSemanticQuery({ dimensions: ["a.id", "c.id"], joinHints: [["a", "b"]] }))).toMatch(/lead in a circle/);
    expect(sql(aSemanticQuery({ dimensions: ["a.id", "b.id"] }))).toMatchObject({ joinPath: [{ from: "a", to: "b" }] });
  });
});
