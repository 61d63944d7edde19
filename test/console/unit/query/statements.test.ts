import { describe, expect, it } from "vitest";
import {
  isWrappable,
  offsetOf,
  parameterNames,
  statementAt,
  statementsOf,
} from "../../../../src/console/screens/query/text/statements.ts";

describe("statementsOf", () => {
  it("ends a statement at a semicolon, but not at one in quotes, comments or dollar quotes", () => {
    const text = "select ';' as a; -- no; end\nselect $$;$$, \"x;y\" /* ; */;\n";
    expect(statementsOf(text).map((one) => one.text)).toEqual(["select ';' as a", 'select $$;$$, "x;y"']);
  });

  it("takes the statement in which the cursor is", () => {
    const text = "select 1;\n\nselect 2;\nselect 3";
    expect(statementAt(text, 0)?.text).toBe("select 1");
    expect(statementAt(text, 13)?.text).toBe("select 2");
    expect(statementAt(text, text.length)?.text).toBe("select 3");
    expect(statementAt("  ", 1)).toBeUndefined();
  });
});

describe("parameterNames", () => {
  it("finds each name once, and none within quotes or comments", () => {
    expect(parameterNames("select $a, '$b', $c -- $d\n where x = $a and y = $1 and \"$e\" = 1")).toEqual(["a", "c"]);
  });
});

describe("offsetOf", () => {
  it("counts characters, not units of UTF-16", () => {
    const text = "select '😀😀',\n  nope";
    expect(text.slice(offsetOf(text, { line: 2, column: 3 }))).toBe("nope");
    expect(text.slice(offsetOf(text, { line: 1, column: 12 }))).toBe(",\n  nope");
  });
});

it("wraps only statements that answer rows", () => {
  expect(isWrappable("-- c\n with x as (select 1) from x")).toBe(true);
  expect(isWrappable("(select 1)")).toBe(true);
  expect(isWrappable("insert into a select 1")).toBe(false);
});
