// Values that callers bind to the names in a statement: each is data, whatever it looks like.

import { describe, expect, it } from "vitest";
import type { Source } from "../../../../../../kernel/wire/source.ts";
import { bindParameters } from "../../../../../../containers/engine/parameters/bind-parameters.ts";
import { askBound, parametersOf } from "../asking.ts";
import { EDGED_TYPES, hostileTexts, MEANT, typedValues } from "./hostile-values.ts";
import type { SourceUnderTest, UnheldText } from "../source-under-test.ts";

/** With 700 values of types: 1,600 of each kind of source, 11,200 with the lake's. */
export const STATEMENTS_OF_TEXTS = 9;

const UNHELD: Record<UnheldText, string> = { NUL: "a\0b", "more than 65,535 bytes": "\u00e9".repeat(32_768) };

/** A text where a number has to be: MariaDB compares them, by the number that the text begins with. */
const ILL_TYPED: Record<Source["type"], unknown> = {
  postgres: expect.stringContaining("(The value of $other.)"),
  redshift: expect.stringContaining("(The value of $other.)"),
  mysql: [],
  sqlserver: expect.stringContaining("(The value of $other.)"),
  bigquery: expect.stringContaining("(The value of $other.)"),
  snowflake: expect.stringContaining("(The value of $other.)"),
};

/** Names `p0` … with a value each, and the statement that answers all of them. */
export function echoOf(type: string, values: readonly string[]): { sql: string; raw: Record<string, unknown> } {
  const names = values.map((_, i) => `p${i}`);
  return {
    sql: `SELECT ${names.map((name, i) => `$${name} AS c${i}`).join(", ")}`,
    raw: Object.fromEntries(names.map((name, i) => [name, { type, value: values[i] }])),
  };
}

export function describeHostileParameters(place: () => SourceUnderTest): void {
  describe("that look like something else", () => {
    /** The row that the source answers; a fake has got the values in their places, and the text without them. */
    const echo = async (type: string, values: readonly string[]): Promise<(string | null)[]> => {
      const { source, lastBound } = place();
      const { sql, raw } = echoOf(type, values);
      const { rows } = await askBound(source, sql, parametersOf(raw));
      const bound = bindParameters(sql, parametersOf(raw), source.type);
      expect(bound.sql).toMatch(/^SELECT [\w$@?(),. ]+$/);
      if (lastBound) expect(lastBound()).toEqual({ sql: bound.sql, values: bound.values.map(String) });
      return rows[0]!;
    };

    it("are data where they are texts", async () => {
      for (const texts of hostileTexts(STATEMENTS_OF_TEXTS)) expect(await echo("text", texts)).toEqual(texts);
    });

    it.each(EDGED_TYPES)("are what was sent where they are of the type %s", async (type) => {
      const values = typedValues(type);
      // MariaDB answers a zero without its sign.
      const meant = values.map((value) => MEANT[type](place().source.type === "mysql" && value === "-0" ? "0" : value));
      expect((await echo(type, values)).map((cell) => MEANT[type](cell!))).toEqual(meant);
    });

    it("are values of a list, of which none is another", async () => {
      const { source, table } = place();
      const [texts = []] = hostileTexts(1);
      const found = async (needle: string, hay: readonly (string | null)[]): Promise<number> => {
        const raw = { needle: { type: "text", value: needle }, hay: { type: "text", value: hay }, id: 1 };
        const sql = `SELECT id FROM ${table("parameters")} WHERE id = $id AND $needle IN ($hay)`;
        return (await askBound(source, sql, parametersOf(raw))).rows.length;
      };
      for (const text of texts.slice(0, 20)) expect(await found(text, texts)).toBe(1);
      expect(await found("no such text", [...texts, null])).toBe(0);
      expect(await found("no such text", [...texts, "no such text", null])).toBe(1);
    });

    it("may be named as often as the longest lists are", async () => {
      const { source } = place();
      const ids = Array.from({ length: 1_500 }, (_, i) => i);
      const sql = `SELECT id FROM ${place().table("parameters")} WHERE id IN ($ids) AND id IN ($ids)`;
      expect((await askBound(source, sql, parametersOf({ ids }))).rows).toHaveLength(3);
      const sent = place().lastBound?.().values.length ?? 0;
      if (source.type === "sqlserver") expect(sent).toBe(ids.length);
    });

    it.each(Object.keys(UNHELD) as UnheldText[])(
      "are refused by name where the database can't hold %s",
      async (what) => {
        const { source, unheld } = place();
        const text = UNHELD[what];
        const raw = { one: { type: "text", value: "x" }, other: { type: "text", value: ["y", text] } };
        const asking = askBound(source, "SELECT $one AS a, $other", parametersOf(raw));
        const outcome = await asking.then(
          ({ rows }) => rows,
          ({ code, message, position }) => ({ code, message, position }),
        );
        const message = expect.stringContaining("The value of $other can't be sent");
        expect(outcome).toEqual(
          unheld.includes(what) ? { code: "statement_refused", message, position: 19 } : [["x", "y", text]],
        );
      },
    );

    it("are named in the database's error where they are not what their place needs", async () => {
      const { source, table } = place();
      const sql = `SELECT id FROM ${table("parameters")} WHERE id = $one OR f = $other`;
      const outcome = await askBound(source, sql, parametersOf({ one: -1, other: "not a number" })).then(
        ({ rows }) => rows,
        ({ message }) => message,
      );
      expect(outcome).toEqual(ILL_TYPED[source.type]);
    });
  });
}
