import { describe, expect, it } from "vitest";
import { bindParameters } from "../../../../containers/engine/parameters/bind-parameters.ts";
import { LANGUAGES } from "../../../../containers/engine/parameters/languages.ts";
import { namedPlaces, type Language } from "../../../../containers/engine/parameters/named-places.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { parametersOf } from "../../../support/node/sources/conformance/asking.ts";

const namesIn = (sql: string, language: Language): string[] => namedPlaces(sql, language).map(({ name }) => name);

describe("the places of parameters", () => {
  it.each(Object.keys(LANGUAGES) as Language[])("are outside of quotes, comments and words, in %s", (language) => {
    const sql = "SELECT $a,($b)+$c-$d, x$e, '$f', 'it''s $g' /* $h */ -- $i\n, $j";
    expect(namesIn(sql, language)).toEqual(["a", "b", "c", "d", "j"]);
    expect(namesIn("SELECT $1, $ a, 1$b", language).filter((name) => name !== "b")).toEqual([]);
  });

  it("are outside of what one language alone quotes", () => {
    expect(namesIn("SELECT $tag$ $a $tag$, $$ $b $$, E'\\' $c', $d /* /* */ $e */", "postgres")).toEqual(["d"]);
    expect(namesIn('SELECT $tag$ $a $tag$, "$b", $c', "lake")).toEqual(["c"]);
    expect(namesIn("SELECT `$a`, '\\' $b', \"$c\", $d # $e", "mysql")).toEqual(["d"]);
    expect(namesIn("SELECT [$a], N'$b', $c /* /* */ $d */", "sqlserver")).toEqual(["c"]);
    expect(namesIn("SELECT '''it's $a''', r'\\' $b', `$c`, $d", "bigquery")).toEqual(["d"]);
    expect(namesIn('SELECT $$ $a $$, "$b", $c // $d', "snowflake")).toEqual(["c"]);
  });
});

describe("bindParameters", () => {
  const raw = { day: { type: "date", value: "2026-01-31" }, ids: [1, 2], name: "x", is: true };
  const sent = "SELECT * FROM t WHERE d = $day AND id IN ($ids) AND n = $name AND $is";
  const textOf = (language: Language): string => bindParameters(sent, parametersOf(raw), language).sql;

  it("casts a value only where its type has to be said", () => {
    expect(textOf("postgres")).toBe(
      "SELECT * FROM t WHERE d = CAST($1 AS date) AND id IN (CAST($2 AS bigint), CAST($3 AS bigint)) AND n = $4 AND CAST($5 AS boolean)",
    );
    expect(textOf("mysql")).toBe("SELECT * FROM t WHERE d = CAST(? AS DATE) AND id IN (?, ?) AND n = ? AND ?");
    expect(textOf("sqlserver")).toBe(
      "SELECT * FROM t WHERE d = CAST(@p1 AS date) AND id IN (@p2, @p3) AND n = @p4 AND @p5",
    );
  });

  it("leaves an error's position where it is in the text as it was sent", () => {
    const bound = bindParameters(
      "SELECT '\u{1f600}', $day, $ids, nothing",
      parametersOf({ day: raw.day, ids: raw.ids }),
      "lake",
    );
    const sentAt = (word: string): number | undefined => {
      const position = [...bound.sql.slice(0, bound.sql.indexOf(word))].length + 1;
      return (bound.rewriteError(new Failure("sql_error", "", { position })) as Failure).position;
    };
    expect([sentAt("SELECT"), sentAt("CAST($1"), sentAt("DATE"), sentAt("CAST($3"), sentAt("nothing")]).toEqual([
      1, 13, 13, 19, 25,
    ]);
    expect(bound.rewriteError("other")).toBe("other");
  });

  it("names every parameter that is missing, and every one that is superfluous", () => {
    expect(() => bindParameters("SELECT $a, $b, $a", parametersOf({ c: 1, toString: 1 }), "lake")).toThrow(
      "The statement has no value for $a, $b: send it in parameters. The statement does not name $c, $toString, which " +
        "parameters has.",
    );
    expect(() => bindParameters("SELECT $constructor", {}, "lake")).toThrow("no value for $constructor");
  });

  it.each(Object.keys(LANGUAGES) as Language[])("reads a name to its last letter, in %s", (language) => {
    expect(() => bindParameters("SELECT $na\u00efve", parametersOf({ na: 1 }), language)).toThrow(
      "no value for $na\u00efve: send it in parameters. The statement does not name $na,",
    );
  });

  it("refuses a place by its number, which would take the value of a name", () => {
    const refusal = (sql: string, language: Language) => () => bindParameters(sql, parametersOf({ b: 1 }), language);
    for (const language of ["lake", "postgres", "redshift"] as const)
      expect(refusal("SELECT '$1', $b, $1", language)).toThrow(
        "Parameters have names ($name) and no numbers: the statement has $1.",
      );
    expect(refusal("SELECT $1, $b, @P1", "sqlserver")).toThrow("the statement has @P1.");
    // An amount of money, a column.
    expect(bindParameters("SELECT $1, $b", parametersOf({ b: 1 }), "sqlserver").sql).toBe("SELECT $1, @p1");
    expect(bindParameters("SELECT $1, $b", parametersOf({ b: 1 }), "snowflake").sql).toBe("SELECT $1, ?");
  });

  it("names the parameters whose texts an error of the database quotes, and no others", () => {
    const raw = { word: "a word", list: ["x", "other"], number: 12, short: "x" };
    const { rewriteError } = bindParameters("SELECT $word, $list, $number, $short", parametersOf(raw), "postgres");
    const messageOf = (message: string, code: "sql_error" | "busy" = "sql_error") =>
      (rewriteError(new Failure(code, message)) as Failure).message;
    expect(messageOf('no number: "other"')).toBe('no number: "other" (The value of $list.)');
    expect(messageOf("'a word' and 'other'")).toBe("'a word' and 'other' (The value of $word, $list.)");
    expect(messageOf("Bad int64 value: a word (invalidQuery)")).toContain("(The value of $word.)");
    expect(messageOf("a word 'x' '12' another")).toBe("a word 'x' '12' another");
    expect(messageOf("'a word'", "busy")).toBe("'a word'");
  });
});
