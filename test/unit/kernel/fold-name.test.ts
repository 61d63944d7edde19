import { expect, it } from "vitest";
import { foldName, foldText } from "../../../kernel/text/fold-name.ts";

it("takes two names for one where ASCII letters alone differ by their case, as DuckDB and SQLite do", () => {
  expect(foldName("Orders_É")).toBe(foldName("ORDERS_É"));
  expect(foldName("É")).not.toBe(foldName("é"));
  // Kelvin's sign, which `toLowerCase` makes a k.
  expect(foldName("\u212A")).not.toBe(foldName("k"));
});

it("folds a text to one case of any script, however it is composed, and once for all", () => {
  for (const [one, other] of [
    ["É", "e\u0301"],
    ["ΟΔΟΣ", "οδοσ"],
    ["Straße", "STRASSE"],
    ["İstanbul", "istanbul"],
    ["Diyarbakır", "DIYARBAKIR"],
    ["\u212A", "k"],
  ] as const)
    expect(foldText(one)).toBe(foldText(other));
  expect(foldText("é")).not.toBe(foldText("e"));
  for (const text of ["ΟΔΟΣ", "İ", "ẞ", "ǅ", "ﬁ", "ŉ", "A\u030a", "i\u0307\u0301"])
    expect(foldText(foldText(text))).toBe(foldText(text));
});
