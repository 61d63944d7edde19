// What a bound caller's statement names is found wherever it may stand, and is put there again without a change to the
// rest; decided on text alone.

import { describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { readBoundStatement } from "../../../../containers/engine/sources/postgres/access/bound-statement.ts";
import { rewriteStatement } from "../../../../containers/engine/sources/postgres/access/rewrite-statement.ts";
import { loadParser } from "../../../../containers/engine/sources/postgres/gate/check-statement.ts";
import { POSTGRES_RULES } from "../../../../containers/engine/sources/postgres/gate/gate-rules.ts";
import { EXPRESSIONS, TABLES } from "../../../support/node/sources/postgres-places.ts";

// Which places are tested is decided by it.
await loadParser();

/** The statement's references by name, or the code of its refusal. */
function namesIn(sql: string): string[] | string {
  try {
    return readBoundStatement({ sql }, POSTGRES_RULES).references.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

describe("a table", () => {
  it.each(TABLES)("is found in %s", (place) => {
    for (const name of ["shop.vault", "vault", '"vault"']) {
      const found = namesIn(place.replace("?", name));
      expect(found === "statement_refused" || found.includes("vault"), place).toBe(true);
    }
  });

  it.each(EXPRESSIONS)("is found beneath %s", (place) => {
    for (const expression of ["(SELECT s FROM hidden.vault)", "ARRAY(TABLE vault)"]) {
      const found = namesIn(place.replace("?", expression));
      expect(found === "statement_refused" || found.includes("vault"), place).toBe(true);
    }
  });

  it.each(TABLES.filter((place) => namesIn(place.replace("?", "vault")) !== "statement_refused"))(
    "is replaced in %s",
    (place) => {
      for (const written of ["shop.vault", "vault", "/* Ø */ VAULT"]) {
        const sql = place.replace("?", written);
        const { references } = readBoundStatement({ sql }, POSTGRES_RULES);
        const named = references.map(({ name }) => ({ schema: "shop", name }));
        expect(rewriteStatement({ sql }, named, POSTGRES_RULES).sql).toContain('"shop"."vault"');
        const view = `(SELECT "a" FROM "shop"."vault" WHERE "a" = 'Ø' OFFSET '0')`;
        expect(
          rewriteStatement(
            { sql },
            named.map((each) => ({ ...each, view })),
            POSTGRES_RULES,
          ).sql,
        ).toContain(view);
      }
    },
  );
});

describe("what is refused for its kind is named as the statement writes it", () => {
  it.each([
    ["SELECT * FROM t TABLESAMPLE system (1)", "TABLESAMPLE"],
    ["SELECT xmlelement(name a, 1)", "XMLELEMENT"],
    ["SELECT xmlserialize(content '<a/>' AS text)", "XMLSERIALIZE"],
    ["SELECT * FROM xmltable('/a' PASSING '<a/>' COLUMNS b text)", "XMLTABLE"],
    ["SELECT '{}' IS JSON", "IS JSON"],
    ["SELECT json_object('a': 1), json_array(1)", "JSON_"],
    ["SELECT json_arrayagg(a), json_objectagg('a': 1) FROM t", "JSON_"],
    ["SELECT json_value('{}', '$'), json_scalar(1)", "JSON_"],
    ["SELECT json_array(SELECT 1)", "JSON_ARRAY"],
    ["SELECT json('{}'), json_serialize('{}')", "JSON"],
    ["SELECT * FROM json_table('{}', '$' COLUMNS (a int))", "JSON_TABLE"],
  ])("%s", (sql, words) => {
    expect(() => readBoundStatement({ sql }, POSTGRES_RULES)).toThrow(
      expect.objectContaining({
        code: "statement_refused",
        message: expect.stringMatching(`^${words}.*not allowed to`),
      }),
    );
  });

  it("and no message has a word of the parser's own", () => {
    const messages = [
      ...TABLES.map((place) => place.replace("?", "t")),
      ...EXPRESSIONS.map((place) => place.replace("?", "1")),
    ]
      .map((sql) => {
        try {
          readBoundStatement({ sql }, POSTGRES_RULES);
          return "";
        } catch (error) {
          return (error as Failure).message;
        }
      })
      .filter((message) => message !== "");
    expect(
      messages.filter((message) => /\b[A-Z][a-z]+[A-Z]\w*|A construct/.test(message.replaceAll("PostgreSQL", ""))),
    ).toEqual([]);
  });
});

describe("what is not known to be harmless", () => {
  const isChecked = (sql: string) => {
    try {
      // Whether there is such a function the server says.
      return readBoundStatement({ sql }, POSTGRES_RULES).notations.some(({ name }) => name === "regclass");
    } catch (error) {
      return error instanceof Failure && error.code === "statement_refused";
    }
  };
  it.each([
    "shop.reads(1)",
    "reads(1)",
    "'x'::regclass",
    "'x'::shop.orders",
    "('x'::text).regclass",
    "pg_relation_size(1)",
    "(1 OPERATOR(shop.+) 2)",
    "current_user",
  ])("%s is refused wherever it stands", (expression) => {
    expect(EXPRESSIONS.filter((place) => !isChecked(place.replace("?", expression)))).toEqual([]);
  });
});
