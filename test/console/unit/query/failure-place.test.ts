import { describe, expect, it } from "vitest";
import { FjordProblem } from "../../../../src/console/api/problem.ts";
import { placeOf, repairsOf } from "../../../../src/console/screens/query/text/failure-place.ts";

const sql = "select order_idd\nfrom t";
const problem = new FjordProblem(400, { message: "no", error: { line: 1, column: 8 } });
const run = { problem, question: { sql, integrationId: null, values: {} }, sent: sql, offset: 10 };

describe("placeOf", () => {
  it("finds the word in the tab's text, behind what stands before the statement", () => {
    const text = `select 1;\n${sql}`;
    const place = placeOf(run, text)!;
    expect(text.slice(place.from, place.to)).toBe("order_idd");
  });

  it("marks nothing where the text has changed, or another statement was sent", () => {
    expect(placeOf(run, `select 1;\n${sql.replace("idd", "id")}`)).toBeUndefined();
    expect(placeOf({ ...run, sent: `SELECT * FROM (${sql})` }, `select 1;\n${sql}`)).toBeUndefined();
  });
});

describe("repairsOf", () => {
  it("proposes the names that DuckDB and the lake propose", () => {
    const columns =
      'Referenced column "order_idd" not found!\nCandidate bindings: "order_id", "ordered_at" (at character 8)';
    expect(repairsOf(columns, "order_idd").map(({ text }) => text)).toEqual(["order_id", "ordered_at"]);
    const tables = "The table does not exist. Did you mean LAKE.sample.orders or LAKE.shop.orders? (at character 15)";
    expect(repairsOf(tables, "LAKE.sample.orderz").map(({ text }) => text)).toEqual([
      "LAKE.sample.orders",
      "LAKE.shop.orders",
    ]);
    expect(repairsOf("Syntax error", "x")).toEqual([]);
  });
});
