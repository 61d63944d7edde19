// Semantic statements from request to document, on each road.

import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineFailure } from "../../../../kernel/wire/engine.ts";
import { column } from "../../../support/node/lake/test-lake.ts";
import {
  SCHEMA,
  PLACES,
  SemanticEngine,
  type Place,
  type SemanticRequest,
} from "../../../support/node/semantic/semantic-engine.ts";
import { aSemanticQuery } from "../../../support/node/semantic/shop.ts";

const MODEL = {
  cubes: [
    {
      name: "orders",
      sql_table: `${SCHEMA}.orders`,
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "status", sql: "status", type: "string" },
        { name: "created_at", sql: "created_at", type: "time" },
        { name: "gone", sql: "{CUBE}.vanished", type: "string" },
      ],
      measures: [
        { name: "count", type: "count" },
        { name: "total", sql: "amount", type: "sum" },
        { name: "lost", sql: "{CUBE}.vanished", type: "max" },
      ],
    },
    {
      name: "ghosts",
      sql_table: `${SCHEMA}.ghosts`,
      dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
      measures: [{ name: "count", type: "count" }],
    },
  ],
  views: [],
};

const ROWS = [
  "(1, 'new', 12345678901234567.89, '2026-01-31 23:59:59.5')",
  "(2, 'it''s', 10.50, '2026-01-01 00:00:00')",
  "(3, 'new', 0.11, '2026-02-01 00:00:00')",
  "(4, NULL, 5.00, '2026-02-28 12:00:00')",
];
const ORDERS = {
  name: "orders",
  columns: [
    column(1, "id", "int32"),
    column(2, "status", "varchar"),
    column(3, "amount", "decimal(20,2)"),
    column(4, "created_at", "timestamp"),
  ],
  types: {
    id: { postgres: "integer", mysql: "int" },
    status: { postgres: "varchar", mysql: "varchar(20)" },
    amount: { postgres: "decimal(20,2)", mysql: "decimal(20,2)" },
    created_at: { postgres: "timestamp", mysql: "datetime(6)" },
  },
  rows: ROWS,
};

let engine: SemanticEngine;
beforeAll(async () => void (engine = await SemanticEngine.open([ORDERS])), 120_000);
afterAll(() => engine.close());

const ask = (place: Place, asked: SemanticRequest) => engine.ask(place, { model: MODEL, ...asked });
async function textOf(place: Place, asked: SemanticRequest): Promise<string> {
  const response = await ask(place, asked);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return text;
}
const documentOf = async (place: Place, asked: SemanticRequest) => JSON.parse(await textOf(place, asked));
const failureOf = async (place: Place, asked: SemanticRequest) => {
  const response = await ask(place, asked);
  return { status: response.status, ...EngineFailure.parse(await response.json()) };
};

const BY_MONTH = {
  measures: ["orders.count", "orders.total"],
  timeDimensions: [{ dimension: "orders.created_at", granularity: "month" }],
  order: [{ id: "orders.created_at.month", desc: false }],
};
/** `data` in any of its layouts. */
type Laid = unknown[] & { dataset: unknown[]; columns: unknown[][] };
const MONTHS = ["2026-01-01T00:00:00.000", "2026-02-01T00:00:00.000"];

describe.each(PLACES)("on %s", (place) => {
  it("answers rows under the names of members, times twice and in full, numbers with all their digits", async () => {
    const text = await textOf(place, { query: BY_MONTH, statement: { head: { queryType: "regularQuery" } } });
    expect(text).toMatch(/^{"queryType":"regularQuery","columns":\[/);
    expect(text).toContain('"orders.total":12345678901234578.39');
    const { columns, types, data, ...rest } = JSON.parse(text);
    expect(columns).toEqual(["orders.created_at.month", "orders.created_at", "orders.count", "orders.total"]);
    expect(types.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual(["timestamp", "timestamp"]);
    expect(data).toHaveLength(2);
    expect(data[1]).toEqual({
      "orders.created_at.month": MONTHS[1],
      "orders.created_at": MONTHS[1],
      "orders.count": 2,
      "orders.total": 5.11,
    });
    expect(rest).toMatchObject({ rowCount: 2, truncated: false, success: true });
    expect(rest).not.toHaveProperty("total");
  });

  it("keeps a time that is asked for by itself, to the millisecond", async () => {
    const { data } = await documentOf(place, {
      query: {
        ungrouped: true,
        dimensions: ["orders.id", "orders.created_at"],
        timeDimensions: [{ dimension: "orders.created_at", granularity: "day" }],
        order: [{ id: "orders.id", desc: false }],
        limit: 1,
      },
    });
    expect(data).toEqual([
      {
        "orders.id": 1,
        "orders.created_at": "2026-01-31T23:59:59.500",
        "orders.created_at.day": "2026-01-31T00:00:00.000",
      },
    ]);
  });

  it.each([
    ["it's", [2]],
    ["new", [1, 3]],
    ["'; DROP TABLE shop.orders; --", []],
    ["\\' OR 1=1 #", []],
    [null, [4]],
  ])("binds %j", async (value, ids) => {
    const { data } = await documentOf(place, {
      query: {
        ungrouped: true,
        dimensions: ["orders.id"],
        filters: [{ member: "orders.status", operator: "equals", values: [value] }],
        order: [{ id: "orders.id", desc: false }],
      },
    });
    expect(data.map((row: Record<string, number>) => row["orders.id"])).toEqual(ids);
  });

  it("finds by as many numbers as a filter may have", async () => {
    const values = Array.from({ length: 10_000 }, (_, i) => String(i + 2));
    const { data } = await documentOf(place, {
      query: { measures: ["orders.count"], filters: [{ member: "orders.id", operator: "in" as const, values }] },
    });
    expect(data).toEqual([{ "orders.count": 3 }]);
  });

  it("refuses a value with a NUL, which no two databases read alike", async () => {
    const query = {
      measures: ["orders.count"],
      filters: [{ member: "orders.status", operator: "equals" as const, values: ["new\u0000"] }],
    };
    expect(await failureOf(place, { query })).toMatchObject({ status: 400, code: "statement_refused" });
  });

  it("counts the rows that there are without limit and offset, on request", async () => {
    const query = { dimensions: ["orders.id"], order: [{ id: "orders.id", desc: true }], limit: 1, offset: 1 };
    const document = await documentOf(place, { query, statement: { total: true } });
    expect(document).toMatchObject({ data: [{ "orders.id": 3 }], rowCount: 1, total: 4, truncated: false });
  });

  it("lays rows out compact and columnar", async () => {
    const members = ["orders.created_at.month", "orders.created_at", "orders.count", "orders.total"];
    const head = { responseFormat: "compact" } as const;
    const compact = await documentOf(place, { query: BY_MONTH, statement: head });
    expect(compact.data).toEqual({
      members,
      dataset: [
        [MONTHS[0], MONTHS[0], 2, 12345678901234578],
        [MONTHS[1], MONTHS[1], 2, 5.11],
      ],
    });
    const columnar = await documentOf(place, {
      query: BY_MONTH,
      statement: { responseFormat: "columnar", total: true },
    });
    expect(columnar.data).toEqual({ members, columns: [MONTHS, MONTHS, [2, 2], [12345678901234578, 5.11]] });
    expect(columnar).toMatchObject({ columns: members, rowCount: 2, total: 2, truncated: false, success: true });
  });

  it.each(["default", "compact", "columnar"] as const)("lays no rows out: %s", async (responseFormat) => {
    const query = { ...BY_MONTH, filters: [{ member: "orders.id", operator: "equals" as const, values: ["77"] }] };
    const { data, rowCount } = await documentOf(place, { query, statement: { responseFormat } });
    const members = ["orders.created_at.month", "orders.created_at", "orders.count", "orders.total"];
    const expected = {
      default: [],
      compact: { members, dataset: [] },
      columnar: { members, columns: [[], [], [], []] },
    };
    expect(data).toEqual(expected[responseFormat]);
    expect(rowCount).toBe(0);
  });

  const ranged = (from: string, to: string) => ({
    query: aSemanticQuery({
      measures: ["orders.count"],
      timeDimensions: [
        {
          dimension: "orders.created_at",
          granularity: "day",
          dateRange: [`${from}T00:00:00.000`, `${to}T23:59:59.999`] as [string, string],
        },
      ],
      order: [{ id: "orders.created_at.day", desc: false }],
    }),
    head: { query: { from } },
    compareDateRange: `${from} - ${to}`,
  });
  const COMPARED = [
    ranged("2026-01-01", "2026-01-31"),
    ranged("2025-01-01", "2025-01-31"),
    ranged("2026-02-01", "2026-02-28"),
  ];
  const row = (range: number, day: string) => ({
    "orders.created_at.day": `${day}T00:00:00.000`,
    "orders.created_at": `${day}T00:00:00.000`,
    "orders.count": 1,
    compareDateRange: COMPARED[range]!.compareDateRange,
  });

  it("compares queries, each with its rows, and sends each row once", async () => {
    const statement = { head: { queryType: "compareDateRangeQuery" }, total: true };
    const document = await documentOf(place, { queries: COMPARED, statement });
    const january = [row(0, "2026-01-01"), row(0, "2026-01-31")];
    const february = [row(2, "2026-02-01"), row(2, "2026-02-28")];
    expect(document).toMatchObject({
      queryType: "compareDateRangeQuery",
      columns: ["orders.created_at.day", "orders.created_at", "orders.count", "compareDateRange"],
      rowCount: 4,
      success: true,
    });
    expect(document).not.toHaveProperty("data");
    expect(document.results).toEqual([
      { query: { from: "2026-01-01" }, total: 2, data: january },
      { query: { from: "2025-01-01" }, total: 0, data: [] },
      { query: { from: "2026-02-01" }, total: 2, data: february },
    ]);
    const columnar = await documentOf(place, { queries: COMPARED, statement: { responseFormat: "columnar" } });
    expect(columnar.results[2].data.columns[3]).toEqual([COMPARED[2]!.compareDateRange, COMPARED[2]!.compareDateRange]);
  });

  it("answers one range that is compared in the form of several", async () => {
    const { results } = await documentOf(place, { queries: [COMPARED[0]!] });
    expect(results).toEqual([{ query: { from: "2026-01-01" }, data: [row(0, "2026-01-01"), row(0, "2026-01-31")] }]);
  });

  it("runs none of the compared queries once the answer is full", async () => {
    const [first, second] = COMPARED;
    const filters = [{ member: "orders.gone", operator: "set" as const, values: [] }];
    const queries = [first!, { ...second!, query: { ...second!.query, filters } }];
    expect((await failureOf(place, { queries, request: { rowsMax: 3 } })).code).toBe("sql_error");
    const document = await documentOf(place, { queries, request: { rowsMax: 1 } });
    expect(document).toMatchObject({ rowCount: 1, truncated: true });
    expect(document.results.map(({ data }: { data: unknown[] }) => data)).toEqual([[row(0, "2026-01-01")], []]);
  });

  it("gives compared rows in formats of rows one after the other", async () => {
    const lines = (await textOf(place, { queries: COMPARED, request: { format: "ndjson" } })).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      row(0, "2026-01-01"),
      row(0, "2026-01-31"),
      row(2, "2026-02-01"),
      row(2, "2026-02-28"),
    ]);
    expect(await textOf(place, { query: BY_MONTH, request: { format: "csv" } })).toBe(
      `orders.created_at.month,orders.created_at,orders.count,orders.total\n${MONTHS[0]},${MONTHS[0]},2,12345678901234578.39\n${MONTHS[1]},${MONTHS[1]},2,5.11\n`,
    );
  });

  it("gives times in Arrow as times", async () => {
    const response = await ask(place, { query: BY_MONTH, request: { format: "arrow" } });
    const rows = tableFromIPC(new Uint8Array(await response.arrayBuffer())).toArray();
    const times = rows.map((each) => [Number(each["orders.created_at.month"]), Number(each["orders.created_at"])]);
    expect(times).toEqual(MONTHS.map((month) => [Date.parse(`${month}Z`), Date.parse(`${month}Z`)]));
  });

  it.each(["default", "compact", "columnar"] as const)(
    "cuts an answer at its bounds, and says so: %s",
    async (responseFormat) => {
      const query = { dimensions: ["orders.id"], order: [{ id: "orders.id", desc: false }] };
      const statement = { responseFormat };
      const rows = {
        default: (all: Laid) => all,
        compact: (all: Laid) => all.dataset,
        columnar: (all: Laid) => all.columns[0]!,
      };
      const byRows = await documentOf(place, { query, statement, request: { rowsMax: 3 } });
      expect([byRows.rowCount, byRows.truncated, rows[responseFormat](byRows.data).length]).toEqual([3, true, 3]);
      const whole = await documentOf(place, { query, statement, request: { rowsMax: 4 } });
      expect([whole.rowCount, whole.truncated]).toEqual([4, false]);
      const byBytes = await documentOf(place, {
        query,
        statement,
        request: { bytesMax: responseFormat === "default" ? 40 : 8 },
      });
      expect(byBytes.truncated).toBe(true);
      expect(byBytes.rowCount).toBeLessThan(4);
      expect(rows[responseFormat](byBytes.data).length).toBe(byBytes.rowCount);
    },
  );

  it("names the members whose columns their tables lack, and no place in SQL that nobody sent", async () => {
    for (const [query, member] of [
      [{ measures: ["orders.count"], dimensions: ["orders.gone"] }, "orders.gone"],
      [{ measures: ["orders.lost"] }, "orders.lost"],
      [{ measures: ["ghosts.count"] }, "ghosts"],
    ] as const) {
      const failure = await failureOf(place, { query: query as never });
      expect(failure).toMatchObject({ status: 400, code: "sql_error" });
      expect(failure.message).toContain(`The semantic model reads what is not there, in ${member}: `);
      expect(failure.position).toBeUndefined();
    }
  });

  it("quotes nothing of SQL that nobody sent where that is no SQL", async () => {
    const model = structuredClone(MODEL);
    model.cubes[0]!.dimensions.push({ name: "broken", sql: "CAST(id AS)", type: "string" });
    const failure = await failureOf(place, { model, query: { dimensions: ["orders.broken"] } });
    expect(failure).toMatchObject({ status: 400, code: "sql_error", message: expect.stringMatching(/syntax/) });
    expect(failure.message).not.toMatch(/FROM|shop|orders__/);
    expect(failure.position).toBeUndefined();
  });

  it("refuses members that the model does not have, and SQL of the model that the gate refuses", async () => {
    expect(await failureOf(place, { query: { measures: ["orders.nothing"] } })).toMatchObject({
      status: 400,
      code: "statement_refused",
      message: expect.stringContaining("orders.nothing"),
    });
    const reading = {
      lake: "current_setting('x')",
      postgres: "pg_read_file('/etc/passwd')",
      mysql: "LOAD_FILE('/etc/passwd')",
    };
    const model = structuredClone(MODEL);
    model.cubes[0]!.dimensions.push({ name: "file", sql: reading[place], type: "string" });
    expect(await failureOf(place, { model, query: { dimensions: ["orders.file"] } })).toMatchObject({
      status: 400,
      code: "statement_refused",
      message: expect.stringContaining("The SQL that the model makes of this query is refused"),
    });
  });

  it("takes no value of any row of a group", async () => {
    const model = structuredClone(MODEL);
    model.cubes[0]!.measures.push({ name: "any", sql: "amount", type: "number" });
    const query = { measures: ["orders.any"], dimensions: ["orders.status"] };
    expect(await failureOf(place, { model, query })).toMatchObject({
      status: 400,
      code: "sql_error",
      message: expect.stringContaining("GROUP BY"),
    });
  });

  it.each(["$1", "$2", "?"])("lets no SQL of a model take what a query compares with: %s", async (sql) => {
    const model = structuredClone(MODEL);
    model.cubes[0]!.dimensions.push({ name: "taken", sql: `CONCAT('', ${sql})`, type: "string" });
    const filters = [{ member: "orders.status", operator: "equals" as const, values: ["new"] }];
    expect(await failureOf(place, { model, query: { dimensions: ["orders.taken"], filters } })).toMatchObject({
      status: 400,
      code: "statement_refused",
      message: expect.stringContaining("outside of quotes, which would be taken for a bound value"),
    });
    model.cubes[0]!.dimensions.at(-1)!.sql = `CONCAT('', '${sql}' /* ${sql} */)`;
    const { data } = await documentOf(place, { model, query: { dimensions: ["orders.taken"], filters } });
    expect(data).toEqual([{ "orders.taken": sql }]);
  });

  it("ends at its deadline, also while it compiles", async () => {
    expect(await failureOf(place, { query: BY_MONTH, request: { deadlineMs: 1 } })).toMatchObject({
      status: 408,
      code: "deadline_exceeded",
    });
  });
});
