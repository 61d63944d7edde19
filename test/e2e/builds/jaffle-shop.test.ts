// The jaffle shop, built by dbt with DuckDB and by a doc: the same tables; and what becomes of them when a test fails.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openJaffleShop, readShopDoc, type JaffleShop, type RawTables } from "../../support/node/jaffle/jaffle-shop.ts";
import { rowsOf } from "../client.ts";
import { createDoc, listTables, rerunDoc, runDoc } from "./runs.ts";
import { insertRows, SPOILT, type Spoilt } from "./spoilt-rows.ts";

const DAYS = 30;
/** What the shop has sold by the end of these days is loaded first, then that of one more day, then the rest. */
const LOADS = ["2018-09-16", "2018-09-17", "2019"] as const;
const TEST_MS = 300_000;

const STAGING = ["stg_customers", "stg_orders", "stg_order_items", "stg_locations", "stg_products", "stg_supplies"];
const MARTS = ["order_items", "orders", "customers"];
const TABLES = [...STAGING, ...MARTS];

let folder: string;
let shop: JaffleShop;
let docId: string;
let loads: [RawTables, RawTables, RawTables];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-jaffle-"));
  shop = await openJaffleShop();
  const raw = await shop.generate(DAYS);
  loads = [soldIn(raw, "", LOADS[0]), soldIn(raw, LOADS[0], LOADS[1]), soldIn(raw, LOADS[1], LOADS[2])];
  docId = await createDoc(await readShopDoc());
  await rowsOf("CREATE SCHEMA LAKE.jaffle_raw");
  for (const [name, rows] of Object.entries(loads[0])) await insertRows(name, rows, true);
}, TEST_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What does not change is in the first part alone. */
function soldIn(raw: RawTables, from: string, before: string): RawTables {
  const orders = raw.orders.filter(({ ordered_at: at }) => from <= String(at) && String(at) < before);
  const ids = new Set(orders.map(({ id }) => id));
  const items = raw.items.filter(({ order_id: id }) => ids.has(id!));
  return from === ""
    ? { ...raw, orders, items }
    : { customers: [], stores: [], products: [], supplies: [], orders, items };
}

/** Columns with their types, and all rows, of each table as either DuckDB writes them. */
const SHOWN = {
  columns:
    "SELECT table_name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position) AS shown " +
    "FROM information_schema.columns WHERE table_schema = 'jaffle' GROUP BY table_name ORDER BY table_name",
  rows: TABLES.map(
    (name) =>
      `SELECT '${name}' AS table_name, string_agg(t::VARCHAR, chr(10) ORDER BY t::VARCHAR) AS shown FROM jaffle.${name} AS t`,
  ).join(" UNION ALL "),
};

/** By the names of the tables. */
type Shop = Record<keyof typeof SHOWN, Record<string, unknown>>;

async function shopOfDbt(): Promise<Shop> {
  const [columns, rows] = await shop.ask(folder, [SHOWN.columns, SHOWN.rows]);
  return { columns: Object.fromEntries(columns!), rows: Object.fromEntries(rows!) } as Shop;
}

async function shopOfDoc(): Promise<Shop> {
  const byName = async (sql: string) =>
    Object.fromEntries((await rowsOf(sql)).map((row) => [String(row.table_name), row.shown]));
  return { columns: await byName(SHOWN.columns), rows: await byName(SHOWN.rows) };
}

/** Builds the first loads by the doc and by dbt, and holds all tables of the one against those of the other. */
async function expectSame(loaded: number): Promise<void> {
  const names = Object.keys(loads[0]) as (keyof RawTables)[];
  const raw = Object.fromEntries(
    names.map((name) => [name, loads.slice(0, loaded).flatMap((load) => load[name])]),
  ) as RawTables;
  const [run] = await Promise.all([runDoc(docId), shop.build(folder, raw)]);
  expect(run, JSON.stringify(run)).toMatchObject({ state: "succeeded" });
  const [ours, theirs] = [await shopOfDoc(), await shopOfDbt()];
  expect(Object.keys(theirs.rows).sort()).toEqual([...TABLES].sort());
  expect(ours.columns).toEqual(theirs.columns);
  for (const table of TABLES) expect(ours.rows[table], table).toEqual(theirs.rows[table]);
  expect(String(theirs.rows.orders).split("\n")).toHaveLength(raw.orders.length);
}

it("builds the tables that dbt builds, column by column and row by row", { timeout: TEST_MS }, () => expectSame(1));

describe("a row of the input that a test finds", () => {
  it.each(Object.keys(SPOILT) as Spoilt[])(
    "keeps all tables as they were until it is put right: %s",
    { timeout: TEST_MS },
    async (name) => {
      const { dataset, sample, spoil, mend } = SPOILT[name](loads);
      const before = await shopOfDoc();
      await spoil();
      const failed = await runDoc(docId);
      expect(failed, JSON.stringify(failed)).toMatchObject({ state: "failed" });
      expect(failed.error).toBe(`${dataset}: Test 1 (${name}) fails: 1 row.`);
      const tables = await listTables(docId, failed.id);
      expect(tables.filter(({ is_published: isPublished }) => isPublished)).toEqual([]);
      const found = tables.flatMap(({ tests }) => tests).filter(({ state }) => state !== "passed");
      expect(found).toMatchObject([{ name, severity: "error", state: "failed", rows: 1, error: null, sample }]);
      expect(await shopOfDoc()).toEqual(before);

      await mend();
      const rerun = await rerunDoc(docId, failed.id);
      expect(rerun, JSON.stringify(rerun)).toMatchObject({ state: "succeeded" });
    },
  );

  it("is found by each test of the doc", async () => {
    const { datasets } = parse(await readShopDoc()) as { datasets: Record<string, { tests?: object[] }> };
    const tested = Object.entries(datasets).flatMap(([key, { tests = [] }]) => tests.map(() => key));
    const found = Object.values(SPOILT).map((spoilt) => spoilt(loads).dataset);
    expect(found.sort()).toEqual(tested.sort());
  });
});

it("leaves the tables as dbt has them once all is loaded", { timeout: TEST_MS }, async () => {
  await insertRows("items", loads[2].items);
  await insertRows("orders", loads[2].orders);
  await expectSame(3);
});
