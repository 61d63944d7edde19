import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { ColumnProfile, type ProfileRequest } from "../../../kernel/wire/engine.ts";
import { CatalogPlatform } from "../../support/node/lake/catalog-platform.ts";
import { startEngine, type Engine } from "../../support/node/programs/engine.ts";

let platform: CatalogPlatform;
let engine: Engine;
const ROWS = 10_000;

const column = (id: number, name: string, type: string, children: LakeColumn[] = []): LakeColumn => ({
  id,
  name,
  type,
  nullable: true,
  children,
});
const COLUMNS: LakeColumn[] = [
  ...[
    column(1, "n", "int64"),
    column(2, "price", "decimal(18,2)"),
    column(3, "ratio", "float64"),
    column(4, "word", "varchar"),
    column(5, "at", "timestamptz"),
    column(6, "day", "date"),
  ],
  ...[
    column(7, "flag", "boolean"),
    column(8, "tags", "list", [column(9, "element", "int32")]),
    column(10, "same", "int32"),
    column(11, "nothing", "int64"),
    column(12, 'odd "name"; --', "uint64"),
  ],
  ...[
    column(13, "clock", "time"),
    column(14, "raw", "blob"),
    column(15, "uid", "uuid"),
    column(16, "doc", "json"),
    column(17, "long", "varchar"),
    column(18, "wide", "int128"),
  ],
  ...[
    column(19, "span", "interval"),
    column(20, "whole", "struct", [column(21, "x", "int32")]),
    column(22, "pair", "map", [column(23, "key", "int32"), column(24, "value", "int32")]),
    column(25, "ns", "timestamp_ns"),
  ],
  ...[
    column(26, "edge", "int64"),
    column(27, "vast", "float64"),
    column(28, "never", "date"),
    column(29, "stamp", "timestamp"),
  ],
];
const SELECT = `
  SELECT i AS n, (i / 4.0)::DECIMAL(18,2) AS price, CASE i % 1000 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN 'inf'::DOUBLE ELSE i / 2 END AS ratio,
    CASE WHEN i % 4 = 0 THEN NULL WHEN i % 4 = 1 THEN 'often' ELSE 'w' || (i % 100) END AS word, TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_minutes(i) AS at,
    CASE WHEN i = 0 THEN 'infinity'::DATE ELSE DATE '2026-01-01' + (i % 100)::INTEGER END AS day, i % 3 = 0 AS flag, [i::INTEGER] AS tags, 7 AS same, NULL::BIGINT AS nothing,
    18446744073709551615 - i::UBIGINT AS "odd ""name""; --", TIME '00:00:00' + to_seconds(i) AS clock, ('b' || i % 3)::BLOB AS raw, md5((i % 5)::VARCHAR)::UUID AS uid, '{"a":1}'::JSON AS doc,
    repeat('x', 300) || i % 2 AS long, 1000000000000000000000000000000 - i::HUGEINT AS wide, to_days((i % 9)::INTEGER) AS span, {'x': i::INTEGER} AS whole, MAP {i::INTEGER: 1} AS pair,
    TIMESTAMP_NS '2026-01-01 00:00:00.123456789' AS ns, CASE i % 2 WHEN 0 THEN -9223372036854775808 ELSE 9223372036854775807 END AS edge,
    CASE i % 3 WHEN 0 THEN -1.7e308 WHEN 1 THEN 1.7e308 ELSE 1e-300 END::DOUBLE AS vast, 'infinity'::DATE AS never, TIMESTAMP '0001-01-01' + to_days((i * 10000)::INTEGER) AS stamp
  FROM range(${ROWS}) AS t(i)`;

beforeAll(async () => {
  platform = await CatalogPlatform.start();
  engine = await startEngine({ hostsAllowed: "loopback", platformUrl: platform.url });
  const name = ["Odd schema", 'a "table"'] as const;
  platform.commit({ kind: "create_table", schema: name[0], name: name[1], columns: COLUMNS });
  platform.commit({
    kind: "append",
    schema: name[0],
    name: name[1],
    files: [await platform.write(...name, COLUMNS, SELECT)],
  });
});
afterAll(async () => {
  await engine.stop();
  await platform.stop();
});

const aRequest = (name: string, more: Partial<ProfileRequest> = {}): ProfileRequest => ({
  ...{
    id: crypto.randomUUID(),
    lake: platform.grant(),
    schema: "Odd schema",
    table: 'a "table"',
    column: name,
    type: COLUMNS.find((one) => one.name === name)?.type ?? "int64",
    deadlineMs: 60_000,
  },
  ...more,
});

async function profile(name: string, more: Partial<ProfileRequest> = {}): Promise<ColumnProfile> {
  const response = await engine.call("POST", "/profiles", aRequest(name, more));
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return ColumnProfile.parse(body);
}

describe("a column's live profile", () => {
  it("counts rows and values, and finds both ends", async () => {
    expect(await profile("n")).toMatchObject({
      rows: ROWS,
      values: ROWS,
      notFinite: null,
      min: "0",
      max: "9999",
      distinct: { count: ROWS, exact: true },
      lacking: [],
    });
    expect(await profile("word")).toMatchObject({ rows: ROWS, values: 7_500, min: "often", max: "w99" });
  });

  it("names the most frequent values with their counts", async () => {
    const { top, distinct } = await profile("word");
    expect(top!.values.slice(0, 2)).toEqual([
      { value: "often", count: 2_500 },
      { value: "w10", count: 100 },
    ]);
    expect([top!.exact, top!.values.length, distinct]).toEqual([true, 10, { count: 51, exact: true }]);
  });

  it.each(["n", "price", "ratio", "at", "day", "wide", 'odd "name"; --', "ns", "same", "edge", "vast", "stamp"])(
    "gives %s a histogram whose buckets hold every finite value once, in order",
    async (name) => {
      const { values, notFinite, histogram } = await profile(name);
      const { buckets } = histogram!;
      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(values - (notFinite ?? 0));
      for (const [i, { from }] of buckets.entries()) if (i > 0) expect(from).toBe(buckets[i - 1]!.to);
      expect(buckets.length).toBeLessThanOrEqual(20);
    },
  );

  it("has no histogram of what is never finite", async () => {
    expect(await profile("never")).toMatchObject({
      values: ROWS,
      notFinite: ROWS,
      max: "infinity",
      histogram: null,
      quantiles: null,
      lacking: [],
    });
  });

  it("makes buckets of equal width", async () => {
    const { histogram } = await profile("n");
    expect(histogram!.exact).toBe(true);
    const counts = histogram!.buckets.map(({ count }) => count);
    expect(counts).toHaveLength(20);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
    expect(histogram!.buckets.at(-1)!.to).toBe("9999");
  });

  it("estimates quantiles of what has an order and a middle", async () => {
    const median = async (name: string) => (await profile(name)).quantiles?.find(({ at }) => at === 0.5)?.value;
    expect(Math.abs(Number(await median("n")) - ROWS / 2)).toBeLessThan(ROWS / 50);
    expect(await median("at")).toMatch(/^2026-01-0[34] /);
    expect(await median("day")).toMatch(/^2026-02-/);
    expect(await median("clock")).toMatch(/^01:2/);
    for (const name of ["word", "flag", "uid", "raw", "span"]) expect(await median(name)).toBeUndefined();
  });

  it("keeps NaN and infinities out of quantiles and buckets, and counts them", async () => {
    const { notFinite, max, quantiles, histogram } = await profile("ratio");
    expect([notFinite, max]).toEqual([20, "nan"]);
    expect(quantiles!.every(({ value }) => Number.isFinite(Number(value)))).toBe(true);
    expect(histogram!.buckets.every(({ to }) => Number.isFinite(Number(to)))).toBe(true);
    expect((await profile("day")).notFinite).toBe(1);
  });

  it.each(["tags", "whole", "pair"])("counts the nested %s and says that its values are not compared", async (name) => {
    expect(await profile(name)).toMatchObject({
      rows: ROWS,
      values: ROWS,
      min: null,
      distinct: null,
      top: null,
      histogram: null,
      lacking: [{ figure: "values" }],
    });
  });

  it.each(["flag", "raw", "uid", "doc", "clock", "span", "long"])(
    "tells ends, distinct and top values of %s",
    async (name) => {
      const { min, max, distinct, top, lacking } = await profile(name);
      expect([typeof min, typeof max, distinct!.exact, lacking]).toEqual(["string", "string", true, []]);
      expect(top!.values.length).toBe(Math.min(10, distinct!.count));
    },
  );

  it("spells bytes in hexadecimal, as the catalog's statistics do", async () => {
    expect(await profile("raw")).toMatchObject({
      min: "6230",
      max: "6232",
      top: { values: [{ value: "6230" }, { value: "6231" }, { value: "6232" }] },
    });
  });

  it("cuts long values, and shows where", async () => {
    const { max, top } = await profile("long");
    expect([max!.length, max!.at(-1), top!.values[0]!.value.length]).toEqual([256, "…", 256]);
  });

  it("of NULLs alone is counts", async () => {
    expect(await profile("nothing")).toMatchObject({
      rows: ROWS,
      values: 0,
      min: null,
      max: null,
      distinct: { count: 0, exact: true },
      top: null,
      histogram: null,
      lacking: [],
    });
  });

  it("picks the top of very many values by an estimate, and says so", async () => {
    const many = [column(1, "n", "int64")];
    const file = await platform.write(
      "main",
      "many",
      many,
      "SELECT CASE WHEN i % 10 = 0 THEN 7 ELSE i END AS n FROM range(1500000) AS t(i)",
    );
    platform.commit(
      { kind: "create_table", schema: "main", name: "many", columns: many },
      { kind: "append", schema: "main", name: "many", files: [file] },
    );
    const { distinct, top } = await profile("n", { schema: "main", table: "many", type: "int64" });
    expect([distinct!.exact, top!.exact, top!.values[0]]).toEqual([false, false, { value: "7", count: 150_001 }]);
    expect(Math.abs(distinct!.count - 1_350_000)).toBeLessThan(150_000);
  });

  it("sees the table as of its grant's snapshot", async () => {
    expect(await profile("n", { lake: platform.grant(1) })).toMatchObject({ rows: 0, values: 0 });
  });

  it("takes names for names, whatever they spell", async () => {
    expect(await profile('odd "name"; --')).toMatchObject({ values: ROWS, max: "18446744073709551615" });
    const refused = await engine.call("POST", "/profiles", aRequest('n") FROM x --'));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, "sql_error"]);
  });

  it("ends by its deadline", async () => {
    const late = await engine.call("POST", "/profiles", aRequest("n", { deadlineMs: 1 }));
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([408, "deadline_exceeded"]);
  });
});
