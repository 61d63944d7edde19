// What the engine remembers of the roles of callers, by digest.

import { describe, expect, it } from "vitest";
import type { AccessRoles, StatementAccess } from "../../../kernel/access/access.ts";
import { isGranted } from "../../../kernel/access/decide-table.ts";
import { LruMap } from "../../../kernel/text/lru-map.ts";
import { callerAccess, type CallerAccess } from "../../../containers/engine/sources/access/caller-access.ts";

const rolesFor = (table: string): AccessRoles => [[{ schema: "shop", table, excludes: [], masks: {}, filters: [] }]];
const asWritten = (name: string) => name;
const lowered = (name: string) => name.toLowerCase();

const boundBy = (access: Exclude<StatementAccess, "everything">) => callerAccess(access) as CallerAccess;

describe("the access of a statement on a source", () => {
  it("is asked for where its digest is not known, and then known by the digest alone", () => {
    expect(() => callerAccess({ digest: "new" })).toThrow(expect.objectContaining({ code: "access_unknown" }));
    callerAccess({ digest: "new", roles: rolesFor("Orders") });
    const index = boundBy({ digest: "new" }).indexBy(asWritten);
    expect(isGranted(index, { schema: "shop", name: "Orders" })).toBe(true);
    expect(isGranted(index, { schema: "shop", name: "orders" })).toBe(false);
  });

  it("is never another digest's, and binds where it grants nothing", () => {
    const none = boundBy({ digest: "none", roles: [] }).indexBy(asWritten);
    callerAccess({ digest: "some", roles: rolesFor("orders") });
    expect(isGranted(none, { schema: "shop", name: "orders" })).toBe(false);
    expect(() => callerAccess({ digest: "som" })).toThrow(expect.objectContaining({ code: "access_unknown" }));
  });

  it("is indexed once, and anew for a source that compares names in another way", () => {
    const access = boundBy({ digest: "index", roles: rolesFor("Orders") });
    expect(access.indexBy(asWritten)).toBe(access.indexBy(asWritten));
    expect(isGranted(access.indexBy(lowered), { schema: "SHOP", name: "orders" })).toBe(true);
    expect(isGranted(access.indexBy(asWritten), { schema: "SHOP", name: "orders" })).toBe(false);
  });

  it("is everything only where that is said", () => {
    expect(callerAccess("everything")).toBe("everything");
  });
});

describe("LruMap", () => {
  it("forgets what was used least recently, by what its values count", () => {
    const map = new LruMap<string>(10, ({ length }) => length);
    map.set("a", "12345");
    map.set("b", "123");
    map.get("a");
    map.set("c", "1234");
    expect(["a", "b", "c"].map((key) => map.get(key))).toEqual(["12345", undefined, "1234"]);
    map.set("d", "longer than all of it");
    expect(["a", "c", "d"].map((key) => map.get(key))).toEqual(["12345", "1234", undefined]);
    map.set("a", "longer than all of it");
    expect(["a", "c"].map((key) => map.get(key))).toEqual([undefined, "1234"]);
    map.set("a", "1234567890");
    expect(["a", "c"].map((key) => map.get(key))).toEqual(["1234567890", undefined]);
  });
});
