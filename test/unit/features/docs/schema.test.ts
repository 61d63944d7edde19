// The grammar as JSON Schema, which is for editors, beside what judges a doc when it is saved: both say the same.

import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isProblem } from "../../../../src/core/problem.ts";
import { parseDefinition } from "../../../../src/features/docs/definition/parse.ts";
import { getDocSchema } from "../../../../src/features/docs/definition/schema-routes.ts";
import { BEYOND_SCHEMA, SOUND } from "../../../support/unit/docs/beyond-schema.ts";
import { arbitraryDoc } from "../../../support/unit/docs/doc-arbitrary.ts";
import { EXAMPLES } from "../../../support/unit/docs/examples.ts";
import { changed, mutationOf } from "../../../support/unit/docs/mutations.ts";
import { call } from "../../../support/unit/http.ts";

const validator = new Validator(getDocSchema(), "2020-12", false);
const isValid = (doc: object): boolean => validator.validate(doc).valid;

type Finding = { pointer: string; message: string };

/** Warnings of members and words that the grammar does not have; all others are of docs that are in it. */
const OUTSIDE = /^Nothing here (knows|draws) /;

/** What a doc is refused for, or is kept in spite of; nothing of a doc that is in the grammar. */
function findingsOf(doc: object): Finding[] {
  try {
    return parseDefinition(JSON.stringify(doc), "application/json").warnings.filter(({ message }) =>
      OUTSIDE.test(message),
    );
  } catch (error) {
    if (!isProblem(error)) throw error;
    return [...error.flaws];
  }
}

const isBeyond = ({ message }: Finding): boolean => BEYOND_SCHEMA.some(({ says }) => says.test(message));

/** The schema takes what the checker takes, and what it refuses beyond a schema's reach; it refuses all else. */
function expectAgreement(doc: object): void {
  const findings = findingsOf(doc);
  if (!isValid(doc)) expect(findings).not.toEqual([]);
  else expect(findings.filter((finding) => !isBeyond(finding))).toEqual([]);
}

describe("the schema of docs", () => {
  it("is public JSON Schema 2020-12", async () => {
    const { status, body, headers } = await call("GET", "/schemas/doc-2025-01.json", {});
    expect([status, body.$schema]).toEqual([200, "https://json-schema.org/draft/2020-12/schema"]);
    expect(headers.get("cache-control")).toContain("public");
    expect(body).toEqual(getDocSchema());
  });

  it.each(Object.entries(EXAMPLES))("holds the example %s valid", (_, doc) => {
    expect(validator.validate(doc).errors).toEqual([]);
  });

  it("takes every doc that is in the grammar", () => {
    fc.assert(
      fc.property(arbitraryDoc, (doc) => {
        expect(findingsOf(doc)).toEqual([]);
        expect(validator.validate(doc).errors).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("agrees with the checker of every doc in which one thing is another", () => {
    fc.assert(fc.property(arbitraryDoc.chain(mutationOf), expectAgreement), { numRuns: 600 });
  });

  it("agrees with the checker of the examples in which one thing is another", () => {
    const example = fc.constantFrom(...Object.values(EXAMPLES), SOUND);
    fc.assert(
      fc.property(
        example.chain((doc) => mutationOf(doc as typeof SOUND)),
        expectAgreement,
      ),
      { numRuns: 300 },
    );
  });

  it("takes the doc that the list of what it cannot say begins with", () => {
    expect([findingsOf(SOUND), isValid(SOUND)]).toEqual([[], true]);
  });

  it.each(BEYOND_SCHEMA.map((one) => [String(one.says), one] as const))(
    "takes what the checker refuses by %s",
    (_, { says, steps, value }) => {
      const doc = changed(SOUND, steps, value);
      expect(findingsOf(doc).map(({ message }) => message)).toContainEqual(expect.stringMatching(says));
      expectAgreement(doc);
      expect(isValid(doc)).toBe(true);
    },
  );
});
