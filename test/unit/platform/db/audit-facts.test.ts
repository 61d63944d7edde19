import { describe, expect, it } from "vitest";
import { AUDIT_FACTS_BYTES_MAX } from "../../../../src/platform/db/audit-facts.ts";
import { packChange, type Change } from "../../../../src/platform/db/audit-facts.ts";

const unpack = (change: Change) => {
  const { before, after } = packChange(change);
  return { before: before && JSON.parse(before), after: after && JSON.parse(after) };
};

describe("packChange", () => {
  it("keeps of two sides the fields that differ alone, also those that one side lacks", () => {
    const before = { name: "Ada", role: "member", tables: ["a", "b"], gone: 1 };
    const after = { name: "Ada", role: "admin", tables: ["a", "b"], added: null };
    expect(unpack({ before, after })).toEqual({
      before: { role: "member", gone: 1 },
      after: { role: "admin", added: null },
    });
  });

  it("keeps all of one side, and nothing of a side that is not there", () => {
    expect(unpack({ after: { name: "Ada", note: undefined } })).toEqual({ before: null, after: { name: "Ada" } });
    expect(unpack({})).toEqual({ before: null, after: null });
  });

  it("cuts a field beyond the bound, says so, and goes on with those that fit", () => {
    const long = "ü".repeat(AUDIT_FACTS_BYTES_MAX);
    expect(unpack({ after: { name: "Ada", long, role: "admin" } }).after).toEqual({
      name: "Ada",
      long: { cut: true, bytes: 2 * AUDIT_FACTS_BYTES_MAX + 2 },
      role: "admin",
    });
  });

  it("bounds many fields together", () => {
    const half = "x".repeat(AUDIT_FACTS_BYTES_MAX / 2);
    const { after } = unpack({ after: { a: half, b: half, c: "c" } });
    expect([after.a, after.b.cut, after.c]).toEqual([half, true, "c"]);
  });

  it("bounds names, too, and says how many fields there were beyond", () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}`.padStart(100, "n"));
    const packed = packChange({ after: Object.fromEntries(names.map((name) => [name, 1])) }).after!;
    const kept = JSON.parse(packed);
    expect(packed.length).toBeLessThan(1.1 * AUDIT_FACTS_BYTES_MAX);
    expect(kept["…"]).toEqual({ cut: true, fields: names.length - Object.keys(kept).length + 1 });
  });
});
