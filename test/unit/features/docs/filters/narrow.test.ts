import { describe, expect, it } from "vitest";
import type { Filter } from "../../../../../kernel/docs/dashboard.ts";
import { parseDefinition } from "../../../../../src/features/docs/definition/parse.ts";
import { datasetQuestion } from "../../../../../src/features/docs/datasets/dataset-question.ts";
import { filtersOf } from "../../../../../src/features/docs/filters/filters-of.ts";
import { narrowDataset } from "../../../../../src/features/docs/filters/narrow.ts";
import { readFilterValues } from "../../../../../src/features/docs/filters/read-values.ts";
import { withoutSemicolon } from "../../../../../src/features/docs/filters/sql-conditions.ts";
import { withDefaults } from "../../../../../src/features/docs/filters/with-defaults.ts";
import { planRun } from "../../../../../src/features/docs/runs/plan/plan-run.ts";

const now = new Date("2026-11-28T12:00:00Z");
const BY_PARAMETERS = "SELECT * FROM t WHERE (coalesce($all) IS NULL OR c IN ($all)) AND at >= $from AND n = $n";
const DOC = {
  version: 1,
  kind: "dashboard",
  metadata: { name: "Filtered" },
  filters: [
    { id: "country", type: "multiSelect", target: { field: "c", datasets: ["plain"] }, default: ["NO"] },
    { id: "period", type: "dateRange", target: { dimension: "orders.at" }, default: "yesterday" },
    { id: "n", type: "number", target: { field: "n", datasets: ["plain"] } },
    { id: "name", type: "text", operator: "notContains", target: { field: 'a"b', datasets: ["plain"] } },
  ],
  datasets: {
    bound: {
      engine: "sql",
      sql: BY_PARAMETERS,
      parameters: {
        all: { type: "text", filter: "country", list: true },
        from: { type: "date", filter: "period", part: "from" },
        n: { type: "integer", filter: "n" },
      },
    },
    plain: { engine: "sql", sql: "SELECT * FROM t -- all\n;", parameters: { own: 1 } },
    elsewhere: { engine: "sql", sql: "SELECT 1", integrationId: "0197a2b4-0000-7000-8000-000000000000" },
    cube: {
      engine: "cube",
      measures: ["orders.n"],
      timeDimensions: [{ dimension: "orders.at", granularity: "day" }],
      filters: [{ member: "orders.paid", operator: "equals", values: ["true"] }],
    },
    built: { engine: "sql", sql: "SELECT * FROM t", materialize: { table: "built" } },
    undrawn: { engine: "cube", measures: ["orders.n"] },
  },
  layout: {
    tiles: ["bound", "plain", "elsewhere", "cube", "built"].map((source, i) => ({
      ...{ id: source, x: 0, y: i * 4, w: 9, h: 4, type: "table", source },
    })),
  },
};
const parsed = parseDefinition(JSON.stringify(DOC), "application/json");
const { definition } = parsed;

function narrowed(key: string, sent: Record<string, unknown> = {}) {
  const { filters, drawn } = filtersOf(definition);
  const values = readFilterValues(filters, { sent, pointer: "/filters" }, now);
  return narrowDataset(datasetQuestion(definition.datasets[key]!)!, {
    key,
    filters,
    drawn,
    values,
    pointer: "/filters",
  });
}
const ALL_UNSET = { country: null, period: null };

describe("a dataset under filters", () => {
  it("has their values as its parameters, of the types that it declares, and NULL for those that are not set", () => {
    const set = narrowed("bound", { n: 5 });
    expect(set.question.sql).toBe(BY_PARAMETERS);
    expect(set.question.parameters).toEqual({
      all: { type: "text", list: true, nullable: true },
      from: { type: "date", list: false, nullable: true },
      n: { type: "integer", list: false, nullable: true },
    });
    expect(set.fixed).toEqual({ all: ["NO"], from: "2026-11-27", n: "5" });
    expect(narrowed("bound", ALL_UNSET).fixed).toEqual({ all: [null], from: null, n: null });
  });

  it("refuses a value that its parameter can't have, at the filter", () => {
    expect(() => narrowed("bound", { n: 1.5 })).toThrow(
      expect.objectContaining({ flaws: [expect.objectContaining({ pointer: "/filters/n" })] }),
    );
  });

  it("is as it is written where none is set, or where it takes none", () => {
    expect(narrowed("plain", ALL_UNSET)).toMatchObject({ question: { sql: "SELECT * FROM t -- all\n;" }, fixed: {} });
    expect(narrowed("elsewhere", { n: 1 }).question.sql).toBe("SELECT 1");
    expect(narrowed("undrawn").question.cube_query).not.toHaveProperty("filters");
  });

  it("has conditions around SQL on the lake, with hostile values bound and none of them in the text", () => {
    const hostile = "x'); DROP TABLE t; --";
    const { question, fixed } = narrowed("plain", { country: [hostile, null], n: "12.5", name: "$own" });
    expect(question.sql).toBe(
      `SELECT * FROM (\nSELECT * FROM t -- all\n\n) AS dataset
WHERE (CAST("c" AS VARCHAR) IN ($fjord_filter_1) OR "c" IS NULL)
  AND (TRY("n" IN ($fjord_filter_2)))
  AND ((NOT contains(lower(CAST("a""b" AS VARCHAR)), lower($fjord_filter_3))) OR "a""b" IS NULL)`,
    );
    expect(fixed).toEqual({ fjord_filter_1: [hostile], fjord_filter_2: ["12.5"], fjord_filter_3: "$own" });
    expect(Object.keys(question.parameters)).toEqual(["own", ...Object.keys(fixed)]);
  });

  it("is taken without the semicolon at its end, whatever comment follows, and with what quotes have", () => {
    expect(withoutSemicolon("SELECT 1; -- one\n  -- two\n")).toBe("SELECT 1 -- one\n  -- two\n");
    for (const sql of ["SELECT 1", "", "SELECT '; -- x'", 'SELECT 1 AS "a;\n-- b"', "SELECT 1 /* a;\n-- b */"])
      expect(withoutSemicolon(sql)).toBe(sql);
  });

  it("leaves out rows whose values are none of the filter's type, whose errors would quote them", () => {
    const of = (more: object, value: unknown) => {
      const filter = { id: "f", target: { field: "c" }, ...more } as Filter;
      const values = readFilterValues([filter], { sent: { f: value }, pointer: "" }, now);
      const asked = datasetQuestion(definition.datasets["plain"]!)!;
      return narrowDataset(asked, { key: "plain", filters: [filter], drawn: ["plain"], values, pointer: "" }).question
        .sql;
    };
    expect(of({ type: "number" }, 5)).toContain('WHERE (TRY("c" IN ($fjord_filter_1)))');
    expect(of({ type: "number", operator: "gt" }, 5)).toContain('WHERE TRY("c" > $fjord_filter_1)');
    expect(of({ type: "date", operator: "lt" }, "today")).toContain(
      'WHERE TRY_CAST("c" AS TIMESTAMP) < $fjord_filter_1',
    );
  });

  it("binds under names that its own parameters have not", () => {
    const parameters = { fjord_filter_1: 1, fjord_filter_3: 2 };
    const asked = datasetQuestion({ engine: "sql", sql: "SELECT $fjord_filter_1", parameters })!;
    const { filters } = filtersOf(definition);
    const values = readFilterValues(filters, { sent: { n: 5 }, pointer: "" }, now);
    const { question, fixed } = narrowDataset(asked, { key: "plain", filters, drawn: [], values, pointer: "" });
    expect(fixed).toEqual({ fjord_filter_2: ["NO"], fjord_filter_4: ["5"] });
    expect(question.parameters["fjord_filter_1"]).toMatchObject({ default: 1 });
  });

  it("has a range as the bounds of a semantic query's time, and else one more filter beside its own", () => {
    const [time] = DOC.datasets.cube.timeDimensions;
    const own = DOC.datasets.cube.filters;
    expect(narrowed("cube").question.cube_query).toMatchObject({
      timeDimensions: [{ ...time, dateRange: ["2026-11-27", "2026-11-27"] }],
      filters: own,
    });
    expect(narrowed("cube", { period: { from: "2026-01-01" } }).question.cube_query).toMatchObject({
      timeDimensions: [time],
      filters: [...own, { member: "orders.at", operator: "afterOrOnDate", values: ["2026-01-01"] }],
    });
  });
});

describe("a run", () => {
  it("asks its datasets under the defaults, and builds tables of all rows", () => {
    const { datasets } = planRun(definition, Object.keys(definition.datasets));
    const all = datasets.map(({ isSelected: _, ranAs: __, ...one }) => one);
    const orders = withDefaults(definition, all, now);
    const of = (key: string) => orders.find((order) => order.key === key);
    expect(of("bound")).toMatchObject({
      parameters: {
        all: { type: "text", value: ["NO"] },
        from: { type: "date", value: "2026-11-27" },
        n: { type: "integer", value: null },
      },
    });
    expect(of("plain")).toMatchObject({
      sql: expect.stringContaining('WHERE (CAST("c" AS VARCHAR) IN ($fjord_filter_1))'),
      parameters: { own: 1, fjord_filter_1: { type: "text", value: ["NO"] } },
    });
    expect(of("cube")).toMatchObject({ query: { timeDimensions: [{ dateRange: ["2026-11-27", "2026-11-27"] }] } });
    for (const key of ["elsewhere", "built", "undrawn"]) expect(of(key)).toEqual(all.find((one) => one.key === key));
  });

  it("reads all rows of what a table is built of, whatever stands between", () => {
    const python = (ref: string) => ({ engine: "python", code: "result = df", inputs: [{ ref, as: "df" }] });
    const made = { frame: python("bound"), table: { ...python("frame"), materialize: { table: "made" } } };
    const { definition: building } = parseDefinition(
      JSON.stringify({ ...DOC, datasets: { ...DOC.datasets, ...made } }),
      "application/json",
    );
    const defaultsIn = (keys: string[]) =>
      withDefaults(
        building,
        planRun(building, keys).datasets.map(({ isSelected: _, ranAs: __, ...one }) => one),
        now,
      ).find(({ key }) => key === "bound");
    expect(defaultsIn(["table"])).toMatchObject({
      parameters: { all: { value: [null] }, from: { value: null }, n: { value: null } },
    });
    expect(defaultsIn(["frame"])).toMatchObject({ parameters: { all: { value: ["NO"] } } });
  });
});

describe("a dimension without its cube", () => {
  const datasets = {
    own: { engine: "cube", cube: "orders", measures: ["n"], timeDimensions: [{ dimension: "at", granularity: "day" }] },
    none: { engine: "cube", measures: ["sales.n"], dimensions: ["orders.status"] },
  };
  const docOf = (filter: object, drawn: string[]) => ({
    ...DOC,
    ...{ filters: [filter], datasets },
    layout: { tiles: drawn.map((source) => ({ id: source, x: 0, y: 0, w: 9, h: 4, type: "table", source })) },
  });
  const read = (filter: object, ...drawn: string[]) =>
    parseDefinition(JSON.stringify(docOf(filter, drawn)), "application/json");
  const queryUnder = (filter: object, key: string, sent: unknown) => {
    const { definition: one } = read(filter, key);
    const { filters, drawn } = filtersOf(one);
    const values = readFilterValues(filters, { sent: { f: sent }, pointer: "/filters" }, now);
    const asked = datasetQuestion(one.datasets[key]!)!;
    return narrowDataset(asked, { key, filters, drawn, values, pointer: "/filters" }).question.cube_query;
  };
  const STATUS = { id: "f", target: { dimension: "status" } };

  it("is of the dataset's own cube, as the members of its query are", () => {
    expect(queryUnder(STATUS, "own", "paid")).toMatchObject({
      filters: [{ member: "orders.status", operator: "equals", values: ["paid"] }],
    });
    const days = ["2026-01-01", "2026-01-31"];
    expect(queryUnder({ id: "f", type: "dateRange", target: { dimension: "at" } }, "own", days)).toEqual({
      measures: ["orders.n"],
      timeDimensions: [{ dimension: "orders.at", granularity: "day", dateRange: days }],
    });
    expect(read(STATUS, "own").warnings).toEqual([]);
  });

  it("is warned of where the dataset has none, and refused where it is set, with what to write", () => {
    const message = (name: string) =>
      expect.stringMatching(new RegExp(`^The filter f names the dimension .*: write ${name}\\.`)) as string;
    for (const [dimension, meant] of [
      ["status", "orders.status"],
      ["city", "orders.city"],
    ] as const) {
      const filter = { id: "f", target: { dimension } };
      const pointer = "/filters/0/target/dimension";
      expect(read(filter, "none").warnings).toEqual([{ pointer, message: message(meant) }]);
      expect(() => queryUnder(filter, "none", "x")).toThrow(
        expect.objectContaining({ flaws: [{ pointer: "/filters/f", message: message(meant) }] }),
      );
      expect(queryUnder(filter, "none", null)).not.toHaveProperty("filters");
    }
  });
});

describe("a doc that is saved", () => {
  const warningsOf = (filters: object[]) =>
    parseDefinition(JSON.stringify({ ...DOC, filters: [...DOC.filters, ...filters] }), "application/json").warnings.map(
      ({ pointer }) => pointer,
    );

  it("is warned of filters that no dataset takes alone, and of a default that its filter can't have", () => {
    expect(parsed.warnings).toEqual([]);
    expect(warningsOf([{ id: "m", target: { field: "m", datasets: ["cube", "elsewhere"] } }])).toEqual(["/filters/4"]);
    const odd = { id: "m", type: "dateRange", target: { field: "m", datasets: ["plain"] }, default: "whenever" };
    expect(warningsOf([odd])).toEqual(["/filters/4/default"]);
    expect(warningsOf([{ ...odd, default: "last 2 hours" }])).toEqual(["/filters/4/default"]);
  });

  it("is warned of a named dataset that does not take the filter, while another does", () => {
    const filter = { id: "m", target: { field: "m", datasets: ["elsewhere", "plain", "cube"] } };
    expect(warningsOf([filter])).toEqual(["/filters/4/target/datasets/0", "/filters/4/target/datasets/2"]);
  });

  it("is warned of an operator that is read as another, and of values that hold nobody to them", () => {
    const warned = (more: object) => warningsOf([{ id: "m", target: { field: "m", datasets: ["plain"] }, ...more }]);
    for (const operator of ["gt", "contains", "onTheDate"])
      expect(warned({ type: "dateRange", operator }), operator).toEqual(["/filters/4/operator"]);
    expect(warned({ type: "date", operator: "notEndsWith" })).toEqual(["/filters/4/operator"]);
    for (const operator of ["gt", "equals", "notIn", "beforeDate", "set"])
      expect(warned({ type: "date", operator }), operator).toEqual([]);
    expect(warned({ type: "dateRange", values: ["2026-01-01"] })).toEqual(["/filters/4/values"]);
    expect(warned({ values: [] })).toEqual(["/filters/4/values"]);
    expect(warned({ type: "date", values: ["2026-01-01"] })).toEqual([]);
  });

  it("has no filter that is dropped, or a default of which a part is", () => {
    const of = (filter: object) => {
      const { filters, unread } = filtersOf({ ...definition, filters: [filter] } as typeof definition);
      const values = () => readFilterValues(filters, { sent: {}, pointer: "/filters" }, now);
      return { unread: unread.map(({ pointer }) => pointer), values };
    };
    const period = { ...DOC.filters[1]!, default: { from: "2026-01-01", until: "2026-02-01" } };
    expect(of(period).unread).toEqual([]);
    expect(of(period).values).toThrow(expect.objectContaining({ code: "validation_failed" }));
    const unread = { ...period, operator: "near" };
    expect(of(unread).unread).toEqual(["/filters/0"]);
    const { datasets } = planRun(definition, ["bound"]);
    const asked = { ...definition, filters: [unread] } as typeof definition;
    expect(() => withDefaults(asked, datasets, now)).toThrow(expect.objectContaining({ code: "validation_failed" }));
  });

  it("narrows what its pages of HTML draw, too", () => {
    const page = { id: "page", x: 0, y: 40, w: 9, h: 4, type: "html", driveFile: "a.html", datasets: ["undrawn"] };
    const text = JSON.stringify({ ...DOC, layout: { tiles: [...DOC.layout.tiles, page] } });
    const { drawn } = filtersOf(parseDefinition(text, "application/json").definition);
    expect(drawn).toEqual([...DOC.layout.tiles.map(({ source }) => source), "undrawn"]);
  });

  it("keeps filters that have members which nothing here knows", () => {
    const text = JSON.stringify({ ...DOC, filters: [{ ...DOC.filters[0], width: 4, display: "sidebar" }] });
    const doc = text.replace(JSON.stringify(DOC.datasets.bound), '{"engine":"python","code":"result = 1"}');
    expect(filtersOf(parseDefinition(doc, "application/json").definition).filters).toEqual([
      { ...DOC.filters[0], display: "hidden" },
    ]);
  });
});
