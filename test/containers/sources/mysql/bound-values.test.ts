// Values that are bound to a statement, as the server is sent them.

import { expect, it } from "vitest";
import { prepareWithValues } from "../../../../containers/engine/sources/mysql/rows/bound-values.ts";

it("sends a value once, however often it is bound", async () => {
  const sent: string[] = [];
  const fetchRows = async (sql: string): Promise<never[]> => {
    sent.push(sql);
    return [];
  };
  const statement = await prepareWithValues("SELECT ?, ?, ?, ?, ?", ["1", 1, "1", true, null], fetchRows);
  expect(statement).toBe("EXECUTE fjord_statement USING @fjord_1, @fjord_2, @fjord_1, @fjord_3, @fjord_4");
  const [assignments = ""] = sent;
  expect(assignments.split(", ").slice(0, 4)).toEqual([
    "SET @fjord_1 = CONVERT(x'31' USING utf8mb4)",
    "@fjord_2 = 1",
    "@fjord_3 = true",
    "@fjord_4 = null",
  ]);
});
