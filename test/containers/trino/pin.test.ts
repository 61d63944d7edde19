// The text of a query as a team's own Trino is sent it: each table at a snapshot, everything else as it was, and what
// could read anything else refused.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { applyEdits, originalPlace } from "../../../kernel/text/edits.ts";
import { tokensOf } from "../../../src/features/trino-sql/parse/lexer.ts";
import { parseSql } from "../../../src/features/trino-sql/parse/parse-statement.ts";
import type { Expression, Name } from "../../../src/features/trino-sql/parse/tree.ts";
import { isLiteral } from "../../../src/features/trino-sql/pin/values.ts";
import { pinQuery } from "../../../src/features/trino-sql/pin/pin-query.ts";
import { Refusal, type UserError } from "../../../src/features/trino-sql/refusal.ts";
import { ANALYST } from "../../support/node/engines/dialect/analyst.ts";
import { ARRAYS_AND_PATTERNS } from "../../support/node/engines/dialect/arrays-and-patterns.ts";
import { TPCH } from "../../support/node/engines/dialect/tpch.ts";

/** Every name is a table of the schema `shop`, but for those of other catalogs and schemas. */
function findTable(path: Name[]): LakeTableName {
  const [name, schema = "shop", catalog = "lake"] = path.map(({ text }) => text.toLowerCase()).reverse();
  if (catalog !== "lake" || !["shop", "other"].includes(schema))
    throw new Refusal("TABLE_NOT_FOUND", `There is no table ${name}.`, path[0]!.at);
  return { schema, name: name! };
}

function editsOf(text: string, values: Expression[] = []) {
  const statement = parseSql(text);
  if (statement.kind !== "query") throw new Error("This is no query.");
  return pinQuery(text, statement.query, { catalog: "ours", lakeCatalogs: ["lake"], findTable, values }).edits(
    () => "7",
  );
}

const pinned = (text: string, values?: Expression[]): string => applyEdits(text, editsOf(text, values))!;

function refusalOf(text: string): [UserError, number | undefined] {
  try {
    editsOf(text);
  } catch (error) {
    if (error instanceof Refusal) return [error.error, error.at];
    throw error;
  }
  throw new Error(`This is not refused: ${text}`);
}

const AT = `FOR VERSION AS OF BIGINT '7'`;
const T = `"ours"."shop"."t" ${AT}`;

describe("pinQuery", () => {
  it.each([
    ["SELECT * FROM t", `SELECT * FROM ${T}`],
    ["SELECT * FROM T AS x (a, b), lake.shop.t y", `SELECT * FROM ${T} AS x (a, b), ${T} y`],
    ['SELECT "t".a FROM "SHOP"."t"', `SELECT "t".a FROM ${T}`],
    ["TABLE t", `SELECT * FROM ${T}`],
    ["(TABLE t) UNION ALL TABLE shop.t", `(SELECT * FROM ${T}) UNION ALL SELECT * FROM ${T}`],
    ["SELECT (SELECT max(a) FROM t) x", `SELECT (SELECT max(a) FROM ${T}) x`],
    ["SELECT 1 WHERE EXISTS (SELECT 1 FROM t)", `SELECT 1 WHERE EXISTS (SELECT 1 FROM ${T})`],
    ["SELECT 1 WHERE 1 IN (SELECT a FROM t)", `SELECT 1 WHERE 1 IN (SELECT a FROM ${T})`],
    ["VALUES (SELECT a FROM t)", undefined],
    ["VALUES ((SELECT a FROM t))", `VALUES ((SELECT a FROM ${T}))`],
    ["SELECT 1 ORDER BY (SELECT a FROM t)", `SELECT 1 ORDER BY (SELECT a FROM ${T})`],
    ["SELECT 1 GROUP BY (SELECT a FROM t)", `SELECT 1 GROUP BY (SELECT a FROM ${T})`],
    ["SELECT 1 HAVING (SELECT true FROM t)", `SELECT 1 HAVING (SELECT true FROM ${T})`],
    ["SELECT 1 FROM t JOIN t b ON (SELECT true FROM t)", `SELECT 1 FROM ${T} JOIN ${T} b ON (SELECT true FROM ${T})`],
    ["SELECT 1 FROM UNNEST(ARRAY[(SELECT a FROM t)])", `SELECT 1 FROM UNNEST(ARRAY[(SELECT a FROM ${T})])`],
    [
      "SELECT sum(1) FILTER (WHERE (SELECT true FROM t)) OVER (PARTITION BY (SELECT a FROM t))",
      `SELECT sum(1) FILTER (WHERE (SELECT true FROM ${T})) OVER (PARTITION BY (SELECT a FROM ${T}))`,
    ],
    [
      "SELECT 'FROM t', \"from t\" /* FROM t */ FROM t -- FROM t",
      `SELECT 'FROM t', "from t" /* FROM t */ FROM ${T} -- FROM t`,
    ],
    ["SELECT * FROM shop /* a */ . -- b\n t", `SELECT * FROM ${T}`],
    ["SELECT lake.shop.t.a, t.* , lake.shop.t.* FROM t", `SELECT "ours".shop.t.a, t.* , "ours".shop.t.* FROM ${T}`],
    ["SELECT lake.x.t.a FROM t lake", `SELECT lake.x.t.a FROM ${T} lake`],
  ])("gives %s", (text, expected) => {
    if (expected === undefined) expect(() => pinned(text)).toThrow(Refusal);
    else expect(pinned(text)).toBe(expected);
  });

  it("leaves the names of CTEs as they are, where they are known", () => {
    expect(pinned("WITH t AS (SELECT * FROM t) SELECT * FROM T, shop.t")).toBe(
      `WITH t AS (SELECT * FROM ${T}) SELECT * FROM T, ${T}`,
    );
    expect(pinned("WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM b")).toBe(
      `WITH a AS (SELECT * FROM "ours"."shop"."b" ${AT}), b AS (SELECT * FROM a) SELECT * FROM b`,
    );
    // A CTE ends with its query.
    expect(pinned("SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t), t")).toBe(
      `SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t), ${T}`,
    );
    expect(pinned("WITH t AS (SELECT 1) SELECT (SELECT 1 FROM t WHERE EXISTS (TABLE t))")).toBe(
      "WITH t AS (SELECT 1) SELECT (SELECT 1 FROM t WHERE EXISTS (TABLE t))",
    );
  });

  it.each([
    `INTERVAL '1' "day, x.* FROM hive.secret.salaries AS x --"`,
    "INTERVAL '1' \"day FROM lake.main.masked UNION ALL SELECT secret, null\"",
    "INTERVAL '1' fortnight",
    'DATE "x"',
    "\"date\" '2024-01-01'",
    "INTERVAL '1' /* */ day --\n FROM other",
  ])("lets no value of a parameter bring text along that is no literal: %s", (value) => {
    const send = (): string => {
      const sent = parseSql(`EXECUTE x USING ${value}`);
      if (sent.kind !== "execute") throw new Error("This executes nothing.");
      return pinned("SELECT ? FROM t", sent.values);
    };
    expect(send).toThrow(Refusal);
  });

  it.each([
    "1; x",
    "1 --",
    "'a' || 'b'",
    "1 FROM x",
    "date '1' /* */",
    "INTERVAL '1' day x",
    "(-1) x",
    '"a"',
    "a.b",
    "",
  ])("knows that a text is no literal: %s", (text) => expect(isLiteral(text)).toBe(false));

  it("names no column that the cluster's tables have besides the lake's", () => {
    for (const text of [
      'SELECT t."$path" FROM t',
      'SELECT * FROM t ORDER BY "$file_modified_time"',
      'SELECT 1 FROM t JOIN t b USING ("$partition")',
    ])
      expect(refusalOf(text)[0], text).toBe("NOT_SUPPORTED");
  });

  it("puts the values of parameters into their places as literals", () => {
    const values = parseSql(`EXECUTE x USING 'it''s', -5, DATE '2024-01-01', INTEGER '3'`);
    if (values.kind !== "execute") throw new Error("This executes nothing.");
    expect(pinned("SELECT * FROM t WHERE a=?AND b=1-?AND d>? LIMIT ?", values.values)).toBe(
      `SELECT * FROM ${T} WHERE a= 'it''s' AND b=1- (-5) AND d> date '2024-01-01'  LIMIT  3 `,
    );
    expect(() => pinned("SELECT ?", [])).toThrow(Refusal);
    const query = parseSql("SELECT (SELECT 1)");
    const column = (query.kind === "query" && query.query.body.kind === "select" && query.query.body.items[0]) as {
      of: Expression;
    };
    expect(() => pinned("SELECT ?", [column.of])).toThrow(/literal/);
  });

  it.each<[string, UserError]>([
    ["SELECT * FROM other_catalog.shop.t", "TABLE_NOT_FOUND"],
    ["SELECT * FROM information_schema.tables", "TABLE_NOT_FOUND"],
    ["SELECT * FROM system.runtime.nodes", "TABLE_NOT_FOUND"],
    ['SELECT * FROM "t$files"', "NOT_SUPPORTED"],
    ["SELECT * FROM TABLE(sequence(1, 5))", "NOT_SUPPORTED"],
    ["SELECT * FROM t FOR VERSION AS OF 3", "NOT_SUPPORTED"],
    ["SELECT * FROM t TABLESAMPLE BERNOULLI (10)", "NOT_SUPPORTED"],
    ["SELECT current_user", "FUNCTION_NOT_FOUND"],
    ["SELECT current_groups()", "FUNCTION_NOT_FOUND"],
    ["SELECT my_function(1)", "FUNCTION_NOT_FOUND"],
    ["SELECT lake.shop.f(1)", "NOT_SUPPORTED"],
    ["WITH RECURSIVE t (n) AS (SELECT 1) SELECT * FROM t", "NOT_SUPPORTED"],
    ["SELECT U&'!0041' UESCAPE '!'", "SYNTAX_ERROR"],
    ["SELECT 1; SELECT 2", "SYNTAX_ERROR"],
    // Trino ends such a comment at a carriage return, too.
    ["SELECT 1 -- \r FROM system.runtime.nodes", "TABLE_NOT_FOUND"],
    ["SELECT 1 /* /* */ FROM system.runtime.nodes -- */", "TABLE_NOT_FOUND"],
  ])("refuses %j", (text, error) => {
    expect(refusalOf(text)[0]).toBe(error);
  });

  it("says where a function is that is not listed", () => {
    expect(refusalOf("SELECT 1,\n  evil(2)")).toEqual(["FUNCTION_NOT_FOUND", 12]);
  });
});

describe("every statement of the corpora", () => {
  const statements = [...ANALYST, ...TPCH, ...ARRAYS_AND_PATTERNS].filter((text) => {
    try {
      editsOf(text);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  });

  it("is taken, but for a few", () => {
    const all = [...ANALYST, ...TPCH, ...ARRAYS_AND_PATTERNS].length;
    expect(statements.length / all).toBeGreaterThan(0.95);
  });

  it("has outside the edits the tokens that it had, and at each table's place a snapshot", () => {
    for (const text of statements) {
      const edits = editsOf(text);
      const after = applyEdits(text, edits)!;
      const kept = tokensOf(text).filter(({ at }) => !edits.some((edit) => at >= edit.at && at < edit.end));
      let shift = 0;
      const inserted = edits.map(({ at, end, text: added }) => {
        const from = at + shift;
        shift += added.length - (end - at);
        return { from, to: from + added.length };
      });
      const rest = tokensOf(after).filter(({ at }) => !inserted.some(({ from, to }) => at >= from && at < to));
      expect(
        rest.map(({ text: word }) => word),
        text,
      ).toEqual(kept.map(({ text: word }) => word));
      for (const token of rest) expect(text.slice(originalPlace(edits, token.at))).toMatch(startOf(token.text));
      const tables = after.split(AT).length - 1;
      expect(tables, text).toBe(edits.filter((edit) => edit.text.includes(AT)).length);
    }
  });
});

const startOf = (word: string): RegExp =>
  new RegExp(`^["']?${word.slice(0, 1).replace(/[.*+?^${}()|[\]\\'"]/g, "\\$&")}`);

/** A query with tables in many places of it: each is named `real`, where a CTE of the name `hidden` is none. */
const { query } = fc.letrec<Record<"query" | "body" | "select" | "relation" | "value", string>>((tie) => {
  const joinOf = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
    fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(" "));
  const shallow = { depthSize: "small", withCrossShrink: true } as const;
  return {
    query: fc.oneof(
      shallow,
      tie("body"),
      joinOf("WITH hidden AS (", tie("query"), "), b (x) AS (", tie("query"), ")", tie("body")),
      joinOf(tie("body"), "ORDER BY", tie("value"), "LIMIT 5"),
    ),
    body: fc.oneof(
      shallow,
      fc.constant("TABLE real"),
      tie("select"),
      joinOf("(", tie("query"), ")"),
      joinOf(tie("body"), fc.constantFrom("UNION ALL", "INTERSECT", "EXCEPT"), tie("select")),
      joinOf("VALUES (", tie("value"), ", 1)"),
    ),
    select: fc.oneof(
      shallow,
      joinOf("SELECT", tie("value"), "FROM", tie("relation")),
      joinOf("SELECT DISTINCT a,", tie("value"), "AS c FROM", tie("relation"), "WHERE", tie("value"), "> 1"),
      joinOf("SELECT 1 FROM", tie("relation"), "GROUP BY ROLLUP (", tie("value"), ") HAVING", tie("value"), "= 2"),
    ),
    relation: fc.oneof(
      shallow,
      fc.constantFrom("real", "lake . shop . real AS r", 'REAL "FROM real"', 'shop/* real */."real" AS s (a, b)'),
      joinOf("(", tie("query"), ") AS q"),
      joinOf(tie("relation"), "LEFT JOIN", tie("relation"), "ON", tie("value"), "IS NULL"),
      joinOf(tie("relation"), "CROSS JOIN UNNEST (ARRAY[", tie("value"), "]) WITH ORDINALITY AS u (e, n)"),
    ),
    value: fc.oneof(
      shallow,
      fc.constantFrom("a", "'FROM real'", "real.a", "1.5e3"),
      joinOf("(", tie("select"), ")"),
      joinOf("CASE WHEN EXISTS (", tie("query"), ") THEN", tie("value"), "ELSE 0 END"),
      joinOf("coalesce(a,", tie("value"), ") || CAST (", tie("value"), "AS varchar)"),
      joinOf("(a NOT IN (", tie("select"), "))"),
      joinOf("sum(", tie("value"), ") FILTER (WHERE", tie("value"), ") OVER (PARTITION BY", tie("value"), ")"),
    ),
  };
});

it("pins every table, wherever a query has it", () => {
  const isTable = /(?<=\b(?:FROM|JOIN|TABLE) )(?:lake \. shop \. real|shop\/\* real \*\/\."real"|real)(?= |$)/gi;
  fc.assert(
    fc.property(query, (text) => {
      let tables = 0;
      const edits = editsOf(text);
      for (const { at, end } of edits) if (/real"?$/i.test(text.slice(at, end))) tables++;
      const expected =
        text
          .replace(/'[^']*'/g, "''")
          .replace(/"FROM real"/g, "q")
          .match(isTable)?.length ?? 0;
      expect(tables, text).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
