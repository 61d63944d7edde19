// Hints of what to write instead: each is an expression that runs, and stands only where it is true.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPRESSIONS, replacementHint } from "../../../containers/engine/duckdb/foreign-functions.ts";
import { hintOf } from "../../../containers/engine/duckdb/error-hints.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

let lake: TestLake;
beforeAll(async () => {
  lake = await TestLake.open();
  const path = await lake.write("t.parquet", "SELECT 1::BIGINT AS id, 'one' AS name", "id: 1, name: 2");
  lake.platform.addTable("shop", "t", [column(1, "id", "int64"), column(2, "name", "varchar")], [{ path }]);
});
afterAll(() => lake.close());

/** A row in which each name that the expressions use has a value. */
const ROW = `(SELECT 1 AS a, 2 AS b, '2024-05-01' AS t, TIMESTAMP '2024-05-01' AS d)`;
const TEXTS: Record<string, string> = {
  "CAST(t AS DECIMAL(18, 2))": "'1.5'",
  "CAST(t AS JSON)": `'{"x": 1}'`,
  "json_extract_string(t, '$.x')": `'{"x": 1}'`,
};

describe("the replacement of another database's function", () => {
  it.each(EXPRESSIONS)("%s runs", async (expression) => {
    const from = TEXTS[expression] === undefined ? ROW : ROW.replace("'2024-05-01' AS t", `${TEXTS[expression]} AS t`);
    expect(await lake.rows(`SELECT ${expression} AS x FROM ${from}`)).not.toHaveLength(0);
  });

  it("stands in the failure of a function that is not here, and in none of an unknown one", async () => {
    expect((await lake.failure("SELECT NVL(id, 0) FROM LAKE.shop.t")).message).toMatch(/Write coalesce\(a, b\)\.$/);
    expect((await lake.failure("SELECT nonsense(id) FROM LAKE.shop.t")).message).toMatch(/can't be used here\.$/);
    expect((await lake.failure("SELECT date_sub(DATE '2024-01-01', INTERVAL 1 DAY)")).message).toContain("- INTERVAL");
    expect(replacementHint("constructor")).toBe("");
  });
});

describe("a hint", () => {
  it.each([
    ["SELECT name FROM LAKE.shop.t WHERE count(*) > 1 GROUP BY 1", "HAVING"],
    ["SELECT name FROM LAKE.shop.t WHERE row_number() OVER () = 1", "QUALIFY"],
    ["SELECT * FROM LAKE.shop.t WHERE id LIKE '1%'", "CAST(a AS VARCHAR)"],
    ["SELECT avg(name) FROM LAKE.shop.t", "CAST(t AS DECIMAL(18, 2))"],
    ["SELECT date_trunc(DATE '2024-01-01', QUARTER) FROM LAKE.shop.t", "date_trunc('quarter', d)"],
    ["SELECT TOP (3) * FROM LAKE.shop.t", "LIMIT 3"],
    ["SELECT `name` FROM LAKE.shop.t", '"name"'],
    ["SELECT [name] FROM [shop].[t]", 'not by brackets: "name"'],
    ["SELECT SAFE_CAST(name AS BIGINT) FROM LAKE.shop.t", "TRY_CAST("],
  ])("says how to mend %s", async (sql, mended) => {
    expect((await lake.failure(sql)).message).toContain(mended);
  });

  it("is not given where the words of a failure are others", () => {
    for (const words of ["", "Binder Error: something", "Conversion Error: WHERE clause cannot contain aggregates"])
      expect(hintOf(words, '"')).toBe("");
  });

  it("takes time in proportion to the words", () => {
    const long = `Binder Error: No function matches the given name and argument types '${"f(".repeat(50_000)}`;
    const startedAtMs = performance.now();
    hintOf(long, undefined);
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });
});
