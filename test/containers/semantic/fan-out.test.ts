// Orders, their line items and their payments in one query: no row is counted twice, and none is lost.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SemanticQuery } from "../../../kernel/semantic/query.ts";
import { ProofServers, type ProofRow } from "../../support/node/semantic/proof-servers.ts";
import { DIALECTS, type Dialect } from "../../support/node/semantic/proof-tables.ts";
import { differenceOf, keysOf } from "../../support/node/semantic/same-rows.ts";
import { FACT_TABLES, factModel } from "../../support/node/semantic/three-facts.ts";

let servers: ProofServers;
beforeAll(async () => void (servers = await ProofServers.open(FACT_TABLES)));
afterAll(() => servers?.close());

type QueryParts = Partial<SemanticQuery>;

const rowsOf = async (dialect: Dialect, query: QueryParts): Promise<ProofRow[]> =>
  (await servers.ask(dialect, factModel(servers.schema), query)).rows;

const keysIn = ({ dimensions = [], timeDimensions = [] }: QueryParts): string[] =>
  keysOf({ dimensions, timeDimensions });

/** The rows are these, in any order. */
async function expectRows(dialect: Dialect, query: QueryParts, expected: ProofRow[]): Promise<void> {
  const actual = await rowsOf(dialect, query);
  expect(differenceOf({ actual, expected, keys: keysIn(query) }, dialect), JSON.stringify(actual)).toBeUndefined();
}

const ORDERS = ["orders.count", "orders.total", "orders.mean", "orders.paid", "orders.statuses"];
const ITEMS = ["line_items.count", "line_items.value", "line_items.dearest"];
const PAYMENTS = ["payments.count", "payments.amount"];
const ALL = [...ORDERS, ...ITEMS, ...PAYMENTS];

/** One of each kind and fact, for the many comparisons. */
const COMPARED = ["orders.count", "orders.total", "orders.mean", "line_items.value", "payments.amount"];
const OTHERS = Object.fromEntries(
  COMPARED.map((measure) => [measure, new Set(COMPARED.filter((other) => other !== measure))]),
);
const isNothing = (value: unknown): boolean => value === null || value === 0;
const isGroup = (one: ProofRow, other: ProofRow, query: QueryParts): boolean =>
  keysIn(query).every((key) => one[key] === other[key]);

/** The measures of all orders. No line item or payment lacks an order. */
const TRUTH: ProofRow = {
  "orders.count": 7,
  "orders.total": 237.5,
  "orders.mean": 237.5 / 6,
  "orders.paid": 200.5,
  "orders.statuses": 3,
  "line_items.count": 8,
  "line_items.value": 95,
  "line_items.dearest": 10,
  "payments.count": 5,
  "payments.amount": 137.1,
};
const truthOf = (measures: readonly string[]): ProofRow =>
  Object.fromEntries(measures.map((measure) => [measure, TRUTH[measure]!]));

const filter = (member: string, operator: "contains" | "equals" | "set" | "gt", ...values: string[]) => ({
  member,
  operator,
  values,
});

/** What narrows or groups a query; `line_items` and `payments` measured alone begin at their own table. */
const NARROWED: [string, QueryParts][] = [
  ["by a dimension of the one side", { dimensions: ["customers.city"] }],
  ["by a dimension with no name at times", { dimensions: ["orders.status"] }],
  ["by a dimension of a multiplying side", { dimensions: ["line_items.sku"] }],
  ["by two dimensions of two facts", { dimensions: ["line_items.sku", "payments.method"] }],
  ["by a dimension that is a measure of each order", { dimensions: ["orders.items"] }],
  [
    "by a time in a zone",
    { timeDimensions: [{ dimension: "orders.placed", granularity: "month" }], timezone: "Europe/Oslo" },
  ],
  ["under a filter of line items", { filters: [filter("line_items.sku", "contains", "pen")] }],
  ["under a filter with a pattern's letters", { filters: [filter("line_items.sku", "contains", "n_50%")] }],
  [
    "under a filter of the third fact",
    { filters: [filter("payments.method", "equals", "card")], dimensions: ["orders.status"] },
  ],
  ["under a filter of each order's measure", { filters: [filter("orders.items", "gt", "1")] }],
  ["within a segment", { segments: ["orders.settled"] }],
  [
    "within two segments of two facts",
    { segments: ["orders.settled", "line_items.pens"], dimensions: ["customers.city"] },
  ],
  [
    "under either of two facts' filters",
    { filters: [{ or: [filter("line_items.sku", "equals", "ink"), filter("payments.method", "equals", "cash")] }] },
  ],
];

describe.each(DIALECTS)("measures of several facts on %s", (dialect) => {
  it("are each what they are alone", async () => {
    for (const measure of ALL) await expectRows(dialect, { measures: [measure] }, [truthOf([measure])]);
    await expectRows(dialect, { measures: [...ORDERS, ...ITEMS] }, [truthOf([...ORDERS, ...ITEMS])]);
    await expectRows(dialect, { measures: [...PAYMENTS, ...ITEMS, ...ORDERS] }, [TRUTH]);
    await expectRows(dialect, { measures: [...ITEMS, ...PAYMENTS] }, [truthOf([...ITEMS, ...PAYMENTS])]);
  });

  it.each(NARROWED)("are each what they are alone: %s", async (_, narrowed) => {
    const together = await rowsOf(dialect, { ...narrowed, measures: COMPARED });
    expect(together.length).toBeGreaterThan(0);
    await Promise.all(
      COMPARED.map(async (measure) => {
        const alone = await rowsOf(dialect, { ...narrowed, measures: [measure] });
        // A group without rows of a measure's cube has a count of none and an unknown sum.
        const there = together
          .map((row) => Object.fromEntries(Object.entries(row).filter(([member]) => !OTHERS[measure]!.has(member))))
          .filter((row) => alone.some((each) => isGroup(each, row, narrowed)) || !isNothing(row[measure]));
        expect(differenceOf({ actual: there, expected: alone, keys: keysIn(narrowed) }, dialect)).toBeUndefined();
      }),
    );
  });

  it("are of every group, also of one that a fact has nothing of", async () => {
    await expectRows(
      dialect,
      { dimensions: ["customers.city"], measures: ["orders.total", "line_items.count", "payments.amount"] },
      [
        { "customers.city": "Oslo", "orders.total": 250.2, "line_items.count": 4, "payments.amount": 150.1 },
        { "customers.city": "Bergen", "orders.total": -19.7, "line_items.count": 3, "payments.amount": -20 },
        { "customers.city": null, "orders.total": 7, "line_items.count": 1, "payments.amount": 7 },
      ],
    );
  });

  it("group by the clock of the query's zone", async () => {
    const months = (rows: [string | null, number, number][]): ProofRow[] =>
      rows.map(([at, count, items]) => ({
        "orders.placed.month": at && `${at}-01T00:00:00.000`,
        "orders.placed": at && `${at}-01T00:00:00.000`,
        "orders.count": count,
        "line_items.count": items,
      }));
    const query = {
      measures: ["orders.count", "line_items.count"],
      timeDimensions: [{ dimension: "orders.placed", granularity: "month" }],
    };
    await expectRows(
      dialect,
      query,
      months([
        ["2024-01", 1, 3],
        ["2024-02", 2, 3],
        ["2024-03", 3, 2],
        [null, 1, 0],
      ]),
    );
    // The last of January and the last of March are past midnight in Oslo; clocks change on the latter.
    await expectRows(
      dialect,
      { ...query, timezone: "Europe/Oslo" },
      months([
        ["2024-02", 3, 6],
        ["2024-03", 2, 1],
        ["2024-04", 1, 1],
        [null, 1, 0],
      ]),
    );
  });

  it("are filtered by as they are shown", async () => {
    const query = { dimensions: ["orders.status"], measures: ["orders.total", "line_items.count"] };
    await expectRows(dialect, { ...query, filters: [filter("line_items.count", "gt", "2")] }, [
      { "orders.status": "paid", "orders.total": 200.5, "line_items.count": 5 },
    ]);
    await expectRows(dialect, { ...query, filters: [filter("payments.amount", "gt", "49")] }, [
      { "orders.status": "paid", "orders.total": 200.5, "line_items.count": 5 },
      { "orders.status": "open", "orders.total": 50, "line_items.count": 2 },
    ]);
  });

  it("are ordered, cut and counted after they are taken", async () => {
    const query = {
      dimensions: ["orders.status"],
      measures: ["orders.total", "line_items.count"],
      order: [{ id: "orders.total", desc: true }],
    };
    const model = factModel(servers.schema);
    const { rows, total } = await servers.ask(dialect, model, { ...query, limit: 2, offset: 1 }, true);
    expect(total).toBe(4);
    expect(rows.map((row) => row["orders.status"])).toEqual(["open", null]);
    expect(rows.map((row) => Number(row["orders.total"]))).toEqual([50, 7]);
  });

  it("divide one fact's by another's", async () => {
    await expectRows(dialect, { measures: ["orders.items_each"] }, [{ "orders.items_each": 8 / 7 }]);
    await expectRows(dialect, { measures: ["orders.items_each", "orders.total", "payments.count"] }, [
      { "orders.items_each": 8 / 7, "orders.total": 237.5, "payments.count": 5 },
    ]);
  });

  it("are the same through a view", async () => {
    const direct = await rowsOf(dialect, {
      dimensions: ["customers.city"],
      measures: ["orders.total", "orders.count", "line_items.value", "payments.amount"],
    });
    const viewed = await rowsOf(dialect, {
      dimensions: ["sales.city"],
      measures: ["sales.total", "sales.count", "sales.line_items_value", "sales.payments_amount"],
    });
    const named = direct.map((row) => ({
      "sales.city": row["customers.city"]!,
      "sales.total": row["orders.total"]!,
      "sales.count": row["orders.count"]!,
      "sales.line_items_value": row["line_items.value"]!,
      "sales.payments_amount": row["payments.amount"]!,
    }));
    expect(differenceOf({ actual: viewed, expected: named, keys: ["sales.city"] }, dialect)).toBeUndefined();
  });
});
