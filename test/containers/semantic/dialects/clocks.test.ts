// Which clock a time is on, on each database: what dimensions and measures over other members show, beside Cube's own
// SQL where that means one thing.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_DIALECTS, type SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { compileByCube, sqlByCube, type CubeCompilers } from "../../../support/node/semantic/cube-itself.ts";
import { DialectDatabases, sorted, TestModel } from "../../../support/node/semantic/dialect-databases.ts";

/** Without a change of clocks, which Cube's SQL for MySQL doesn't know. */
const PHOENIX = "America/Phoenix";

const COLUMN = { name: "at", sql: "{CUBE}.seen_at", type: "time" };
const DIMENSIONS: { name: string; sql?: string; type: string; case?: object }[] = [
  COLUMN,
  { name: "alias", sql: "{at}", type: "time" },
  { name: "day", sql: "{at.day}", type: "time" },
  { name: "day_again", sql: "{day}", type: "time" },
  { name: "noon", sql: "{at.day} + INTERVAL '12' HOUR", type: "time" },
  { name: "first", sql: "COALESCE({at.day}, {at})", type: "time" },
  { name: "year", sql: "EXTRACT(YEAR FROM {at})", type: "number" },
  { name: "day_number", sql: "EXTRACT(DAY FROM {at.day})", type: "number" },
  { name: "late", type: "string", case: { when: [{ sql: "EXTRACT(HOUR FROM {at}) > 18", label: "late" }] } },
];
const MEASURES = [
  { name: "count", type: "count" },
  { name: "last", sql: "seen_at", type: "max" },
  { name: "last_alias", sql: "{alias}", type: "max" },
  { name: "last_time", sql: "MAX({CUBE}.seen_at)", type: "time" },
  { name: "last_of_time", sql: "MAX({at})", type: "time" },
  { name: "last_day", sql: "MAX({at.day})", type: "time" },
  { name: "last_again", sql: "{last_day}", type: "time" },
  { name: "first_day", sql: "{at.day}", type: "min" },
];
const GRANULARITIES = [{ name: "fiscal_year", interval: "1 year", origin: "2020-04-01" }];

let databases: DialectDatabases;
let model: TestModel;
let cube: CubeCompilers;
beforeAll(async () => {
  databases = await DialectDatabases.open([
    {
      name: "events",
      columns: { id: "number", seen_at: "timestamp" },
      rows: [
        [1, "2024-01-01 03:30:00"],
        [2, "2024-03-31 23:00:00"],
        [3, "2024-04-01 02:00:00"],
        [4, "2024-04-01 09:00:00"],
        [5, null],
      ],
    },
  ]);
  const definitions: SemanticModel = {
    cubes: [
      {
        name: "events",
        sql_table: databases.table("events"),
        dimensions: [
          { name: "id", sql: "id", type: "number", primary_key: true },
          { ...COLUMN, granularities: GRANULARITIES },
          ...DIMENSIONS.slice(1),
          // Cube takes it for the calendar's year.
          { name: "fiscal", sql: "{at.fiscal_year}", type: "time" },
        ],
        measures: MEASURES,
      },
    ],
    views: [{ name: "shown", cubes: [{ join_path: "events", includes: "*" }] }],
  };
  model = new TestModel(definitions);
  cube = await compileByCube(definitions);
}, 120_000);
afterAll(() => databases?.close());

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  const ask = async (query: Partial<SemanticQuery>) => sorted(await databases.run(dialect, model.sql(dialect, query)));
  const askCube = async (query: object) =>
    sorted(await databases.run(dialect, { sql: sqlByCube(cube, dialect, query), values: [] }));

  it.each(["events", "shown"].flatMap((name) => DIMENSIONS.map((each) => [`${name}.${each.name}`, each.sql] as const)))(
    "shows %s (%s) as Cube does",
    async (dimension) => {
      const query = { dimensions: [dimension], order: [], timezone: PHOENIX };
      expect(await ask(query)).toEqual(await askCube(query));
    },
  );

  it.each(["events", "shown"].flatMap((name) => MEASURES.map((each) => [`${name}.${each.name}`, each.sql] as const)))(
    "answers %s (%s) as Cube does",
    async (measure) => {
      const query = { measures: [measure], order: [], timezone: PHOENIX };
      expect(await ask(query)).toEqual(await askCube(query));
    },
  );

  it("answers a time of a day by the zone's clock, and the time of a measure as it is stored", async () => {
    const query = { dimensions: ["events.day"], measures: ["events.last", "events.last_time", "events.last_day"] };
    expect(await ask({ ...query, timezone: PHOENIX })).toEqual(
      sorted([
        ["2023-12-31 00:00:00", "2024-01-01 03:30:00", "2024-01-01 03:30:00", "2023-12-31 00:00:00"],
        ["2024-03-31 00:00:00", "2024-04-01 02:00:00", "2024-04-01 02:00:00", "2024-03-31 00:00:00"],
        ["2024-04-01 00:00:00", "2024-04-01 09:00:00", "2024-04-01 09:00:00", "2024-04-01 00:00:00"],
        [null, null, null, null],
      ]),
    );
  });

  it("shows the start of a granularity of the model's own", async () => {
    expect(await ask({ dimensions: ["events.fiscal"], timezone: PHOENIX })).toEqual([
      ["2023-04-01 00:00:00"],
      ["2024-04-01 00:00:00"],
      [null],
    ]);
  });

  it.each([
    ["events.day", "month"],
    ["events.day_again", "month"],
    ["events.noon", "month"],
    ["events.alias", "month"],
  ])("groups %s by %s once on the zone's clock", async (dimension, granularity) => {
    const rows = await ask({
      measures: ["events.count"],
      timeDimensions: [{ dimension, granularity }],
      timezone: PHOENIX,
    });
    expect(rows).toEqual(
      sorted([
        ["2023-12-01 00:00:00", 1],
        ["2024-03-01 00:00:00", 2],
        ["2024-04-01 00:00:00", 1],
        [null, 1],
      ]),
    );
  });

  it.each(["at", "alias", "day", "noon", "first"])("finds the rows of events.%s by what it shows", async (name) => {
    const dimension = `events.${name}`;
    const dates: [string, string] = ["2024-03-31T00:00:00.000", "2024-03-31T23:59:59.999"];
    const filters = [{ member: dimension, operator: "onTheDate" as const, values: dates }];
    const query = { measures: ["events.count"], timezone: PHOENIX };
    expect(await ask({ ...query, filters })).toEqual([[2]]);
    expect(await ask({ ...query, timeDimensions: [{ dimension, dateRange: dates }] })).toEqual([[2]]);
  });

  it("finds what a number shows of a time, and what a measure does", async () => {
    const query = { measures: ["events.count"], timezone: PHOENIX };
    const year = [{ member: "events.year", operator: "equals" as const, values: ["2023"] }];
    expect(await ask({ ...query, filters: year })).toEqual([[1]]);
    const last = (measure: string, value: string) =>
      ask({ ...query, filters: [{ member: measure, operator: "equals" as const, values: [value] }] });
    expect(await last("events.last_time", "2024-04-01T02:00:00.000")).toEqual([[5]]);
    expect(await last("events.last_day", "2024-04-01T00:00:00.000")).toEqual([[5]]);
  });
});
