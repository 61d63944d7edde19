// The gate before BigQuery: what is sent at all, and what is made of BigQuery's word on what it was sent.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { checkDryRun } from "../../../../containers/engine/sources/bigquery/gate/check-dry-run.ts";
import { checkBigqueryStatement } from "../../../../containers/engine/sources/bigquery/gate/check-statement.ts";
import { FORBIDDEN_WORDS } from "../../../../containers/engine/sources/bigquery/gate/forbidden.ts";
import { READING_STATEMENTS, REFUSED_STATEMENTS } from "../../../support/node/sources/bigquery/statements.ts";

const isRefused = (sql: string, parameters?: number): boolean => {
  try {
    checkBigqueryStatement(sql, parameters);
    return false;
  } catch (error) {
    if (error instanceof Failure && error.code === "statement_refused") return true;
    throw error;
  }
};

describe("the gate before BigQuery", () => {
  it.each(READING_STATEMENTS)("lets %j through", (sql) => {
    expect(checkBigqueryStatement(sql).sql).toBe(sql.replace(/(;\s*)+$/, ""));
  });

  it.each(REFUSED_STATEMENTS)("refuses %j", (sql) => {
    expect(isRefused(sql)).toBe(true);
  });

  it("counts parameters as values are bound, and finds none in quotes", () => {
    expect(isRefused("SELECT ?, '?', `?` -- ?", 1)).toBe(false);
    expect(isRefused("SELECT ?, '?'", 2)).toBe(true);
    expect(isRefused("SELECT 1", 1)).toBe(true);
  });

  it("says where", () => {
    expect(() => checkBigqueryStatement("SELECT '😀', 1 DELETE")).toThrow(
      expect.objectContaining({ position: 15, message: expect.stringContaining("backticks") as string }),
    );
  });

  it("refuses each word of doing wherever it stands outside quotes, and in none of them", () => {
    const places = READING_STATEMENTS.filter((sql) => !/[|;#]|--/.test(sql));
    const word = fc.constantFrom(...Object.keys(FORBIDDEN_WORDS)).chain((each) => fc.mixedCase(fc.constant(each)));
    fc.assert(
      fc.property(fc.constantFrom(...places), word, (sql, each) => {
        expect(isRefused(`${sql} ${each} x`)).toBe(true);
        expect(isRefused(sql.replace("SELECT", `SELECT\t${each},`))).toBe(true);
        expect(isRefused(`${sql} /* ; ${each} x */ -- ${each}`)).toBe(false);
        expect(isRefused(sql.replace("SELECT", `SELECT '; ${each}', \`${each}\`, t.${each},`))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("takes any text for one string where its quotes and backslashes are escaped, and for more where they are not", () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '"', "\\", "`", ";", "-", "/", "*", "#", "a", " ", "é", "DROP"),
    });
    fc.assert(
      fc.property(text, fc.constantFrom("'", '"'), (value, quote) => {
        const escaped = value.replace(/[\\'"]/g, String.raw`\$&`);
        const triple = quote.repeat(3);
        expect(isRefused(`SELECT ${quote}${escaped}${quote}`)).toBe(false);
        expect(isRefused(`SELECT ${triple}${escaped}\n${triple}, b${quote}${escaped}${quote}`)).toBe(false);
        expect(isRefused(`SELECT ${quote}${escaped}${quote}; DROP TABLE t`)).toBe(true);
        expect(isRefused(`SELECT ${triple}${escaped}${triple} DROP`)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads a long statement in time that grows with its length", () => {
    const startedAt = performance.now();
    expect(isRefused(`SELECT ${"-- a\n1 + ".repeat(100_000)}1`)).toBe(false);
    expect(isRefused(`SELECT ${"a.".repeat(200_000)}b${", '\\'' /* */".repeat(50_000)}`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe("BigQuery's plan of a statement", () => {
  const table = { projectId: "shop-analytics", datasetId: "shop", tableId: "orders" };
  const good = { statementType: "SELECT", referencedTables: [table] };
  const planOf = (query: unknown, more: object = {}) => checkDryRun({ ...more, query }, "1000");
  const codeOf = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return (error as Failure).code;
    }
  };

  it("is one of a SELECT, with the tables that it reads", () => {
    expect(planOf(good)).toEqual({ tables: [table], readsGraphs: false });
    expect(planOf({ statementType: "SELECT" })).toEqual({ tables: undefined, readsGraphs: false });
  });

  it.each([
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "TRUNCATE_TABLE",
    "CREATE_TABLE",
    "CREATE_TABLE_AS_SELECT",
    "DROP_TABLE",
    "SCRIPT",
    "CALL",
    "EXPORT_DATA",
    "LOAD_DATA",
    "ASSERT",
    "BEGIN_TRANSACTION",
    "STATEMENT_TYPE_UNSPECIFIED",
    "select",
    "",
  ])("is refused as %j", (statementType) => {
    expect(codeOf(() => planOf({ ...good, statementType }))).toBe("statement_refused");
  });

  it.each([
    ["nothing", undefined],
    ["no kind of statement", { referencedTables: [table] }],
    ["a kind that is no text", { ...good, statementType: 1 }],
    ["tables that are none", { ...good, referencedTables: "shop.orders" }],
    ["a table without a dataset", { ...good, referencedTables: [{ projectId: "p", tableId: "t" }] }],
    ["a routine", { ...good, referencedRoutines: [{ projectId: "p", datasetId: "d", routineId: "r" }] }],
    ["another service", { ...good, externalServiceCosts: [{ externalService: "VERTEX_AI" }] }],
    ["an object that was made", { ...good, ddlOperationPerformed: "CREATE" }],
    ["rows that were changed", { ...good, dmlStats: { deletedRowCount: "1" } }],
  ])("is refused with %s", (_, query) => {
    expect(codeOf(() => planOf(query))).toBe("statement_refused");
  });

  it("is refused beyond the bytes that may be billed, in words that say what to do", () => {
    expect(codeOf(() => planOf(good, { totalBytesProcessed: "1000" }))).toMatchObject({ tables: [table] });
    expect(codeOf(() => planOf(good, { totalBytesProcessed: "1001" }))).toBe("sql_error");
    expect(() => planOf(good, { totalBytesProcessed: "1001" })).toThrow(/1001 bytes.*maximum_bytes_billed/);
    expect(codeOf(() => planOf(good, { totalBytesProcessed: "-5" }))).toBe("statement_refused");
    expect(checkDryRun({ query: good, totalBytesProcessed: "99999999999" }, undefined).tables).toEqual([table]);
  });
});
