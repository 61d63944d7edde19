// Makes up docs that have all of the grammar and no flaw, and docs in which something is another.

import fc from "fast-check";
import { BUILD_MODES, TEST_SEVERITIES } from "../../../../kernel/wire/builds.ts";
import { PARAMETER_TYPES } from "../../../../kernel/wire/parameter-types.ts";
import { FILTER_OPERATORS } from "../../../../kernel/access/access.ts";
import { FILTER_DISPLAYS, FILTER_TYPES } from "../../../../kernel/docs/dashboard.ts";
import { arbitraryViz, some, type Doc, type Json } from "./viz-arbitrary.ts";

type Named = { key: string; fields: string[]; dataset: Doc };

const text = fc.constantFrom("Sales", "Umsätze 2026", "a/b~c", "<b>", "👩‍🌾 farm");
const column = fc.constantFrom("n", "m", "city");
const columns = fc.subarray(["n", "m", "city"], { minLength: 1 });

const VALUES: Record<(typeof PARAMETER_TYPES)[number], Json> = {
  text: "NO",
  integer: 5,
  decimal: "12.50",
  number: 0.5,
  boolean: true,
  date: "2026-01-31",
  timestamp: "2026-01-31 12:30:00",
  timestamptz: "2026-01-31T12:30:00Z",
};
const parameter = fc.oneof(
  fc.constantFrom<Json>("NO", 5, null, [1, 2], ["a", null]),
  fc.constantFrom(...PARAMETER_TYPES).map((type): Json => ({ type, value: VALUES[type] })),
);

const severity = fc.constantFrom(...TEST_SEVERITIES);
const test = fc.oneof(
  some({ kind: fc.constantFrom("not_null", "unique"), columns, severity }, "kind", "columns"),
  some(
    { kind: fc.constant("accepted_values"), column, values: fc.constantFrom(["NO"], [1, true]), severity },
    ...(["kind", "column", "values"] as const),
  ),
  some(
    { kind: fc.constant("relationships"), column, to: fc.constant({ table: "shop.towns", column: "name" }), severity },
    ...(["kind", "column", "to"] as const),
  ),
  some({ kind: fc.constant("row_count"), min: fc.nat(3), max: fc.nat(9), severity }, "kind", "min"),
  some({ kind: fc.constant("sql"), sql: fc.constant("SELECT 1 WHERE false"), severity }, "kind", "sql"),
);

const common = (earlier: readonly string[]) => ({
  description: text,
  dependsOn: fc.subarray([...earlier]),
  timeoutMs: fc.integer({ min: 1, max: 60_000 }),
});

/** What a dataset says of the table that it builds; nothing where it builds none. */
const built = (index: number, isSql: boolean): fc.Arbitrary<Doc> =>
  fc.option(fc.constantFrom(...BUILD_MODES), { nil: undefined }).chain((mode) => {
    if (mode === undefined) return fc.constant({});
    const key = mode === "merge" ? columns : undefined;
    const materialize = fc.record({
      table: fc.constant(`shop.t${index}`),
      mode: fc.constant(mode),
      ...(key && { key }),
    });
    const incremental = isSql && mode !== "replace" ? { incremental: column.map((one) => ({ column: one })) } : {};
    const tests = fc.array(test, { minLength: 1, maxLength: 3 });
    return some({ materialize, tests, ...incremental }, "materialize");
  });

const member = (name: string) => `orders.${name}`;
const python = (earlier: readonly string[]) =>
  some(
    {
      ...common(earlier),
      engine: fc.constant("python"),
      code: fc.constant("result = [1]"),
      inputs: fc.subarray([...earlier]).map((refs) => refs.map((ref, i) => ({ ref, as: `frame_${i}` }))),
      requirements: fc.constant(["polars==1.2.3", "a[b]==2.0"]),
    },
    "engine",
    "code",
  );
const sql = (earlier: readonly string[]) =>
  some(
    {
      ...common(earlier),
      engine: fc.constant("sql"),
      sql: fc.constant("SELECT 1 AS n WHERE 1 > $since"),
      parameters: fc.dictionary(fc.constantFrom("a", "b"), parameter, { noNullPrototype: true }),
    },
    "engine",
    "sql",
  );
const cube = (earlier: readonly string[]) =>
  some(
    {
      ...common(earlier),
      engine: fc.constant("cube"),
      cube: fc.constant("orders"),
      integrationId: fc.constant("0197a2b4-0000-7000-8000-000000000000"),
      measures: fc.constant([member("n"), member("m")]),
      dimensions: fc.constant([member("city")]),
      segments: fc.constant([member("paid")]),
      timeDimensions: fc.constant([{ dimension: member("at"), granularity: "day", dateRange: "last 90 days" }]),
      filters: fc.constant([{ member: member("city"), operator: "equals", values: ["Oslo"] }]),
      order: fc.constantFrom<Json>(
        { [member("n")]: "asc" },
        [[member("n"), "desc"]],
        [{ id: member("n"), desc: true }],
      ),
      limit: fc.nat(100),
      offset: fc.nat(100),
      timezone: fc.constant("Europe/Oslo"),
      total: fc.boolean(),
      ungrouped: fc.boolean(),
      cache: fc.constant("must-revalidate"),
    },
    ...(["engine", "measures", "dimensions"] as const),
  );

const OF_TABLE = ["n", "m", "city"];
const named = (index: number, earlier: readonly string[]): fc.Arbitrary<Named> => {
  const key = `d${index}`;
  const building = (isSql: boolean, dataset: fc.Arbitrary<Doc>) =>
    fc
      .tuple(dataset, built(index, isSql))
      .map(([one, more]) => ({ key, fields: OF_TABLE, dataset: { ...one, ...more } }));
  return fc.oneof(
    building(false, python(earlier)),
    building(true, sql(earlier)),
    cube(earlier).map((dataset) => ({ key, fields: OF_TABLE.map(member), dataset })),
  );
};
const datasets: fc.Arbitrary<Named[]> = fc.integer({ min: 1, max: 4 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, i) =>
      named(
        i,
        Array.from({ length: i }, (__, j) => `d${j}`),
      ),
    ),
  ),
);

const filterOf = (index: number, keys: readonly string[]): fc.Arbitrary<Doc> =>
  some(
    {
      id: fc.constant(`f${index}`),
      label: text,
      description: text,
      type: fc.constantFrom(...FILTER_TYPES),
      target: fc.oneof(
        fc.constant({ dimension: member("city") }),
        some({ field: column, datasets: fc.subarray([...keys], { minLength: 1 }) }, "field"),
      ),
      operator: fc.constantFrom(...FILTER_OPERATORS),
      display: fc.constantFrom(...FILTER_DISPLAYS),
      values: fc.constantFrom<Json>(["NO", 5, true, null], []),
      default: fc.constantFrom<Json>("last 90 days", ["Oslo"], null, 5, { from: "2026-01-31" }),
    },
    "id",
    "target",
  );

const tileOf = (index: number, all: readonly Named[], filters: readonly string[]): fc.Arbitrary<Doc> => {
  const place = {
    id: fc.constant(`t${index}`),
    x: fc.nat(11),
    y: fc.constant(index * 12),
    w: fc.integer({ min: 1, max: 12 }),
    h: fc.integer({ min: 1, max: 12 }),
    title: text,
    description: text,
    fullScreen: fc.boolean(),
  };
  const placed = ["id", "x", "y", "w", "h", "type"] as const;
  const keys = all.map(({ key }) => key);
  const drawn = fc.constantFrom(...all).chain(({ key, fields }) =>
    fc.constantFrom("kpi", "chart", "table").chain((type) => {
      const viz = arbitraryViz(type, fields, filters);
      const members = { ...place, type: fc.constant(type), source: fc.constant(key), viz };
      return type === "table" ? some(members, ...placed, "source") : some(members, ...placed, "source", "viz");
    }),
  );
  return fc.oneof(
    { weight: 4, arbitrary: drawn },
    { weight: 1, arbitrary: some({ ...place, type: fc.constant("markdown"), content: text }, ...placed, "content") },
    {
      weight: 1,
      arbitrary: some(
        { ...place, type: fc.constant("html"), driveFile: text, datasets: fc.subarray(keys) },
        ...placed,
        "driveFile",
      ),
    },
  );
};

const cron = fc.constantFrom("0 7 * * 1-5", "*/15 * * * *");
const timezone = fc.constantFrom("Europe/Oslo", "UTC");
const automationOf = (index: number, keys: readonly string[]): fc.Arbitrary<Doc> => {
  const time = fc.oneof(
    some({ cron, timezone }, "cron"),
    some({ schedule: some({ cron, timezone }, "cron"), timezone }, "schedule"),
    some({ trigger: some({ type: fc.constantFrom("cron", "schedule"), cron, timezone }, "type", "cron") }, "trigger"),
    fc.constant({}),
  );
  const rest = some({
    id: fc.constant(`a${index}`),
    name: text.map((name) => `${name} ${index}`),
    enabled: fc.boolean(),
    datasetKeys: fc.subarray([...keys], { minLength: 1 }),
    data: fc.constantFrom<Json>({ rows: 5 }, null, "text"),
    environmentVariables: fc.constant({ REGION: "north" }),
    retry: some({ attempts: fc.integer({ min: 1, max: 3 }), backoffSeconds: fc.integer({ min: 1, max: 60 }) }),
    timeoutSeconds: fc.integer({ min: 600, max: 3_600 }),
    overlap: fc.constantFrom("skip", "queue"),
    destinations: fc.constantFrom<Json>([], [{ type: "email", to: "ada@example.com" }]),
  });
  return fc.tuple(time, rest).map(([when, one]) => ({ ...one, ...when }));
};

const upTo = <Value>(countMax: number, make: (index: number) => fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.nat(countMax).chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => make(i))));

/** A doc that is saved, and of which nothing is unknown. */
export const arbitraryDoc: fc.Arbitrary<Doc> = fc.tuple(datasets, fc.nat(3)).chain(([all, filterCount]) => {
  const keys = all.map(({ key }) => key);
  const filters = Array.from({ length: filterCount }, (_, i) => `f${i}`);
  const tiles = upTo(4, (i) => tileOf(i, all, filters));
  return some(
    {
      version: fc.constant(1),
      schemaVersion: fc.constantFrom("2025-01", "2026-02"),
      kind: fc.constantFrom("dashboard", "pipeline"),
      metadata: some({ name: text, description: text }, "name"),
      requirements: fc.constant(["polars==1.2.3"]),
      datasets: fc.constant(Object.fromEntries(all.map(({ key, dataset }) => [key, dataset]))),
      filters: fc.tuple(...filters.map((_, i) => filterOf(i, keys))),
      drawing: fc.oneof(some({ columns: fc.constant(24), tiles }), tiles),
      automations: upTo(3, (i) => automationOf(i, keys)),
    },
    ...(["version", "kind", "metadata", "datasets", "filters"] as const),
  ).map(({ drawing, ...doc }): Doc => {
    if (drawing === undefined) return doc;
    return Array.isArray(drawing) ? { ...doc, tiles: drawing } : { ...doc, layout: drawing };
  });
});
