// Which tables a statement could name, and whether a caller may read all of them, on sources whose statements are not
// rewritten.

import { describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../kernel/access/access.ts";
import { indexAccess } from "../../../kernel/access/decide-table.ts";
import { checkWholeTables, hiddenTables, tablesNamed } from "../../../containers/engine/sources/access/whole-tables.ts";
import { aGrant } from "../../support/node/access/a-grant.ts";

const lowered = (name: string) => name.toLowerCase();
const table = (path: string) => {
  const [schema, name] = path.split(".") as [string, string];
  return { schema, name };
};
const KNOWN = ["shop.orders", "shop.people", "hr.people", "hr.orders"].map(table);
const paths = (tables: readonly { schema: string; name: string }[]) =>
  tables.map(({ schema, name }) => `${schema}.${name}`);

describe("the tables that a statement could name", () => {
  const named = (...names: string[][]) => paths(tablesNamed(names, KNOWN, lowered));

  it("are those of any schema where none stands before the name", () => {
    expect(named(["Orders"])).toEqual(["shop.orders", "hr.orders"]);
  });

  it("are those of the schema that stands before it, whatever stands around the two", () => {
    expect(named(["HR", "orders"])).toEqual(["hr.orders"]);
    expect(named(["db", "hr", "people"])).toEqual(["hr.people"]);
    expect(named(["shop", "people", "name"])).toEqual(["shop.people"]);
  });

  it("are those of any schema where it is left out", () => {
    expect(named(["db", "", "people"])).toEqual(["shop.people", "hr.people"]);
  });

  it("are not those whose name stands after an alias", () => {
    expect(named(["o", "people"])).toEqual([]);
  });

  it("are there where the first part of a name is a table's", () => {
    expect(named(["people", "id"])).toEqual(["shop.people", "hr.people"]);
  });
});

describe("a table of which a caller may not read everything", () => {
  const hidden = (...roles: AccessRoles) => paths(hiddenTables(indexAccess(roles, lowered), KNOWN));

  it("is each that no role grants, and each that roles grant in part", () => {
    expect(hidden([aGrant("Orders")])).toEqual(["shop.people", "hr.people", "hr.orders"]);
    expect(hidden([aGrant("*"), aGrant("orders", { masks: { a: null } })])).toContain("shop.orders");
    expect(hidden([aGrant("*", { excludes: ["a"] })])).toEqual(paths(KNOWN));
    expect(hidden([aGrant("*", { filters: null, schema: "*" })])).toEqual(paths(KNOWN));
    const filter = { member: "a", operator: "equals" as const, values: ["1"] };
    expect(hidden([aGrant("*", { filters: [filter], schema: "*" })])).toEqual(paths(KNOWN));
  });

  it("is none that one role grants whole, whatever the others hide of it", () => {
    expect(hidden([aGrant("*", { schema: "*" })], [aGrant("orders", { excludes: ["a"] })])).toEqual([]);
  });

  it("is refused with the words that a missing one has, which do not name it", () => {
    const index = indexAccess([[aGrant("orders")]], lowered);
    expect(() => checkWholeTables(index, [table("shop.orders")])).not.toThrow();
    expect(() => checkWholeTables(index, [table("shop.orders"), table("hr.people")])).toThrow(
      expect.objectContaining({ code: "sql_error", message: expect.not.stringContaining("people") }),
    );
  });
});
