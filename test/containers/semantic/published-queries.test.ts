// The queries of the cases that Cube publishes, as their callers send them: what becomes of them in the Worker is what
// their rows are proven of.

import { describe, expect, it } from "vitest";
import { compileModel } from "../../../containers/engine/semantic/compile/model/compile-model.ts";
import { compileQuery } from "../../../containers/engine/semantic/compile/model/compile-query.ts";
import type { SemanticModel } from "../../../kernel/semantic/model.ts";
import { readModel } from "../../../src/features/semantic/model/read-model.ts";
import { planSemantic } from "../../../src/features/semantic/query/plan.ts";
import { DIALECTS } from "../../support/node/semantic/proof-tables.ts";
import { CORRECTED_CASES } from "../../support/node/semantic/published/corrected-cases.ts";
import { LISTING_CASES } from "../../support/node/semantic/published/listing-cases.ts";
import { MEASURE_CASES } from "../../support/node/semantic/published/measure-cases.ts";
import { publishedModel } from "../../support/node/semantic/published/model.ts";
import { ROLLING_CASES } from "../../support/node/semantic/published/rolling-cases.ts";
import { QUERY } from "../../support/node/semantic/proof-servers.ts";

const CASES = [...LISTING_CASES, ...MEASURE_CASES, ...ROLLING_CASES, ...CORRECTED_CASES];

/** JSON is YAML. */
const read = readModel([{ path: "published.yml", content: JSON.stringify(publishedModel("published")) }]);
const definitions = read.definitions!;

function compiled(model: SemanticModel) {
  const result = compileModel(structuredClone(model));
  if ("flaws" in result) throw new Error(JSON.stringify(result.flaws));
  return result.evaluated;
}

describe("the published queries", () => {
  it("are of a model that the reader takes", () => expect(read.flaws).toBeUndefined());

  it.each(CASES)("are sent on as they were meant, with what they reach: $name", ({ query, total }) => {
    const whole = compiled(definitions);
    const raw = JSON.parse(JSON.stringify({ ...query, total: total !== undefined })) as Record<string, unknown>;
    const asked = { raw, model: { definitions, meta: whole.meta }, now: new Date("2026-11-22T12:00:00Z") };
    for (const dialect of DIALECTS) {
      const statement = planSemantic({ ...asked, dialect });
      const sent = statement.queries[0]!.query;
      expect({ ...sent, limit: query.limit ?? QUERY.limit, order: [] }).toEqual({
        ...QUERY,
        ...query,
        timeDimensions: (query.timeDimensions ?? []).map(({ dateRange, ...time }) => ({
          ...time,
          ...(dateRange && { dateRange: [`${dateRange[0]}T00:00:00.000`, `${dateRange[1]}T23:59:59.999`] }),
        })),
        order: [],
      });
      if (query.order)
        expect(sent.order).toEqual(query.order.map(([id, direction]) => ({ id, desc: direction === "desc" })));
      expect(compileQuery(compiled(statement.model).compilers, dialect, structuredClone(sent))).toEqual(
        compileQuery(whole.compilers, dialect, structuredClone(sent)),
      );
    }
  });
});
