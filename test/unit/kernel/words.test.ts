// Words and their stems, by which a catalog is searched and names are suggested.

import { describe, expect, it } from "vitest";
import { likeNames } from "../../../kernel/text/like-names.ts";
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

describe("likeNames", () => {
  const like = (wanted: string, names: string[]) => likeNames(wanted, names, (name) => [name]);

  it("puts what is misspelt before what shares words, and leaves out what shares none", () => {
    const names = ["company_claim_number", "claim_numbers", "policy_number", "opened_at"];
    expect(like("claim_number", names)).toEqual(["claim_numbers", "company_claim_number", "policy_number"]);
    expect(like("catastrophe", names)).toEqual([]);
    expect(like("", names)).toEqual([]);
  });

  it("knows other forms of a word, and abbreviations", () => {
    expect(like("policies", ["Policy", "Person"])).toEqual(["Policy"]);
    expect(like("avg_days", ["average_days", "total"])).toEqual(["average_days"]);
    expect(like("ClaimAmounts", ["Claim_Amount", "Policy_Amount"])[0]).toBe("Claim_Amount");
  });

  it("can be asked for misspellings alone", () => {
    expect(likeNames("loss_ratio", ["loss_rate", "loss_amount"], (name) => [name], { isSpelling: true })).toEqual([
      "loss_rate",
    ]);
  });

  it("takes no longer for a long name", () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `table_${i}`);
    expect(like("a".repeat(1_000_000), names)).toEqual([]);
  });
});
