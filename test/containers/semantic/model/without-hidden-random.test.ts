// Random models: what is left of one for a caller compiles, and its meta is what the whole's meta leaves of it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { compileModel } from "../../../../containers/engine/semantic/compile/model/compile-model.ts";
import { hiddenInLake } from "../../../../src/features/semantic/access/hidden-names.ts";
import { pruneMeta } from "../../../../src/features/semantic/access/prune-meta.ts";
import { withoutHidden } from "../../../../src/features/semantic/access/without-hidden.ts";
import { sqlOf, type Cube, type Member } from "../../../../src/features/semantic/model/definitions.ts";
import { readModel } from "../../../../src/features/semantic/model/read-model.ts";
import { Random, randomModel } from "../../../support/node/semantic/random-definitions.ts";

const MODELS = 60;

const compiles = (definitions: SemanticModel): boolean => "evaluated" in compileModel(structuredClone(definitions));

function metaOf(definitions: SemanticModel) {
  const compiled = compileModel(structuredClone(definitions));
  if ("flaws" in compiled) throw new Error(JSON.stringify(compiled.flaws));
  return JSON.parse(JSON.stringify(compiled.evaluated.meta)) as typeof compiled.evaluated.meta;
}

/** Every SQL text of a cube, but its table. */
const sqlsOf = (cube: Cube): string[] => [
  ...[cube.measures, cube.dimensions, cube.segments].flatMap((members) => ((members ?? []) as Member[]).flatMap(sqlOf)),
  ...(cube.joins ?? []).map(({ sql }) => sql),
];
const wordsOf = (sqls: readonly string[]): Set<string> =>
  new Set(sqls.flatMap((sql) => sql.replaceAll(/\{[^}]*\}|'[^']*'/g, " ").match(/\w+/g) ?? []));

describe("withoutHidden", () => {
  it("leaves what compiles, of which the meta is the same to the byte as the rest of the whole's", () => {
    let hid = 0;
    let left = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const { written, cubes } = randomModel(random);
        const { definitions } = readModel([{ path: "model.yml", content: JSON.stringify(written) }]);
        fc.pre(definitions !== undefined && compiles(definitions));
        const columns = ["id", "a", "b", "at", "amount", "x", "z", ...cubes.map(({ name }) => `${name}_id`)];
        const hidden = random
          .some(cubes, 3)
          .map(({ name }) => ({
            schema: "main",
            name: `t_${name}`,
            columns: random.chance(20) ? null : random.some(columns, 3),
          }));
        const restricted = withoutHidden(definitions, hiddenInLake(hidden));
        expect(JSON.stringify(pruneMeta(metaOf(definitions), restricted))).toBe(JSON.stringify(metaOf(restricted)));
        for (const cube of restricted.cubes as Cube[]) {
          const table = hidden.find(({ name }) => name === cube.sql_table);
          expect(table?.columns).not.toBeNull();
          expect(table?.columns?.filter((column) => wordsOf(sqlsOf(cube)).has(column)) ?? []).toEqual([]);
        }
        const members = (model: SemanticModel) => JSON.stringify(model).length;
        if (members(restricted) < members(definitions)) hid++;
        if (restricted.cubes.length > 0) left++;
      }),
      { numRuns: MODELS },
    );
    // Else it would prove little.
    expect([hid > MODELS * 0.2, left > MODELS * 0.5]).toEqual([true, true]);
  });
});
