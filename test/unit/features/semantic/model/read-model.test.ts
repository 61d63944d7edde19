// Models that people write are read into definitions, in one spelling for each thing.

import { describe, expect, it } from "vitest";
import { readModel } from "../../../../../src/features/semantic/model/read-model.ts";

const ORDERS = `
cubes:
  - name: orders
    sql_table: public.orders
    pre_aggregations:
      - name: main
        measures: [CUBE.count]
    joins:
      - name: users
        relationship: belongsTo
        sql: "{CUBE}.user_id = {users.id}"
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: created_at
        sql: "{CUBE}.created_at"
        type: time
        granularities:
          - name: fiscal_year
            interval: 1 year
            offset: 3 months
      - name: total
        sql: "{price} * {CUBE}.tax"
        type: number
      - { name: price, sql: "net + fee", type: number }
    measures:
      - { name: count, type: count, drill_members: [id, users.city] }
      - name: paid
        type: countDistinct
        sql: id
        filters:
          - sql: "{CUBE}.status = 'paid'"
      - name: share
        title: A share of {all}
        type: number
        sql: "1.0 * {paid} / nullif({count}, 0)"
  - name: users
    sql: SELECT * FROM users -- of the shop
    segments:
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
  - name: clients
    extends: users
    sql_table: clients
    dimensions:
      - { name: city, sql: town, type: string }
views:
  - name: sales
    cubes:
      - join_path: orders
        includes: [count, created_at]
      - join_path: orders.users
        includes: "*"
        excludes: [id]
        prefix: true
`;

const read = (content: string) => readModel([{ path: "model.yml", content }]);

describe("readModel", () => {
  it("reads cubes and views, spells each thing one way, and makes operands of what is referred to", () => {
    const { definitions, flaws } = read(ORDERS);
    expect(flaws).toBeUndefined();
    const [orders, users, clients] = definitions!.cubes;
    expect(orders!["joins"]).toEqual([
      { name: "users", relationship: "many_to_one", sql: "{CUBE}.user_id = {users.id}" },
    ]);
    expect(orders!["dimensions"]).toMatchObject([
      { sql: "id" },
      { sql: "{CUBE}.created_at" },
      { sql: "({price} * {CUBE}.tax)" },
      { sql: "(net + fee)" },
    ]);
    expect(orders!["measures"]).toMatchObject([
      { name: "count", drill_members: ["id", "users.city"] },
      { type: "count_distinct" },
      { title: "A share of {all}", sql: "(1.0 * {paid} / nullif({count}, 0))" },
    ]);
    expect(orders).not.toHaveProperty("pre_aggregations");
    expect(users!["sql"]).toBe("SELECT * FROM users -- of the shop\n");
    expect(clients).toEqual({
      name: "clients",
      sql_table: "clients",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "city", sql: "town", type: "string" },
      ],
    });
  });

  it("notes what it leaves out, where it stands", () => {
    const { notes } = read(ORDERS) as { notes: unknown[] };
    expect(notes).toEqual([
      { file: "model.yml", line: 5, column: 5, member: "orders", message: expect.stringContaining("Left out") },
    ]);
  });
});
