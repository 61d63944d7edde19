import { expect, it } from "vitest";
import { foldName } from "../../../src/core/fold-name.ts";

it("takes two names for one where ASCII letters alone differ by their case, as DuckDB and SQLite do", () => {
  expect(foldName("Orders_É")).toBe(foldName("ORDERS_É"));
  expect(foldName("É")).not.toBe(foldName("é"));
  // Kelvin's sign, which `toLowerCase` makes a k.
  expect(foldName("\u212A")).not.toBe(foldName("k"));
});
