import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareValues, mergeColumn, type ColumnSummary } from "../../../../src/lake/format/statistics.ts";
import { append, column, createTable, newLake, newWriter, rowsOf, statistics } from "../../../support/unit/lake.ts";

const order = (left: bigint | number, right: bigint | number) => (left < right ? -1 : left > right ? 1 : 0);

describe("bounds compare by their type", () => {
  it.each([
    ["int64", "9", "10", -1],
    ["int64", "-9223372036854775808", "9223372036854775807", -1],
    ["uint64", "18446744073709551615", "18446744073709551614", 1],
    ["int128", "170141183460469231731687303715884105727", "170141183460469231731687303715884105726", 1],
    ["decimal(38,10)", "1.0000000001", "1.00000000011", -1],
    ["decimal(18,2)", "-0.5", "-0.45", -1],
    ["decimal(18,2)", "1.50", "1.5", 0],
    ["float64", "-inf", "-1e308", -1],
    ["float64", "inf", "1.7976931348623157e308", 1],
    ["varchar", "\uFFFD", "😀", -1],
    ["varchar", "a", "ab", -1],
    ["date", "2024-01-15", "2024-02-01", -1],
    ["timestamp", "2024-01-15 12:30:00", "2024-01-15 12:30:00.000001", -1],
    ["timestamptz", "2024-01-15 12:30:00+00", "2024-01-15 12:30:00.5+00", -1],
    ["boolean", "0", "1", -1],
    ["uuid", "0a000000-0000-0000-0000-000000000000", "B0000000-0000-0000-0000-000000000000", -1],
  ] as const)("%s: %s and %s", (type, left, right, expected) => {
    expect(compareValues(type, left, right)).toBe(expected);
    expect(compareValues(type, right, left)).toBe(expected === 0 ? 0 : -expected);
  });

  it.each([
    ["date", "infinity", "2024-01-15"],
    ["date", "12024-01-15", "2024-01-15"],
    ["timestamptz", "2024-01-15 12:30:00+02", "2024-01-15 12:30:00+00"],
    ["int64", "1.5", "1"],
    ["float64", "nan", "1"],
    ["interval", "1 day", "2 days"],
  ] as const)("%s: %s and %s are left undecided", (type, left, right) => {
    expect(compareValues(type, left, right)).toBeUndefined();
  });

  it("as whole numbers, at any width", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n }),
        fc.bigInt(),
        (a, b) => compareValues("int128", String(a), String(b % 10n ** 38n)) === order(a, b % 10n ** 38n),
      ),
    );
  });

  it("as decimals, however the scale is written", () => {
    const write = (units: bigint, scale: number) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
      return `${units < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
    };
    const units = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(units, units, fc.nat(9), fc.nat(9), (a, b, scaleA, scaleB) => {
        const expected = order(a * 10n ** BigInt(9 - scaleA), b * 10n ** BigInt(9 - scaleB));
        expect(compareValues("decimal(38,9)", write(a, scaleA), write(b, scaleB))).toBe(expected);
      }),
    );
  });
});

describe("a column's statistics over files", () => {
  it("hold every file's values, in any order of files", () => {
    const file = fc.array(fc.option(fc.integer()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 5 }), (files) => {
        let summary: ColumnSummary | undefined;
        for (const cells of files) {
          const values = cells.filter((cell) => cell !== null);
          const bounds =
            values.length > 0 ? { min: String(Math.min(...values)), max: String(Math.max(...values)) } : {};
          summary = mergeColumn(
            "int32",
            summary,
            statistics(1, cells.length, { nulls: cells.length - values.length, ...bounds }),
          );
        }
        const all = files.flat().filter((cell) => cell !== null);
        expect(summary!.containsNull).toBe(files.flat().includes(null));
        if (summary!.min !== null) expect(Number(summary!.min)).toBe(Math.min(...all));
        if (summary!.max !== null) expect(Number(summary!.max)).toBe(Math.max(...all));
      }),
    );
  });

  it("are unknown from the first file on that says nothing", () => {
    const known = mergeColumn("int64", undefined, statistics(1, 2, { min: "1", max: "2" }));
    const unknown = { containsNull: null, containsNan: null, min: null, max: null };
    expect(mergeColumn("int64", known, undefined)).toEqual(unknown);
    expect(mergeColumn("int64", unknown, statistics(1, 2, { min: "1", max: "2" }))).toMatchObject({
      min: null,
      max: null,
      containsNull: null,
    });
    expect(mergeColumn("int64", known, statistics(1, 2))).toMatchObject({ min: null, max: null });
  });

  it("are not narrowed by a file of nulls alone", () => {
    const known = mergeColumn("int64", undefined, statistics(1, 2, { min: "1", max: "2" }));
    expect(mergeColumn("int64", known, statistics(1, 3, { nulls: 3 }))).toEqual({ ...known, containsNull: true });
  });

  it("remember a NaN, and forget that there is none when a file does not say", () => {
    const nan = (containsNan: boolean | null) => statistics(1, 1, { min: "1", max: "1", containsNan });
    const merged = (...files: (boolean | null)[]) =>
      files.reduce<ColumnSummary | undefined>((summary, file) => mergeColumn("float64", summary, nan(file)), undefined)
        ?.containsNan;
    expect([merged(false, false), merged(false, true), merged(false, null), merged(null, true)]).toEqual([
      false,
      true,
      null,
      true,
    ]);
  });

  it("are merged in the catalog with the rows they describe", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t", [column(1, "n"), column(2, "s", "varchar")])]);
    const file = (rows: number, ...of: ReturnType<typeof statistics>[]) =>
      append("main", "t", writer.file("main", "t", rows, { statistics: of }));
    await writer.commit([file(0)]);
    await writer.commit([file(2, statistics(1, 2, { min: "9", max: "10" }), statistics(2, 2, { min: "b", max: "c" }))]);
    await writer.commit([
      file(3, statistics(1, 3, { min: "-100", max: "9", nulls: 1 })),
      file(1, statistics(1, 1, { min: "2", max: "2" })),
    ]);
    expect(
      await rowsOf(
        lake,
        "SELECT column_id, contains_null, min_value, max_value FROM ducklake_table_column_stats ORDER BY column_id",
      ),
    ).toEqual([
      { column_id: 1, contains_null: 1, min_value: "-100", max_value: "10" },
      { column_id: 2, contains_null: null, min_value: null, max_value: null },
    ]);
  });
});
