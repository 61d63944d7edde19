// Joins by a dimension that is a measure of another cube, on each database, held to SQL written by hand: rows that a
// join repeats, rows without any counterpart on either side, filters, and what is left out of a sub-query.

import { describe, expect, it } from "vitest";
import { SQL_DIALECTS } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { askOnEachDatabase, COUNT, ID } from "../../../support/node/semantic/dialect-suite.ts";

/** Customers are of the tier that their orders' total has reached. Ann ordered twice, Cyd never, Dan's tier is none. */
const { table, sqlOf, run, ask } = askOnEachDatabase(
  [
    {
      name: "customers",
      columns: { id: "number", name: "text", fee: "number" },
      rows: [
        [1, "Ann", 5],
        [2, "Bob", 7],
        [3, "Cyd", 11],
        [4, "Dan", 13],
        [5, "Eve", 17],
      ],
    },
    {
      name: "orders",
      columns: { id: "number", customer_id: "number", points: "number", shop: "text" },
      rows: [
        [1, 1, 1, "north"],
        [2, 1, 1, "south"],
        [3, 2, 2, "north"],
        [4, 4, 9, "north"],
        [5, 5, 1, "south"],
        [6, null, 1, "south"],
      ],
    },
    {
      name: "tiers",
      columns: { id: "number", points: "number", name: "text", bonus: "number" },
      rows: [
        [1, 1, "bronze", 100],
        [2, 2, "silver", 200],
        [3, 3, "gold", 300],
      ],
    },
    {
      name: "perks",
      columns: { id: "number", tier_id: "number" },
      rows: [
        [1, 2],
        [2, 2],
        [3, 3],
      ],
    },
  ],
  (table) => [
    {
      name: "customers",
      sql_table: table("customers"),
      joins: [
        { name: "orders", relationship: "one_to_many", sql: "{CUBE}.id = {orders}.customer_id" },
        { name: "tiers", relationship: "many_to_one", sql: "{points} = {tiers.points}" },
        { name: "levels", relationship: "many_to_one", sql: "{CUBE.next_points} = {levels}.points" },
        { name: "shops", relationship: "many_to_one", sql: "{filtered} = {shops.id}" },
        { name: "ranks", relationship: "many_to_one", sql: "{points} = {ranks.perks}" },
        { name: "seats", relationship: "many_to_one", sql: "{ranks.perks} = {seats}.id" },
      ],
      dimensions: [
        ID,
        { name: "name", sql: "name", type: "string" },
        { name: "points", sql: "{orders.points}", type: "number", sub_query: true },
        { name: "next_points", sql: "{points} + 1", type: "number" },
        {
          name: "filtered",
          sql: "{orders.count}",
          type: "number",
          sub_query: true,
          propagate_filters_to_sub_query: true,
        },
      ],
      measures: [COUNT, { name: "fees", sql: "fee", type: "sum" }],
    },
    {
      name: "orders",
      sql_table: table("orders"),
      dimensions: [ID, { name: "shop", sql: "shop", type: "string" }],
      measures: [COUNT, { name: "points", sql: "points", type: "sum" }],
    },
    {
      name: "tiers",
      sql_table: table("tiers"),
      joins: [{ name: "perks", relationship: "one_to_many", sql: "{CUBE}.id = {perks}.tier_id" }],
      dimensions: [
        ID,
        { name: "points", sql: "points", type: "number" },
        { name: "name", sql: "name", type: "string" },
      ],
      measures: [COUNT, { name: "bonus", sql: "bonus", type: "sum" }],
    },
    { name: "levels", sql_table: table("tiers"), dimensions: [ID, { name: "name", sql: "name", type: "string" }] },
    { name: "shops", sql_table: table("tiers"), dimensions: [ID] },
    { name: "seats", sql_table: table("tiers"), dimensions: [ID, { name: "name", sql: "name", type: "string" }] },
    {
      name: "ranks",
      sql_table: table("tiers"),
      joins: [{ name: "perks", relationship: "one_to_many", sql: "{CUBE}.id = {perks}.tier_id" }],
      dimensions: [
        ID,
        { name: "name", sql: "name", type: "string" },
        { name: "perks", sql: "{perks.count}", type: "number", sub_query: true },
      ],
      measures: [{ name: "bonus", sql: "bonus", type: "sum" }],
    },
    { name: "perks", sql_table: table("perks"), dimensions: [ID], measures: [COUNT] },
  ],
);

/** Each customer with the tier by hand; orders, tiers and perks as asked for beside it. */
const joined = (): string =>
  `FROM ${table("customers")} c
     LEFT JOIN (SELECT customer_id, SUM(points) AS points FROM ${table("orders")} GROUP BY customer_id) s
       ON s.customer_id = c.id
     LEFT JOIN ${table("tiers")} t ON t.points = s.points
     LEFT JOIN ${table("tiers")} l ON l.points = s.points + 1
          LEFT JOIN (SELECT r.id, r.name, r.bonus, COUNT(k.id) AS perks FROM ${table("tiers")} r
                LEFT JOIN ${table("perks")} k ON k.tier_id = r.id GROUP BY r.id, r.name, r.bonus) r ON r.perks = s.points
     LEFT JOIN ${table("tiers")} e ON e.id = r.perks
     LEFT JOIN ${table("orders")} o ON o.customer_id = c.id
     LEFT JOIN ${table("perks")} p ON p.tier_id = t.id`;
const distinctSum = (key: string, value: string): string =>
  `CAST((SUM(DISTINCT ${key} * 100000 + ${value}) - 100000 * SUM(DISTINCT ${key})) AS DECIMAL(20, 0))`;

const CASES: [what: string, query: Partial<SemanticQuery>, byHand: () => string][] = [
  [
    "groups of what is joined, with the row of those that it lacks",
    { measures: ["customers.count", "customers.fees"], dimensions: ["tiers.name"] },
    () => `SELECT t.name, COUNT(DISTINCT c.id), ${distinctSum("c.id", "c.fee")} ${joined()} GROUP BY t.name`,
  ],
  [
    "rows that are not aggregated",
    { dimensions: ["customers.name", "customers.points", "tiers.name"] },
    () => `SELECT DISTINCT c.name, s.points, t.name ${joined()}`,
  ],
  [
    "a join by what is made of a sub-query",
    { measures: ["customers.count"], dimensions: ["levels.name"] },
    () => `SELECT l.name, COUNT(DISTINCT c.id) ${joined()} GROUP BY l.name`,
  ],
  [
    "a join by a sub-query of the cube that it leads to",
    { measures: ["customers.count", "customers.fees"], dimensions: ["ranks.name", "ranks.perks"] },
    () =>
      `SELECT r.name, r.perks, COUNT(DISTINCT c.id), ${distinctSum("c.id", "c.fee")} ${joined()} GROUP BY r.name, r.perks`,
  ],
  [
    "what such a join repeats once",
    {
      measures: ["ranks.bonus"],
      dimensions: ["orders.shop"],
      filters: [{ member: "customers.id", operator: "set", values: [] }],
    },
    () => `SELECT o.shop, ${distinctSum("r.id", "r.bonus")} ${joined()} GROUP BY o.shop`,
  ],
  [
    "a join by a sub-query of a cube that is joined before",
    { measures: ["customers.count"], dimensions: ["seats.name"] },
    () => `SELECT e.name, COUNT(DISTINCT c.id) ${joined()} GROUP BY e.name`,
  ],
  [
    "what a further join repeats once",
    { measures: ["customers.fees"], dimensions: ["orders.shop", "tiers.name"] },
    () => `SELECT o.shop, t.name, ${distinctSum("c.id", "c.fee")} ${joined()} GROUP BY o.shop, t.name`,
  ],
  [
    "what lies behind the join and repeats rows",
    {
      measures: ["customers.fees"],
      dimensions: ["tiers.name"],
      filters: [{ member: "perks.id", operator: "set", values: [] }],
    },
    () => `SELECT t.name, ${distinctSum("c.id", "c.fee")} ${joined()} WHERE p.id IS NOT NULL GROUP BY t.name`,
  ],
  [
    "filters on what is joined",
    {
      measures: ["customers.count", "orders.points"],
      filters: [{ member: "tiers.name", operator: "equals", values: ["silver"] }],
    },
    () => `SELECT COUNT(DISTINCT c.id), ${distinctSum("o.id", "o.points")} ${joined()} WHERE t.name = 'silver'`,
  ],
  [
    "filters that leave rows out, and not out of the sub-query",
    {
      measures: ["customers.count"],
      dimensions: ["tiers.name"],
      filters: [{ member: "orders.shop", operator: "equals", values: ["north"] }],
    },
    () => `SELECT t.name, COUNT(DISTINCT c.id) ${joined()} WHERE o.shop = 'north' GROUP BY t.name`,
  ],
  [
    "groups without any counterpart",
    {
      measures: ["customers.count"],
      dimensions: ["customers.name"],
      filters: [{ member: "tiers.name", operator: "notSet", values: [] }],
    },
    () => `SELECT c.name, COUNT(DISTINCT c.id) ${joined()} WHERE t.name IS NULL GROUP BY c.name`,
  ],
];

describe.each(SQL_DIALECTS)("on %s", (dialect) => {
  it.each(CASES)("answers %s", async (_, query, byHand) => {
    const expected = await run(dialect, byHand());
    expect(expected.length).toBeGreaterThan(0);
    expect(await ask(dialect, query)).toEqual(expected);
  });

  it("refuses a filter that would go into the sub-query that it is joined by", () => {
    const filters = [{ member: "shops.id", operator: "set" as const, values: [] }];
    expect(() => sqlOf(dialect, { measures: ["customers.count"], filters })).toThrow(
      /customers\.filtered .* by itself/,
    );
  });
});
