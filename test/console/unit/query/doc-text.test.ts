// A statement put into a doc: its dataset, its tile's place, and what the doc's text keeps.

import { parse } from "yaml";
import { expect, it } from "vitest";
import { emptyDocText, textWithDataset, type NewDataset } from "../../../../src/console/screens/query/keep/doc-text.ts";

const ORDERS: NewDataset = {
  title: "Orders a month",
  dataset: { engine: "sql", sql: "SELECT 1 AS one\nFROM orders" },
  viz: { type: "line", x: { field: "month" }, y: [{ field: "orders" }] },
};

it("makes a dashboard whose second tile stands beside the first, and the third below", () => {
  let text = emptyDocText("dashboard", "Shop");
  for (let at = 0; at < 3; at++) text = textWithDataset(text, ORDERS);
  const { metadata, datasets, layout } = parse(text);
  expect(metadata).toEqual({ name: "Shop" });
  expect(Object.keys(datasets)).toEqual(["orders_a_month", "orders_a_month_2", "orders_a_month_3"]);
  expect(layout.tiles.map(({ id, source, x, y }: Record<string, unknown>) => [id, source, x, y])).toEqual([
    ["orders_a_month", "orders_a_month", 0, 0],
    ["orders_a_month_2", "orders_a_month_2", 18, 0],
    ["orders_a_month_3", "orders_a_month_3", 0, 10],
  ]);
  expect(layout.tiles[0]).toMatchObject({ type: "chart", title: "Orders a month", viz: ORDERS.viz, w: 18 });
});

it("keeps comments, tiles beside the layout and what it does not know", () => {
  const text = `# Ours.
kind: dashboard
metadata: { name: Shop } # short
tiles:
  - { id: head, type: markdown, content: Hello, x: 0, y: 0, w: 36, h: 4 }
`;
  const changed = textWithDataset(text, { title: "Größe", dataset: ORDERS.dataset });
  expect(changed).toContain("# Ours.");
  expect(changed).toContain("{ name: Shop } # short");
  const { tiles, datasets } = parse(changed);
  expect(tiles[1]).toEqual({ id: "gr_e", type: "table", title: "Größe", source: "gr_e", x: 0, y: 4, w: 18, h: 10 });
  expect(datasets.gr_e.sql).toBe(ORDERS.dataset.sql);
});

it("adds to any other doc no tile", () => {
  const { layout, datasets } = parse(textWithDataset(emptyDocText("pipeline", "Nightly"), ORDERS));
  expect([layout, datasets.orders_a_month]).toEqual([undefined, ORDERS.dataset]);
});
