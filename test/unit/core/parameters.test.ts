import { describe, expect, it } from "vitest";
import { PARAMETER_TYPES } from "../../../kernel/wire/parameter-types.ts";
import { readParameter } from "../../../src/core/parameters.ts";

const bound = (raw: unknown) => {
  const read = readParameter(raw);
  return "parameter" in read ? [read.parameter.type, ...read.parameter.values] : read.flaw.path;
};
const typed = (type: string, value: unknown) => {
  const read = readParameter({ type, value });
  return "parameter" in read ? read.parameter.values[0] : undefined;
};

describe("readParameter", () => {
  it("takes a value of JSON as what it is", () => {
    expect(bound("x")).toEqual(["inferred", "x"]);
    expect(bound(null)).toEqual(["inferred", null]);
    expect(bound(true)).toEqual(["boolean", "true"]);
    expect(bound(-0)).toEqual(["integer", "0"]);
    expect(bound(2 ** 53 - 1)).toEqual(["integer", "9007199254740991"]);
    expect(bound(0.1)).toEqual(["number", "0.1"]);
    expect(bound([1, null, 2])).toEqual(["integer", "1", null, "2"]);
    expect(bound([1, 0.5])).toEqual(["number", "1", "0.5"]);
    expect(bound([null, "a"])).toEqual(["inferred", null, "a"]);
  });

  it("keeps every digit of what is in quotes", () => {
    expect(typed("integer", "-9223372036854775808")).toBe("-9223372036854775808");
    expect(typed("decimal", "0.10")).toBe("0.10");
    expect(typed("decimal", "99999999999999999999999999999999999999")).toBe("99999999999999999999999999999999999999");
    expect(typed("number", "1e-400")).toBe("0");
    expect([typed("number", "-0"), typed("number", -0), typed("integer", "-0")]).toEqual(["-0", "-0", "0"]);
  });

  it("takes no number of more characters than one can need, and looks at none for long", () => {
    expect(typed("number", `1${"0".repeat(200)}.${"0".repeat(198)}`)).toBe("1e+200");
    expect(typed("number", `1.${"0".repeat(399)}`)).toBeUndefined();
    for (const text of ["1.", ".5", "-1.5E3"]) expect(typed("number", text)).toBe(String(Number(text)));
    const started = Date.now();
    for (const type of ["number", "decimal", "integer", "date", "timestamp"] as const)
      expect(typed(type, `${"1".repeat(1_000_000)}x`), type).toBeUndefined();
    expect(Date.now() - started).toBeLessThan(1_000);
  });

  it("takes times in either form, and instants to UTC with all their digits", () => {
    expect(typed("timestamp", "2026-01-31T12:30")).toBe("2026-01-31 12:30:00");
    expect(typed("timestamptz", "2026-01-31T23:30:00.123456-01:30")).toBe("2026-02-01 01:00:00.123456+00:00");
    expect(typed("timestamptz", "2026-01-31 12:30Z")).toBe("2026-01-31 12:30:00+00:00");
    expect(typed("date", "2024-02-29")).toBe("2024-02-29");
  });

  it("takes NULL and lists of every type", () => {
    for (const type of PARAMETER_TYPES) {
      expect(typed(type, null)).toBeNull();
      expect(bound({ type, value: [] })).toEqual([type]);
    }
  });

  it("says where a value is not of its type", () => {
    expect(bound(["a", 1])).toEqual([1]);
    expect(bound([1, "a"])).toEqual([1]);
    expect(bound([[1]])).toEqual([0]);
    expect(bound({ type: "date", value: ["2026-01-31", "2026-02-30"] })).toEqual(["value", 1]);
    expect(bound({ type: "uuid", value: "x" })).toEqual(["type"]);
    expect(bound({ type: "text", value: "x", more: 1 })).toEqual(["more"]);
    expect(bound({ type: "text" })).toEqual(["value"]);
    expect(bound({})).toEqual(["type"]);
    expect(bound([])).toEqual([]);
    expect(bound(2 ** 53)).toEqual([]);
    expect(bound(Infinity)).toEqual([]);
    expect(bound("\ud83d")).toEqual([]);
  });

  it.each([
    ["integer", ["9223372036854775808", "1.0", "1e3", "", " 1", "0x1", true, 1.5]],
    ["decimal", ["1e3", ".5", "1.", "1".repeat(39), `${"1".repeat(30)}.${"1".repeat(9)}`, Infinity, true]],
    ["number", ["NaN", "Infinity", "1e999", "0x10", "", "1,5", true]],
    ["boolean", ["TRUE", "1", 1, "yes"]],
    ["date", ["2026-1-1", "2026-01-32", "0000-01-01", "20260131", "2026-01-31T00:00", 20260131]],
    ["timestamp", ["2026-01-31", "2026-01-31 24:00:00", "2026-01-31 10:00:00Z", "2026-01-31 10:00:00.1234567"]],
    ["timestamptz", ["2026-01-31 10:00:00", "2026-02-30T10:00:00Z", "0001-01-01T00:00:00+01:00", "2026-01-31Z"]],
    ["text", [1, true]],
  ])("refuses as %s %j", (type, values) => {
    expect(values.map((value) => typed(type, value))).toEqual(values.map(() => undefined));
  });
});
