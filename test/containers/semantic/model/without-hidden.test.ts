// A model without what is hidden from its caller: as one that never had it, by Cube's own compiler.

import { describe, expect, it } from "vitest";
import type { AccessGrant } from "../../../../kernel/access/access.ts";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { compileModel } from "../../../../containers/engine/semantic/compile/model/compile-model.ts";
import { hiddenInLake, hiddenInSource } from "../../../../src/features/semantic/access/hidden-names.ts";
import { pruneMeta } from "../../../../src/features/semantic/access/prune-meta.ts";
import { withoutHidden } from "../../../../src/features/semantic/access/without-hidden.ts";
import type { Cube, Member } from "../../../../src/features/semantic/model/definitions.ts";
import { readModel } from "../../../../src/features/semantic/model/read-model.ts";
import { SHOP } from "../../../support/node/semantic/shop.ts";

/** JSON is YAML. */
function read(written: SemanticModel): SemanticModel {
  const { definitions, flaws } = readModel([{ path: "model.yml", content: JSON.stringify(written) }]);
  expect(flaws).toBeUndefined();
  return definitions!;
}

function metaOf(definitions: SemanticModel) {
  const compiled = compileModel(structuredClone(definitions));
  if ("flaws" in compiled) throw new Error(JSON.stringify(compiled.flaws));
  return JSON.parse(JSON.stringify(compiled.evaluated.meta)) as typeof compiled.evaluated.meta;
}

describe("withoutHidden", () => {
  it("is the model itself where nothing of it is hidden", () => {
    const definitions = read(SHOP);
    const restricted = withoutHidden(definitions, hiddenInLake([{ schema: "other", name: "orders", columns: null }]));
    expect(metaOf(restricted)).toEqual(metaOf(definitions));
    expect(pruneMeta(metaOf(definitions), restricted)).toEqual(metaOf(definitions));
  });
});

/** The names that are left of the shop. */
function leftOf(definitions: SemanticModel, isHidden: Parameters<typeof withoutHidden>[1]): string[] {
  const { cubes, views } = withoutHidden(definitions, isHidden);
  return [
    ...(cubes as Cube[]).flatMap(({ name, joins, measures, dimensions, segments }) => [
      ...(joins ?? []).map((join) => `${name}>${join.name}`),
      ...[measures, dimensions, segments].flatMap((members) =>
        ((members ?? []) as Member[]).map((member) => `${name}.${member.name}`),
      ),
    ]),
    ...views.map(({ name }) => name),
  ];
}

const grant = (more: Partial<AccessGrant>): AccessGrant => ({
  schema: "shop",
  table: "*",
  excludes: [],
  masks: {},
  filters: [],
  ...more,
});

describe("what is hidden in a lake", () => {
  const shop = read(SHOP);
  const all = leftOf(shop, () => false);
  const gone = (...hidden: Parameters<typeof hiddenInLake>[0]): string[] => {
    const left = leftOf(shop, hiddenInLake(hidden));
    return all.filter((name) => !left.includes(name));
  };

  it.each([
    [
      "a measure's column, with what is computed of it",
      ["amount"],
      ["orders.total", "orders.done_total", "orders.done_share", "orders.large"],
    ],
    ["in another case", ["AMOUNT"], ["orders.total", "orders.done_total", "orders.done_share", "orders.large"]],
    ["a filter's column", ["status"], ["orders.done_total", "orders.done_share", "orders.status"]],
    ["a join's column", ["customer_id"], ["orders>customers"]],
    ["a key", ["id"], ["orders>customers", "orders>line_items", "orders.id"]],
    ["a column that nothing reads", ["note"], []],
  ])("%s goes", (_, columns, expected) => {
    expect(gone({ schema: "shop", name: "orders", columns }).sort()).toEqual([...expected].sort());
  });

  it("a table goes with its cube, and with what leads to it", () => {
    expect(gone({ schema: "shop", name: "line_items", columns: null }).sort()).toEqual(
      ["line_items.id", "line_items.quantity", "line_items.sku", "orders>line_items"].sort(),
    );
  });

  it("a cube over a query goes with any table that may be in it, and not with another schema's", () => {
    expect(gone({ schema: "shop", name: "customers", columns: null })).toContain("customers.count");
    expect(gone({ schema: "elsewhere", name: "customers", columns: null })).toEqual([]);
    expect(gone({ schema: "shop", name: "customers", columns: ["country"] })).toEqual(["customers.country"]);
  });
});

/** A cube over `shop.open` with a member, a join or a segment whose SQL reads another table as well. */
const withSubQuery = (query: string): SemanticModel => {
  const key = { name: "id", sql: "id", type: "number", primary_key: true };
  return read({
    cubes: [
      {
        name: "open",
        sql_table: "shop.open",
        dimensions: [key, { name: "top", sql: query, type: "string" }],
        measures: [
          { name: "count", type: "count" },
          { name: "kept", sql: "{CUBE}.id", type: "sum", filters: [{ sql: `{CUBE}.id IN ${query}` }] },
          { name: "by_top", sql: "{top}", type: "max" },
        ],
        segments: [{ name: "some", sql: `EXISTS ${query}` }],
        joins: [
          { name: "other", relationship: "many_to_one", sql: `{CUBE}.id = {other}.id AND {CUBE}.id IN ${query}` },
        ],
      },
      { name: "other", sql_table: "shop.other", dimensions: [key] },
    ],
    views: [{ name: "seen", cubes: [{ join_path: "open", includes: "*" }] }],
  } as unknown as SemanticModel);
};
const ALL_OPEN = ["open>other", "open.count", "open.kept", "open.by_top", "open.id", "open.top", "open.some"];
const LEFT_OPEN = ["open.count", "open.id"];
const inOpen = (names: string[]): string[] => names.filter((name) => name.startsWith("open"));

describe("a sub-query of a lake's member", () => {
  const left = (query: string, ...hidden: Parameters<typeof hiddenInLake>[0]): string[] =>
    inOpen(leftOf(withSubQuery(query), hiddenInLake(hidden)));
  const PAY = { schema: "shop", name: "Pay", columns: null };

  it.each([
    "(SELECT max(iban) FROM shop.pay)",
    '(SELECT max(iban) FROM "LAKE"."shop"."PAY")',
    "(SELECT max(x.iban) FROM shop.fine f, shop.pay x)",
    "(FROM shop.pay SELECT max(iban))",
    "(WITH w AS (SELECT 1 i) SELECT max(iban) FROM w JOIN shop.pay p ON true)",
    "(TABLE shop.pay)",
    "(SELECT max(iban) FROM 'shop.pay')",
    "(SELECT max(iban) FROM query_table('shop.pay'))",
    "(SELECT max(iban) FROM query('SELECT iban FROM shop.pay'))",
    "(SELECT max(iban) FROM (PIVOT shop.pay ON kind USING max(iban)))",
  ])("that reads a hidden table takes it away, and what refers to it: %s", (query) => {
    expect(left(query)).toEqual(ALL_OPEN);
    expect(left(query, PAY)).toEqual(LEFT_OPEN);
  });

  it("that reads a hidden column takes it away, and none of another table or schema does", () => {
    const query = "(SELECT max(iban) FROM shop.pay)";
    expect(left(query, { schema: "shop", name: "pay", columns: ["iban"] })).toEqual(LEFT_OPEN);
    expect(left(query, { schema: "shop", name: "pay", columns: ["kind"] })).toEqual(ALL_OPEN);
    expect(left(query, { schema: "elsewhere", name: "pay", columns: null })).toEqual(ALL_OPEN);
  });

  it("is none where a member says a hidden table's name for a column, or for a text", () => {
    for (const sql of ["upper({CUBE}.pay)", "(CASE WHEN {CUBE}.kind = 'pay' THEN 'a' END)"])
      expect(left(sql, { schema: "shop", name: "pay", columns: null })).toEqual(ALL_OPEN);
  });
});

describe("a sub-query of a source's member", () => {
  const left = (query: string, ...tables: string[]): string[] =>
    inOpen(
      leftOf(
        withSubQuery(query),
        hiddenInSource([["open", "other", ...tables].map((table) => grant({ table }))], "public"),
      ),
    );

  it.each([
    "(SELECT max(iban) FROM shop.pay)",
    '(SELECT max(iban) FROM "shop"."pay")',
    "(SELECT max(iban) FROM `shop`.`pay`)",
    "(SELECT max(iban) FROM shop.other o, shop.pay)",
    "(SELECT extract(year FROM max(at)) FROM ONLY shop.pay)",
    "(WITH w AS (SELECT * FROM shop.pay) SELECT max(iban) FROM w)",
    "(SELECT max(iban) FROM (shop.other CROSS JOIN shop.pay))",
  ])("that reads a table which is not granted takes it away, and what refers to it: %s", (query) => {
    expect(left(query, "pay")).toEqual(ALL_OPEN);
    expect(left(query)).toEqual(LEFT_OPEN);
  });

  it.each(["(TABLE shop.pay)", "(SELECT * FROM lookup('pay'))", "(SELECT max(iban) FROM {CUBE})"])(
    "that can't be read takes it away: %s",
    (query) => expect(left(query, "pay")).toEqual(LEFT_OPEN),
  );

  it("is none where FROM stands between the arguments of a function", () => {
    expect(left("(extract(year FROM {CUBE}.at) || trim(both ' ' FROM {CUBE}.a))")).toEqual(ALL_OPEN);
    expect(left("({CUBE}.a IS DISTINCT FROM {CUBE}.b)")).toEqual(ALL_OPEN);
  });
});

describe("what is hidden in a source", () => {
  const shop = read(SHOP);
  const left = (roles: AccessGrant[][], definitions = shop) => leftOf(definitions, hiddenInSource(roles, "public"));
  const all = leftOf(shop, () => false);

  it("is what no role grants", () => {
    expect(left([[grant({})]])).toEqual(all);
    expect(left([])).toEqual([]);
    expect(left([[grant({ table: "orders" })]]).filter((name) => !name.startsWith("orders"))).toEqual([]);
    expect(left([[grant({ schema: "*" })]])).toEqual(all);
  });

  it("is a column that all roles exclude, of the closest grant of each", () => {
    const excludes = ["amount"];
    expect(left([[grant({ excludes })]])).not.toContain("orders.total");
    expect(left([[grant({ excludes })], [grant({})]])).toEqual(all);
    expect(left([[grant({}), grant({ table: "orders", excludes })]])).not.toContain("orders.total");
    expect(left([[grant({ excludes }), grant({ table: "orders" })]])).toContain("orders.total");
  });

  it("is nothing that is masked, or of which some rows are", () => {
    const filters = [{ member: "status", operator: "equals" as const, values: ["done"] }];
    expect(left([[grant({ masks: { amount: null }, filters })]])).toEqual(all);
    expect(left([[grant({ filters: null })]])).toEqual(all);
  });

  it("is in doubt what is granted in one case of letters and not in the other", () => {
    expect(left([[grant({ schema: "Shop" })]])).toEqual([]);
    expect(left([[grant({ excludes: ["AMOUNT"] })]])).not.toContain("orders.total");
  });

  const over = (sql: string): SemanticModel =>
    read({ cubes: [{ name: "one", sql, measures: [{ name: "count", type: "count" }] }], views: [] });
  const seesAll = (sql: string, ...tables: string[]): boolean =>
    left([tables.map((table) => grant({ table }))], over(sql)).length > 0;

  it.each([
    ["SELECT * FROM shop.a", ["a"]],
    ["SELECT * FROM shop.a, shop.b WHERE 1 = 1", ["a", "b"]],
    ["SELECT * FROM shop.a x JOIN shop.b y ON x.i = y.i, shop.c", ["a", "b", "c"]],
    ["SELECT * FROM (shop.a CROSS JOIN shop.b)", ["a", "b"]],
    ["SELECT * FROM (SELECT i, j FROM shop.a) AS x LEFT JOIN LATERAL (SELECT * FROM shop.b) y ON true", ["a", "b"]],
    ["SELECT i FROM shop.a UNION ALL SELECT i FROM shop.b ORDER BY i, 2", ["a", "b"]],
    ["SELECT (SELECT max(i) FROM shop.b), 1 FROM shop.a", ["a", "b"]],
    ["WITH w AS (SELECT * FROM shop.a), v AS (SELECT * FROM w) SELECT * FROM v, shop.b", ["a", "b"]],
    ['SELECT extract(year FROM at), a IS DISTINCT FROM b FROM "shop"."a"', ["a"]],
    ["SELECT * FROM shop.a STRAIGHT_JOIN shop.b", ["a", "b"]],
  ])("of a cube over a query is what any of its tables is: %s", (sql, tables) => {
    expect(seesAll(sql, ...tables)).toBe(true);
    for (const table of tables)
      expect([table, seesAll(sql, ...tables.filter((one) => one !== table))]).toEqual([table, false]);
  });

  it.each([
    "WITH a AS (SELECT * FROM a) SELECT * FROM a",
    "SELECT * FROM (WITH w AS (SELECT 1) SELECT * FROM w) x, (SELECT * FROM w) y",
    "SELECT * FROM pg_ls_dir('/')",
    "SELECT * FROM 'file.csv'",
    "SELECT * FROM shop.a UNION TABLE shop.b",
  ])("is all of a cube over a query that can't be read: %s", (sql) => {
    expect(seesAll(sql, "a", "b")).toBe(false);
  });

  it("is what is looked for without a schema where the sessions look, and where a role says more of it", () => {
    const sql = "SELECT x.email FROM people x";
    expect(left([[grant({ schema: "public" })]], over(sql))).toEqual(["one.count"]);
    expect(left([[grant({})]], over(sql))).toEqual([]);
    const roles = [[grant({ schema: "public" }), grant({ schema: "hr", table: "people", excludes: ["email"] })]];
    expect(left(roles, over(sql))).toEqual([]);
  });
});
