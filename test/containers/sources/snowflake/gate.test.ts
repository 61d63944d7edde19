// The gate before Snowflake: what it refuses and lets through, by a corpus and by what is put together at random.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { checkSnowflakeStatement } from "../../../../containers/engine/sources/snowflake/gate/check-statement.ts";
import { FORBIDDEN_WORDS } from "../../../../containers/engine/sources/snowflake/gate/forbidden.ts";
import { FUNCTIONS, TABLE_FUNCTIONS } from "../../../../containers/engine/sources/snowflake/gate/functions.ts";
import { tokenize } from "../../../../containers/engine/sources/snowflake/gate/lexer.ts";
import {
  GOOD_STATEMENTS,
  REFUSED_STATEMENTS,
  STATEMENTS_DATABASE,
} from "../../../support/node/sources/snowflake/statements.ts";

const check = (sql: string, parameters = 0) => checkSnowflakeStatement(sql, STATEMENTS_DATABASE, parameters);

/** Whether the gate refuses a statement; other errors than its refusals fail the test. */
function isRefused(sql: string): boolean {
  try {
    check(sql);
    return false;
  } catch (error) {
    if (error instanceof Failure && error.code === "statement_refused") return true;
    throw error;
  }
}

describe("the gate before Snowflake", () => {
  for (const [what, statements] of Object.entries(REFUSED_STATEMENTS))
    it(`refuses ${what}`, () => {
      expect(statements.filter((sql) => !isRefused(sql))).toEqual([]);
    });

  it("lets statements through that only read", () => {
    expect(GOOD_STATEMENTS.length).toBeGreaterThanOrEqual(30);
    const messages = GOOD_STATEMENTS.flatMap((sql) => {
      try {
        check(sql);
        return [];
      } catch (error) {
        return [`${sql}: ${(error as Error).message}`];
      }
    });
    expect(messages).toEqual([]);
  });

  it("refuses each word of doing wherever it stands without quotes, and none in quotes", () => {
    const words = Object.keys(FORBIDDEN_WORDS);
    const places = ["SELECT ?", "SELECT a ? FROM t", "SELECT a FROM t WHERE ? = 1", "WITH a AS (? 1) SELECT 1"];
    const filled = (quote: string) =>
      places.flatMap((place) => words.map((word) => place.replace("?", `${quote}${word}${quote}`)));
    expect(filled("").filter((sql) => !isRefused(sql))).toEqual([]);
    expect(filled('"').filter((sql) => isRefused(sql) && !sql.includes('"NEXTVAL"'))).toEqual([]);
  });

  it("knows no function that reaches further than its arguments", () => {
    const reaching = /^(SYSTEM\$|AI_|CORTEX)|QUERY|STAGE|FILE|URL$|HISTORY|DDL|RESULT|VARIABLE|SCHEMA_|NEXTVAL|MODEL/;
    const known = [...FUNCTIONS, ...TABLE_FUNCTIONS].filter((name) => reaching.test(name));
    expect(known).toEqual(["PARSE_URL"]);
  });

  it("sends no comment, and every other character where it was", () => {
    const sql = "SELECT /* a\nb */ 1 -- c; d\n, 'x -- y' // e";
    expect(check(`${sql}\n;`).sql).toBe("SELECT     \n     1        \n, 'x -- y'     \n");
    expect(check(sql).sql).toHaveLength(sql.length);
  });

  it("says where a statement is refused, in characters", () => {
    expect(() => check("SELECT '\u{1f600}', DROP")).toThrow(expect.objectContaining({ position: 13 }));
  });

  it("takes as many parameters as there are values", () => {
    expect(check("SELECT * FROM t WHERE a = ? AND b = '?' AND c = ?", 2).sql).toContain("a = ?");
    expect(() => check("SELECT ?", 2)).toThrow("1 parameters and 2 values");
  });

  it("does not stumble over statements that are long or deep", () => {
    expect(isRefused("x".repeat(1_000_001))).toBe(true);
    expect(isRefused(`SELECT ${"1+".repeat(150_000)}1`)).toBe(true);
    expect(check(`SELECT ${"(".repeat(20_000)}1${")".repeat(20_000)}`).tokens).toHaveLength(40_002);
    expect(check(`SELECT ${"lower(".repeat(20_000)}1${")".repeat(20_000)}`).tokens).toHaveLength(60_002);
  });
});

describe("Snowflake's words", () => {
  /** Parts, and what each is outside of all others: a statement of them has these tokens and no others. */
  const part = fc.oneof(
    fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((text) => text.replaceAll("\0", ""))
      .map((text) => ({
        sql: `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`,
        token: { kind: "string", text },
      })),
    fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .map((text) => text.replaceAll("\0", "x"))
      .map((text) => ({ sql: `"${text.replaceAll('"', '""')}"`, token: { kind: "name", text } })),
    fc
      .string({ maxLength: 12 })
      .filter((text) => !/[$\0]/.test(text))
      .map((text) => ({ sql: `$$${text}$$`, token: { kind: "string", text } })),
    fc.constantFrom("drop", "a_1", "x$y").map((sql) => ({ sql, token: { kind: "word", text: sql.toUpperCase() } })),
    fc.constantFrom("1", "1.5e3", ".5").map((sql) => ({ sql, token: { kind: "number", text: sql } })),
    fc.constantFrom("$1", "$12").map((sql) => ({ sql, token: { kind: "column", text: sql } })),
    fc.constantFrom("(", ")", ",", "=", ":", "|").map((sql) => ({ sql, token: { kind: "symbol", text: sql } })),
    fc.constantFrom("-- it's \" $$\n", "// ' \"\n", "/* ' \" $$ -- */").map((sql) => ({ sql, token: undefined })),
  );

  it("are the same whatever stands in quotes and comments beside them", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { tokens, text } = tokenize(parts.map(({ sql }) => sql).join(" "));
        expect(tokens.map(({ kind, text: written }) => ({ kind, text: written }))).toEqual(
          parts.flatMap(({ token }) => token ?? []),
        );
        // What is sent reads the same once more, and holds no comment.
        expect(tokenize(text).tokens).toEqual(tokens);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never hold a word of doing that the gate lets through", () => {
    const pieces = fc.constantFrom(
      ..."DROP|TABLE|SELECT|1|'|''|\"|\"\"|$$|--|//|/*|*/|\n|\\|;|(|)|.|,|a|@s|$x|->>|:| |  ".split("|"),
    );
    let passed = 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (all) => {
        const sql = `SELECT 1 ${all.join("")}`;
        if (isRefused(sql)) return;
        passed++;
        const sent = check(sql).sql;
        const bare = sent.replace(/'(?:''|\\.|[^'\\])*'|"(?:""|[^"])*"|\$\$.*?\$\$/gs, "Q");
        expect(bare).not.toMatch(/(?<![\w$])DROP(?![\w$])|;|@|->>|--|\/\/|\/\*/i);
      }),
      { numRuns: 5_000 },
    );
    expect(passed).toBeGreaterThan(100);
  });
});
