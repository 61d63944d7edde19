// Each operator of filters on each database, beside a plain reckoning of which rows it means.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticFilter, SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { DialectDatabases, TestModel, type Cell } from "../../../support/node/semantic/dialect-databases.ts";

const TEXTS = [
  "plain",
  "PLAIN",
  "50%",
  "5000",
  "a_b",
  "axb",
  "back\\slash",
  "it's",
  "",
  "É",
  "é",
  "plain text",
  "1",
  "true",
  null,
];
const NUMBERS = [0, 1, 2, -1, 1.5, 2.25, null];
const FLAGS = [true, false, null];

type Row = { id: number; text: string | null; number: number | null; big: bigint | null; flag: boolean | null };
const ROWS: Row[] = TEXTS.map((text, i) => ({
  id: i,
  text,
  number: NUMBERS[i % NUMBERS.length]!,
  big: i % 5 === 0 ? null : 9_007_199_254_740_992n + BigInt(i),
  flag: FLAGS[i % 3]!,
}));

const isSame = (text: string, value: string | number | bigint | boolean): boolean =>
  typeof value === "bigint" ? !text.includes(".") && BigInt(text) === value : Number(text) === value;

let databases: DialectDatabases;
let model: TestModel;
beforeAll(async () => {
  databases = await DialectDatabases.open([
    {
      name: "things",
      columns: { id: "number", text: "text", number: "decimal", big: "number", flag: "boolean" },
      rows: ROWS.map(({ big, ...row }) => [row.id, row.text, row.number, big as unknown as Cell, row.flag]),
    },
  ]);
  model = new TestModel({
    cubes: [
      {
        name: "things",
        sql_table: databases.table("things"),
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          { name: "text", sql: "text", type: "string" },
          { name: "number", sql: "number", type: "number" },
          { name: "big", sql: "big", type: "number" },
          { name: "flag", sql: "flag", type: "boolean" },
          { name: "digits", sql: "id", type: "string" },
          { name: "is_low", sql: "{CUBE}.id < 3 OR {CUBE}.id > 12", type: "boolean" },
        ],
        measures: [
          { name: "count", type: "count" },
          { name: "sum", sql: "number", type: "sum" },
        ],
      },
    ],
    views: [],
  });
}, 120_000);
afterAll(() => databases?.close());

type Case = [
  member: keyof Row | "digits" | "is_low",
  operator: string,
  values: (string | null)[],
  meant: (row: Row) => boolean,
];
const lower = ({ text }: Row) => text?.toLowerCase();
const CASES: Case[] = [
  ["text", "equals", ["plain"], ({ text }) => text === "plain"],
  ["text", "equals", ["plain", "it's"], ({ text }) => text === "plain" || text === "it's"],
  ["text", "equals", ["plain", null], ({ text }) => text === "plain" || text === null],
  ["text", "equals", [null], ({ text }) => text === null],
  ["text", "equals", [null, null], ({ text }) => text === null],
  ["text", "in", ["a_b"], ({ text }) => text === "a_b"],
  ["text", "in", [null], ({ text }) => text === null],
  ["text", "notEquals", ["plain"], ({ text }) => text !== "plain"],
  ["text", "notEquals", ["plain", null], ({ text }) => text !== null && text !== "plain"],
  ["text", "notEquals", [null], ({ text }) => text !== null],
  ["text", "notIn", ["plain", ""], ({ text }) => text !== "plain" && text !== ""],
  ["text", "notIn", [null, null], ({ text }) => text !== null],
  ["text", "contains", ["%"], (row) => lower(row)?.includes("%") ?? false],
  ["text", "contains", ["_"], (row) => lower(row)?.includes("_") ?? false],
  ["text", "contains", ["\\"], (row) => lower(row)?.includes("\\") ?? false],
  ["text", "contains", ["LAI"], (row) => lower(row)?.includes("lai") ?? false],
  ["text", "contains", ["É"], (row) => lower(row)?.includes("é") ?? false],
  ["text", "contains", ["e"], (row) => lower(row)?.includes("e") ?? false],
  ["text", "contains", [""], ({ text }) => text !== null],
  ["text", "contains", ["zz", null], ({ text }) => text === null],
  ["text", "contains", ["%", "it'"], ({ text }) => text !== null && /%|it'/.test(text)],
  ["text", "notContains", ["LAI"], (row) => !lower(row)?.includes("lai")],
  ["text", "notContains", ["LAI", "50"], ({ text }) => text === null || !/lai|50/i.test(text)],
  ["text", "notContains", ["LAI", null], (row) => row.text !== null && !lower(row)!.includes("lai")],
  ["text", "startsWith", ["50%"], ({ text }) => text?.startsWith("50%") ?? false],
  ["text", "notStartsWith", ["PL"], (row) => !lower(row)?.startsWith("pl")],
  ["text", "endsWith", ["_B"], (row) => lower(row)?.endsWith("_b") ?? false],
  ["text", "notEndsWith", ["b"], (row) => !lower(row)?.endsWith("b")],
  ["text", "set", [], ({ text }) => text !== null],
  ["text", "notSet", [], ({ text }) => text === null],
  ["number", "equals", ["1.5"], ({ number }) => number === 1.5],
  ["number", "equals", ["1.50", "2"], ({ number }) => number === 1.5 || number === 2],
  ["number", "equals", ["1e0"], ({ number }) => number === 1],
  ["number", "notEquals", ["1"], ({ number }) => number !== 1],
  ["number", "gt", ["1.5"], ({ number }) => number !== null && number > 1.5],
  ["number", "gte", ["-1"], ({ number }) => number !== null],
  ["number", "lt", ["0.5"], ({ number }) => number !== null && number < 0.5],
  ["number", "lte", ["1.5"], ({ number }) => number !== null && number <= 1.5],
  ["id", "gt", ["1.5"], ({ id }) => id > 1.5],
  ["id", "equals", ["1.5"], () => false],
  ["big", "equals", ["9007199254740993"], ({ big }) => big === 9_007_199_254_740_993n],
  ["big", "gt", ["99999999999999999999"], () => false],
  ["flag", "equals", ["true"], ({ flag }) => flag === true],
  ["flag", "equals", ["false"], ({ flag }) => flag === false],
  ["flag", "notEquals", ["true"], ({ flag }) => flag !== true],
  ["flag", "equals", ["1", null], ({ flag }) => flag !== false],
  ["is_low", "equals", ["false"], ({ id }) => id >= 3 && id <= 12],
  ["is_low", "notEquals", ["false"], ({ id }) => id < 3 || id > 12],
  ["digits", "equals", ["1"], ({ id }) => id === 1],
  ["digits", "contains", ["1"], ({ id }) => String(id).includes("1")],
];

/** PostgreSQL compares a number with no text, and says so. */
const MYSQL_AND_DUCKDB: Case[] = [
  ["digits", "equals", ["1 pen"], () => false],
  ["digits", "equals", ["pen"], () => false],
  ["digits", "notEquals", ["1.4"], () => true],
];

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  const ids = async (query: Partial<SemanticQuery>): Promise<Cell[]> => {
    const rows = await databases.run(dialect, model.sql(dialect, { dimensions: ["things.id"], ...query }));
    return rows.map(([id]) => id!).toSorted((a, b) => Number(a) - Number(b));
  };
  const filterOf = ([member, operator, values]: Case) =>
    ({ member: `things.${member}`, operator, values }) as SemanticFilter;

  it.each([...CASES, ...(dialect === "postgres" ? [] : MYSQL_AND_DUCKDB)])(
    "%s %s %j means the rows that it says",
    async (...each) => {
      const [, , , meant] = each;
      const expected = ROWS.filter(meant).map(({ id }) => id);
      expect(await ids({ filters: [filterOf(each)] })).toEqual(expected);
      const not = {
        or: [
          { and: [filterOf(each), filterOf(["id", "lt", ["5"], () => true])] },
          filterOf(["id", "equals", ["9"], () => true]),
        ],
      };
      expect(await ids({ filters: [not] })).toEqual(
        ROWS.filter((row) => (meant(row) && row.id < 5) || row.id === 9).map(({ id }) => id),
      );
    },
  );

  it("filters what is grouped by its measures", async () => {
    const filters: SemanticFilter[] = [
      {
        or: [
          { member: "things.count", operator: "gt", values: ["4"] },
          { member: "things.sum", operator: "notSet", values: [] },
        ],
      },
    ];
    const rows = await databases.run(
      dialect,
      model.sql(dialect, { measures: ["things.count"], dimensions: ["things.flag"], filters }),
    );
    expect(rows.map(([, count]) => count)).toEqual([5, 5, 5]);
  });

  it.each<[string, SemanticFilter, string]>([
    [
      "a text where a number belongs",
      { member: "things.number", operator: "gt", values: ["1; DROP"] },
      "takes numbers",
    ],
    ["no number at all", { member: "things.number", operator: "equals", values: ["."] }, "takes numbers"],
    [
      "a text where true or false belongs",
      { member: "things.flag", operator: "equals", values: ["perhaps"] },
      "true or false",
    ],
    [
      "two values where one belongs",
      { member: "things.number", operator: "gt", values: ["1", "2"] },
      "takes one value",
    ],
    ["no values", { member: "things.text", operator: "contains", values: [] }, "Values required"],
    ["a date of a text", { member: "things.text", operator: "onTheDate", values: ["2026-01-01"] }, "needs a time"],
    ["a measure's text", { member: "things.count", operator: "equals", values: ["many"] }, "takes numbers"],
    ["nothing in a group", { or: [] }, "An empty group"],
  ])("refuses %s in words", (_what, filter, words) => {
    expect(() => model.sql(dialect, { measures: ["things.count"], filters: [filter] })).toThrow(words);
  });

  const MANY = Array.from({ length: 150 }, (_, i) => String(1_000_000 + i));
  it.each<[name: "text" | "id" | "number" | "big" | "digits", values: (string | null)[]]>([
    ["text", ["it's", "back\\slash", "50%", "É", '"', "{a,b}", "😀", ""]],
    ["text", ["plain", null]],
    ["id", ["-1", "3", "+4", " 7 ", "007", "9223372036854775807"]],
    ["number", ["1", "2", null]],
    ["number", ["1.5", "2"]],
    ["big", ["9007199254740993"]],
    ["digits", ["1", "12"]],
  ])("finds the rows of %s by many values, %j among them, and the rows of none", async (name, values) => {
    const texts = name === "text" || name === "digits";
    const isListed = (row: Row): boolean => {
      const value = name === "digits" ? row.id : row[name];
      if (value === null) return values.includes(null);
      return values.some((each) => each !== null && (texts ? each === String(value) : isSame(each, value)));
    };
    const idsOf = async (operator: "equals" | "notEquals") => {
      const filters = [{ member: `things.${name}`, operator, values: [...MANY, ...values] }];
      const rows = await databases.run(dialect, model.sql(dialect, { dimensions: ["things.id"], filters }));
      return rows.map(([id]) => Number(id)).sort((a, b) => a - b);
    };
    expect(await idsOf("equals")).toEqual(ROWS.filter(isListed).map(({ id }) => id));
    expect(await idsOf("notEquals")).toEqual(ROWS.filter((row) => !isListed(row)).map(({ id }) => id));
  });

  it.each([
    ["text", { duckdb: 3, postgres: 1, mysql: 2 * MANY.length }],
    ["big", { duckdb: 3, postgres: 1, mysql: 0 }],
  ])("binds many values of %s as a few", (name, bound) => {
    const filters = [{ member: `things.${name}`, operator: "equals" as const, values: [...MANY, ...MANY] }];
    const { values } = model.sql(dialect, { dimensions: ["things.id"], filters });
    expect(values.length).toBe(bound[dialect]);
  });

  it("takes nothing but a number among many numbers", () => {
    const filters = [{ member: "things.id", operator: "equals" as const, values: [...MANY, "1) OR (1=1"] }];
    expect(() => model.sql(dialect, { dimensions: ["things.id"], filters })).toThrow("takes numbers");
  });

  it("writes no value into the statement", () => {
    const values = ["x' OR '1'='1", "$0$", "?", "\\"];
    const compiled = model.sql(dialect, {
      dimensions: ["things.id"],
      filters: [{ member: "things.text", operator: "contains", values }],
    });
    for (const value of values.filter((each) => each.length > 2)) expect(compiled.sql).not.toContain(value);
    expect(compiled.values).toHaveLength(4);
  });
});
