// Values of a query's filters and date ranges that look like SQL, as callers send them: each is data, or is refused by
// the name of what it filters, on the lake and in the databases.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS, type SqlDialect } from "../../../../kernel/semantic/model.ts";
import { EngineFailure } from "../../../../kernel/wire/engine.ts";
import { compileModel } from "../../../../containers/engine/semantic/compile/model/compile-model.ts";
import { compileQuery } from "../../../../containers/engine/semantic/compile/model/compile-query.ts";
import { isProblem } from "../../../../src/core/problem.ts";
import { planSemantic } from "../../../../src/features/semantic/query/plan.ts";
import { column } from "../../../support/node/lake/test-lake.ts";
import { SCHEMA, PLACES, SemanticEngine, type Place } from "../../../support/node/semantic/semantic-engine.ts";
import {
  hostileTexts,
  VALUES_PER_STATEMENT,
} from "../../../support/node/sources/conformance/parameters/hostile-values.ts";

const DIALECT_OF: Record<Place, SqlDialect> = { lake: "duckdb", postgres: "postgres", mysql: "mysql" };
/** 900 values, of which each place is asked for the rows of the first 100: every phrase is among them. */
const TEXTS = hostileTexts(9).flat();
const STORED = TEXTS.slice(0, VALUES_PER_STATEMENT);
/** No value has this sign, so that no pattern of one means it, unless it is empty. */
const OTHER = "\u6f22";

const MODEL = {
  cubes: [
    {
      name: "notes",
      sql_table: `${SCHEMA}.notes`,
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true, public: true },
        { name: "text", sql: "text", type: "string" },
        { name: "flag", sql: "flag", type: "boolean" },
        { name: "happened", sql: "happened", type: "time" },
      ],
      measures: [{ name: "count", type: "count" }],
    },
  ],
  views: [],
};
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const NOTES = {
  name: "notes",
  columns: [
    column(1, "id", "int32"),
    column(2, "text", "varchar"),
    column(3, "flag", "boolean"),
    column(4, "happened", "timestamp"),
  ],
  types: {
    id: { postgres: "integer", mysql: "int" },
    text: { postgres: "text", mysql: "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin" },
    flag: { postgres: "boolean", mysql: "boolean" },
    happened: { postgres: "timestamp", mysql: "datetime(6)" },
  },
  rows: [...STORED, OTHER].map((text, id) => `(${id}, ${literal(text)}, true, '2026-01-31 12:00:00')`),
};
const OTHER_ID = STORED.length;

const compiled = compileModel(structuredClone(MODEL));
if ("flaws" in compiled) throw new Error(JSON.stringify(compiled.flaws));
const { meta, compilers } = compiled.evaluated;

let engine: SemanticEngine;
beforeAll(async () => void (engine = await SemanticEngine.open([NOTES])), 120_000);
afterAll(() => engine.close());

type Filter = { member: string; operator: string; values: string[] };
type QueryParts = { filters?: Filter[]; timeDimensions?: object[] };

/** What the Worker makes of a query. Throws a Problem of one that it refuses. */
const planned = (asked: QueryParts, dialect: SqlDialect) =>
  planSemantic({
    raw: { dimensions: ["notes.id"], order: [["notes.id", "asc"]], ...asked },
    model: { definitions: MODEL, meta },
    dialect,
    now: new Date("2026-11-22T12:00:00Z"),
  });

type Outcome = { ids: number[] } | { refusal: string };

async function ask(place: Place, asked: QueryParts): Promise<Outcome> {
  const { model, queries } = planned(asked, DIALECT_OF[place]);
  const response = await engine.ask(place, { model, queries });
  const body: unknown = await response.json();
  if (response.status !== 200) return { refusal: EngineFailure.parse(body).message };
  const { data } = body as { data: Record<string, unknown>[] };
  return { ids: data.map((row) => Number(row["notes.id"])) };
}

const filter = (member: string, operator: string, value: string): Filter => ({
  member: `notes.${member}`,
  operator,
  values: [value],
});
const idsOf = (text: string): number[] => [...STORED, OTHER].flatMap((one, id) => (one === text ? [id] : []));
const MEANS = ["equals", "contains", "startsWith", "endsWith"] as const;
const MEANS_NOT = ["notEquals", "notContains", "notStartsWith", "notEndsWith"] as const;

describe.each(SQL_DIALECTS)("for %s", (dialect) => {
  it("are no part of the SQL, whose text is the same for all of them", () => {
    const sqlOf = (text: string) => {
      const filters = [...MEANS, ...MEANS_NOT].map((operator) => filter("text", operator, text));
      return compileQuery(compilers, dialect, planned({ filters }, dialect).queries[0]!.query);
    };
    const { sql, values } = sqlOf("plain");
    for (const text of TEXTS) {
      const other = sqlOf(text);
      expect(other.sql).toBe(sql);
      expect(other.values).toHaveLength(values.length);
      expect(other.values[0]).toBe(text);
    }
  });
});

describe.each(PLACES)("on %s", (place) => {
  it("are found by each operator as they are", { timeout: 240_000 }, async () => {
    for (const text of STORED)
      expect([text, await ask(place, { filters: MEANS.map((operator) => filter("text", operator, text)) })]).toEqual([
        text,
        { ids: idsOf(text) },
      ]);
  });

  it("leave out what they mean, and nothing else", { timeout: 240_000 }, async () => {
    for (const text of STORED) {
      const filters = [filter("text", "equals", OTHER), ...MEANS_NOT.map((operator) => filter("text", operator, text))];
      // Every text begins with an empty one.
      expect([text, await ask(place, { filters })]).toEqual([text, { ids: text === "" ? [] : [OTHER_ID] }]);
    }
  });

  it.each(["id", "flag", "count"])("are refused by the name of %s where they are of another type", async (member) => {
    for (const text of STORED) {
      const outcome = await ask(place, { filters: [filter(member, "equals", text)] });
      if ("refusal" in outcome) expect(outcome.refusal).toContain(`notes.${member}`);
      else
        expect(text).toMatch(
          member === "flag" ? /^(true|false|[01])$/i : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i,
        );
    }
  });

  it("are dates or refused where they are date ranges, at their place", async () => {
    for (const text of STORED) {
      const asked: [QueryParts, string][] = [
        [
          { timeDimensions: [{ dimension: "notes.happened", dateRange: text }] },
          "/cube_query/timeDimensions/0/dateRange",
        ],
        [
          { timeDimensions: [{ dimension: "notes.happened", dateRange: [text, "2026-12-31"] }] },
          "/cube_query/timeDimensions/0/dateRange",
        ],
        [{ filters: [filter("happened", "inDateRange", text)] }, "/cube_query/filters/0/values"],
        [{ filters: [filter("happened", "beforeDate", text)] }, "/cube_query/filters/0/values"],
      ];
      for (const [one, at] of asked) {
        try {
          await ask(place, one);
          expect(text).toMatch(/^\d{4}-\d\d-\d\d/);
        } catch (error) {
          if (!isProblem(error)) throw error;
          const pointer = expect.stringMatching(`^${at}(/0)?$`);
          expect(error).toMatchObject({ code: "validation_failed", flaws: [{ pointer }] });
        }
      }
    }
  });

  it("are refused at their place where no text can be that value", async () => {
    for (const text of ["a\0b", "\ud800"]) {
      const asking = ask(place, { filters: [filter("text", "equals", text)] });
      await expect(asking).rejects.toMatchObject({ flaws: [{ pointer: "/cube_query/filters/0/values/0" }] });
    }
  });
});
