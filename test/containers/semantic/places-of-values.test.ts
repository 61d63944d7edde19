// Where a value is bound in SQL, by Cube's compiler alone: a model that never met its reader has no such places.

import { expect, it } from "vitest";
import { Template } from "../../../containers/engine/semantic/compile/model/template.ts";

it.each([
  "x = $1",
  "x = ?",
  "x $2 y",
  "$$'$$ || $1 || $$'$$",
  "1 --' \n + $1 --'",
  "/* /* */ ' */ $1 /* ' */",
  "/*! ' */ $1 /* ' */",
  "-- it's\\r + $1 -- '",
  "E'\\\\' $1 '",
  "`$1`",
  "` $1 `",
])("refuses %s", (text) => {
  expect(() => new Template(text)).toThrow(/taken for a bound value|where Cube would put a value/);
});

it.each(["'$1 and ?'", '"$1?"', "'it''s $5' || x -- $1?\n", "'^\\\\d+$ ' /* ? */", "x > 1", "`name`.x = '?'"])(
  "takes %s",
  (text) => {
    expect(new Template(text)).toBeInstanceOf(Template);
  },
);
