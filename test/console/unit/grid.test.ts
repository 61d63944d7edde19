import { type Data, Decimal, makeData, TimestampMicrosecond, vectorFromArray } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { cellText, decimalText } from "../../../src/console/ui/grid/cell-text.ts";
import {
  SPACER_PX_MAX,
  scaleOf,
  spacerHeight,
  topMax,
  topThatShows,
} from "../../../src/console/ui/grid/scaled-scroll.ts";
import { moved, tsvOf } from "../../../src/console/ui/grid/selection.ts";

describe("cellText", () => {
  it("keeps every digit of decimals and whole numbers, and every microsecond", () => {
    const words = (value: bigint) =>
      Uint32Array.from([0n, 32n, 64n, 96n], (bits) => Number((value >> bits) & 0xffff_ffffn));
    const negative = words(BigInt.asUintN(128, -12345678901234567890123n));
    expect(decimalText(negative, 0, { scale: 4, words: 4 })).toBe("-1234567890123456789.0123");
    expect(decimalText(words(5n), 0, { scale: 2, words: 4 })).toBe("0.05");
    const decimals = makeData({ type: new Decimal(0, 38), length: 1, data: words(170141183460469231731687303715n) });
    expect(cellText(decimals as Data, 0)).toBe("170141183460469231731687303715");
    const data = BigInt64Array.from([1n, -1n]);
    const instants = makeData({ type: new TimestampMicrosecond("UTC"), length: 2, data });
    expect(cellText(instants as Data, 0)).toBe("1970-01-01T00:00:00.000001Z");
    expect(cellText(instants as Data, 1)).toBe("1969-12-31T23:59:59.999999Z");
    expect(cellText(vectorFromArray([9007199254740993n]).data[0]!, 0)).toBe("9007199254740993");
  });

  it("tells NULL from the empty text", () => {
    const [texts] = vectorFromArray(["", null, "a"]).data;
    expect([0, 1, 2].map((at) => cellText(texts!, at))).toEqual(["", null, "a"]);
  });
});

describe("the scaled scroll", () => {
  const extent = { rows: 1_000_000, rowHeight: 26, viewport: 600 };

  it("stays below what browsers scroll, and still reaches the last row", () => {
    expect(spacerHeight(extent)).toBe(SPACER_PX_MAX);
    expect((SPACER_PX_MAX - extent.viewport) * scaleOf(extent)).toBeCloseTo(topMax(extent));
    expect(topThatShows(999_999, 0, extent)).toBe(1_000_000 * 26 - 600);
  });

  it("moves pixel by pixel where all rows fit", () => {
    expect(scaleOf({ rows: 100, rowHeight: 26, viewport: 600 })).toBe(1);
  });
});

describe("what is copied", () => {
  const cells = [
    ["a\tb", null],
    ["", 'say "x"'],
  ];
  const column = { type: "VARCHAR", isNumber: false };
  const source = {
    columns: [
      { name: "x", ...column },
      { name: "y", ...column },
    ],
    rowCount: 2,
    text: (row: number, at: number) => cells[row]![at]!,
  };

  it("is exact: tabs, quotes, the empty text and NULL are told apart", () => {
    expect(tsvOf(source, { top: 0, bottom: 1, left: 0, right: 1 })).toBe('"a\tb"\t\n""\t"say ""x"""');
  });

  it("is moved to by keys that never leave the rows", () => {
    const size = { rows: 10, columns: 3, page: 4 };
    const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false });
    expect(moved({ row: 8, column: 1 }, key("PageDown"), size)).toEqual({ row: 9, column: 1 });
    expect(moved({ row: 0, column: 0 }, key("End", true), size)).toEqual({ row: 9, column: 2 });
    expect(moved({ row: 0, column: 0 }, key("x"), size)).toBeUndefined();
  });
});
