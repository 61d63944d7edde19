import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeBound } from "../../../../src/lake/iceberg/format/bounds.ts";

const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString("hex");

it.each([
  ["boolean", "true", "01"],
  ["boolean", "0", "00"],
  ["int16", "-2", "feffffff"],
  ["uint16", "65535", "ffff0000"],
  ["int64", "9223372036854775807", "ffffffffffffff7f"],
  ["date", "1970-01-02", "01000000"],
  ["date", "1969-12-31", "ffffffff"],
  ["timestamp", "1970-01-01 00:00:00.000001", "0100000000000000"],
  ["timestamp", "1969-12-31 23:59:59.999999", "ffffffffffffffff"],
  ["timestamp_s", "1970-01-01 00:00:01", "40420f0000000000"],
  ["timestamptz", "1970-01-01 00:00:00.5+00", "20a1070000000000"],
  // The specification's own example.
  ["decimal(9,2)", "14.20", "058c"],
  ["decimal(9,2)", "-1.28", "80"],
  ["decimal(9,2)", "-1.29", "ff7f"],
  ["decimal(9,2)", "1.28", "0080"],
  ["decimal(38,6)", "0", "00"],
  ["varchar", "abc", "616263"],
])("a bound of %s, %s, is %s", (type, text, bytes) => expect(hex(encodeBound(type, text))).toBe(bytes));

it.each([
  ["int32", "3000000000"],
  ["int64", "9223372036854775808"],
  ["int64", "1.5"],
  ["date", "infinity"],
  ["date", "20000-01-01"],
  ["date", "0044-03-15 (BC)"],
  ["timestamp", "2024-01-01 00:00:00.0000001"],
  ["timestamp", "2024-13-01 00:00:00"],
  ["timestamptz", "2024-01-01 00:00:00+02"],
  ["decimal(9,2)", "1.234"],
  ["float64", "1.5"],
  ["uint64", "1"],
  ["uuid", "00000000-0000-0000-0000-000000000000"],
  ["blob", "00"],
  ["time", "00:00:00"],
  ["varchar", "x".repeat(129)],
])("there is no bound of %s, %s", (type, text) => expect(encodeBound(type, text)).toBeUndefined());

it("decimals come back from their bytes", () => {
  const value = (bytes: Uint8Array): bigint => BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex(bytes)}`));
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), (unscaled) => {
      const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(7, "0");
      const text = `${unscaled < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
      expect(value(encodeBound("decimal(38,6)", text)!)).toBe(unscaled);
    }),
  );
});
