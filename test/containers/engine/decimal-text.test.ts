// Decimals as 128 bits against JavaScript's integers of any size.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fitsSigned,
  fitsUnsigned64,
  limbs,
  NO_POINT,
  readDecimal,
} from "../../../containers/engine/core/decimal-text.ts";

const valueOf = (): bigint =>
  BigInt.asIntN(
    128,
    [...limbs].reduceRight((value, limb) => (value << 32n) | BigInt(limb), 0n),
  );

/** The reading of `text`, which stands among other digits. */
const read = (text: string, precision: number, scale: number) => {
  const bytes = Buffer.from(`9${text}9`);
  return readDecimal(bytes, 1, bytes.length - 1, { precision, scale });
};

const digits = (maxLength: number) =>
  fc.array(fc.constantFrom(..."0000123456789"), { maxLength }).map((found) => found.join(""));

describe("readDecimal", () => {
  it("reads what a bigint reads, and says what does not fit", () => {
    const number = fc.record({ sign: fc.constantFrom("", "-"), whole: digits(45), fraction: digits(45) });
    const type = fc.record({ precision: fc.integer({ min: 1, max: 38 }), scale: fc.integer({ min: 0, max: 38 }) });
    fc.assert(
      fc.property(number, type, ({ sign, whole, fraction }, { precision, scale }) => {
        fc.pre(whole + fraction !== "");
        const text = `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
        const magnitude = BigInt(`0${whole}${fraction.slice(0, scale).padEnd(scale, "0")}`);
        const isTooFine = /[1-9]/.test(fraction.slice(scale));
        const isTooLarge = magnitude >= 10n ** BigInt(precision);
        const reading = read(text, precision, scale);
        expect(reading).toBe(isTooFine ? "too fine" : isTooLarge ? "too large" : "exact");
        if (reading === "exact") expect(valueOf()).toBe(sign === "-" ? -magnitude : magnitude);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(["", "-", ".", "-.", "1.2.3", "1e5", "+1", " 1", "1 ", "--1", "1-", "NaN", "1,5", "0x1"])(
    "refuses %j",
    (text) => expect(read(text, 38, 2)).toBe("malformed"),
  );

  it.each([
    ["5.", 500n],
    [".5", 50n],
    ["-0", 0n],
    ["-0.00", 0n],
    ["0.1000", 10n],
  ])("reads %j", (text, value) => {
    expect(read(text, 38, 2)).toBe("exact");
    expect(valueOf()).toBe(value);
  });

  it("takes no point at all where none may stand", () => {
    expect([read("5.", 19, NO_POINT), read("5.0", 19, NO_POINT), read("5", 19, NO_POINT)]).toEqual([
      "malformed",
      "malformed",
      "exact",
    ]);
  });
});

describe("a number that was read", () => {
  it.each([1, 2, 4, 8, 16])("fits in %i signed bytes as far as their bounds", (bytes) => {
    const span = 1n << BigInt(8 * bytes - 1);
    const fits = (value: bigint) => {
      expect(read(String(value), 38, 0)).toBe("exact");
      return fitsSigned(bytes);
    };
    if (bytes < 16) expect([span, -span - 1n].map(fits)).toEqual([false, false]);
    expect((bytes < 16 ? [span - 1n, -span, 0n, -1n] : [10n ** 38n - 1n, 1n - 10n ** 38n]).every(fits)).toBe(true);
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), (value) => {
        expect(fits(value)).toBe(value >= -span && value < span);
      }),
    );
  });

  it("fits in eight unsigned bytes from nought to their bound", () => {
    const fits = (value: bigint) => read(String(value), 38, 0) === "exact" && fitsUnsigned64();
    expect([0n, (1n << 64n) - 1n, 1n << 64n, -1n].map(fits)).toEqual([true, true, false, false]);
  });
});
