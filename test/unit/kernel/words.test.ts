// Words and their stems, by which a catalog is searched and names are suggested.

import { describe, expect, it } from "vitest";
import { stemOf, wordsOf } from "../../../kernel/text/words.ts";

describe("wordsOf", () => {
  it("cuts where a capital or a sign begins another word", () => {
    expect(wordsOf("claimOpenDate")).toEqual(["claim", "open", "date"]);
    expect(wordsOf("HTTPStatus_code-2")).toEqual(["http", "status", "code", "2"]);
    expect(wordsOf("Größe der Aufträge")).toEqual(["grösse", "der", "aufträge"]);
    expect(wordsOf("?!")).toEqual([]);
  });
});

describe("stemOf", () => {
  it("is one for the forms of a word", () => {
    const forms = [
      "policy policies",
      "claim claims claimed claiming",
      "settle settles settled settlement settling",
      "deliver delivery deliveries delivered",
      "expire expires expired expiration",
      "cancel cancelled cancellation",
      "deploy deployment deployments deployed",
      "employ employee employees employment",
    ];
    for (const line of forms) {
      const stems = new Set(line.split(" ").map(stemOf));
      expect([line, stems.size]).toEqual([line, 1]);
    }
  });

  it("leaves short words, and words that only look like another's form", () => {
    for (const word of ["bus", "status", "ring", "red", "order"]) expect(stemOf(word)).toBe(word);
    expect(stemOf("orders")).not.toBe(stemOf("ordinal"));
  });
});
