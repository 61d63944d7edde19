// What roles let a caller see of a table: the decision alone, without a lake or a server.

import { describe, expect, it } from "vitest";
import type { AccessGrant, TableView } from "../../../kernel/access/access.ts";
import { decideTable, indexAccess, type KnownTable } from "../../../kernel/access/decide-table.ts";
import { aGrant } from "../../support/node/access/a-grant.ts";

const inRegion = (value: string) => [{ member: "region", operator: "equals" as const, values: [value] }];
const ORDERS: KnownTable = {
  names: [{ schema: "shop", name: "orders" }],
  columns: [
    { key: 1, names: ["id"] },
    { key: 2, names: ["region"] },
    { key: 3, names: ["email"] },
  ],
};
const decide = (roles: AccessGrant[][], table = ORDERS) =>
  decideTable(
    indexAccess(roles, (name) => name.toLowerCase()),
    table,
  );
const viewOf = (roles: AccessGrant[][], table = ORDERS): TableView => {
  const access = decide(roles, table);
  expect(access).toBeTypeOf("object");
  return access as TableView;
};

describe("decideTable", () => {
  it("denies what no role grants, and everything to who has no role", () => {
    expect(decide([])).toBeUndefined();
    expect(decide([[aGrant("customers")]])).toBeUndefined();
  });

  it("gives a table whole by its name, its schema's, and by neither, in any case of the names", () => {
    for (const [schema, table] of [
      ["SHOP", "Orders"],
      ["shop", "*"],
      ["*", "orders"],
      ["*", "*"],
    ] as const)
      expect(decide([[aGrant(table, { schema })]])).toBe("whole");
  });

  it("takes of one role the grant that names the table most closely, and adds up roles", () => {
    const narrow = [aGrant("*"), aGrant("orders", { excludes: ["email"] })];
    expect(viewOf([narrow]).cells.map(({ column }) => column)).toEqual([1, 2]);
    expect(decide([narrow, [aGrant("*")]])).toBe("whole");
  });

  it("shows a column in the rows of the roles that grant it, and in no other's", () => {
    const roles = [
      [aGrant("orders", { excludes: ["email"], filters: inRegion("EU") })],
      [aGrant("orders", { masks: { id: 0 }, filters: inRegion("US") })],
    ];
    const region = (value: string) => ({ and: [{ column: 2, operator: "equals", values: [value] }] });
    expect(viewOf(roles)).toEqual({
      grants: [region("EU"), region("US")],
      cells: [
        { column: 1, cases: [{ grants: [0] }, { grants: [1], mask: 0 }] },
        { column: 2, cases: [{ grants: [0, 1] }] },
        { column: 3, cases: [{ grants: [1] }] },
      ],
    });
  });

  it("gives no rows where the caller lacks an attribute, or the table a column of the filter, even one that is negated", () => {
    const none = { or: [] };
    expect(viewOf([[aGrant("orders", { filters: null })]]).grants).toEqual([none]);
    const filters = [{ or: [{ member: "gone", operator: "notEquals" as const, values: ["x"] }, ...inRegion("EU")] }];
    expect(viewOf([[aGrant("orders", { filters })]]).grants).toEqual([none]);
  });

  it("hides a column by a name it had, and keeps the restriction of a table that was renamed", () => {
    const renamed: KnownTable = {
      names: [
        { schema: "shop", name: "sales" },
        { schema: "shop", name: "orders" },
      ],
      columns: [
        { key: 1, names: ["id"] },
        { key: 2, names: ["tax_number", "email"] },
      ],
    };
    const role = [aGrant("*"), aGrant("orders", { excludes: ["email"] })];
    expect(viewOf([role], renamed).cells.map(({ column }) => column)).toEqual([1]);
    expect(decide([[aGrant("orders")]], renamed)).toBeUndefined();
  });

  it("compares columns in their own way where tables are compared in another", () => {
    const roles = [[aGrant("orders", { excludes: ["EMAIL"], filters: [{ ...inRegion("EU")[0]!, member: "Region" }] })]];
    const index = indexAccess(
      roles,
      (name) => name,
      (name) => name.toLowerCase(),
    );
    expect(decideTable(index, ORDERS)).toEqual(
      viewOf([[aGrant("orders", { excludes: ["email"], filters: inRegion("EU") })]]),
    );
    expect(decideTable(index, { ...ORDERS, names: [{ schema: "shop", name: "Orders" }] })).toBeUndefined();
  });
});
