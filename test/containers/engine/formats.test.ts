// The formats: what a reader gets back is what the source's cells said.

import { tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { publicFailureOf } from "../../../kernel/wire/failure-text.ts";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { distinctNames, type Column, type ValueKind } from "../../../containers/engine/formats/result.ts";
import { createRowPacker } from "../../../containers/engine/formats/row-packer.ts";
import { createWriter } from "../../../containers/engine/formats/writers.ts";
import { column, writeRows, type Cells } from "../../support/node/formats/write-rows.ts";

const write = (...args: Parameters<typeof writeRows>): string => writeRows(...args).bytes.toString();
const parse = (...args: Parameters<typeof writeRows>) => JSON.parse(write(...args));

describe("JSON", () => {
  it("is one document with names, types, rows, count and timing, and says success last", () => {
    const text = write(
      "json",
      [column("id", "bigint", { type: "int8" }), column("name", "text")],
      [
        ["1", "Ada"],
        ["2", null],
      ],
    );
    expect(JSON.parse(text)).toEqual({
      columns: ["id", "name"],
      types: [
        { name: "id", type: "int8", kind: "bigint" },
        { name: "name", type: "text", kind: "text" },
      ],
      data: [
        { id: 1, name: "Ada" },
        { id: 2, name: null },
      ],
      rowCount: 2,
      truncated: false,
      timing: { durationMs: 12 },
      meta: { requestId: "request-1", durationMs: 12 },
      success: true,
    });
    expect(text).toMatch(/"success":true\}\n$/);
  });

  it("gives every string back, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.string({ unit: "binary", maxLength: 300 })), { maxLength: 5 }),
        fc.string({ unit: "binary", minLength: 1 }),
        (values, name) => {
          const { data } = parse(
            "json",
            [column(name, "text")],
            values.map((value) => [value]),
          );
          expect(data.map((row: Record<string, unknown>) => Object.entries(row))).toEqual(
            values.map((value) => [[name, value]]),
          );
        },
      ),
    );
  });

  it("writes long strings and every control character", () => {
    const controls = Array.from({ length: 160 }, (_, code) => String.fromCharCode(code)).join("");
    const long = `${controls}"\\😀`.repeat(5_000);
    expect(parse("json", [column("a", "text")], [[long], [controls]]).data).toEqual([{ a: long }, { a: controls }]);
  });

  it("keeps all digits of integers and decimals", () => {
    const digits = [
      "-9223372036854775808",
      "18446744073709551615",
      "12345678901234567890123456789.123456789",
      "0.10",
      "-0",
    ];
    expect(
      write(
        "json",
        [column("n", "decimal")],
        digits.map((value) => [value]),
      ),
    ).toContain(digits.map((value) => `{"n":${value}}`).join(",\n"));
  });

  it("quotes wide integers and decimals where strings are asked for, and no others", () => {
    const columns = [column("i", "integer"), column("b", "bigint"), column("d", "decimal"), column("f", "float")];
    expect(parse("json", columns, [["1", "2", "3.0", "4.5"]], { numbers: "string" }).data).toEqual([
      { i: 1, b: "2", d: "3.0", f: 4.5 },
    ]);
  });

  it("makes a valid number of every spelling, and a string of what is none", () => {
    const spellings: [string, unknown][] = [
      ["007", 7],
      ["000", 0],
      ["-00.5", -0.5],
      [".5", 0.5],
      ["-.5", -0.5],
      ["5.", 5],
      ["1e+20", 1e20],
      ["1E-7", 1e-7],
      ["+3", 3],
      ["01e2", 100],
      ["NaN", "NaN"],
      ["Infinity", "Infinity"],
      ["-Infinity", "-Infinity"],
      ["", ""],
      ["-", "-"],
      [".", "."],
      ["1e", "1e"],
      ["1.2.3", "1.2.3"],
      ["0x10", "0x10"],
      ['1,"x":2', '1,"x":2'],
      ["1 ", "1 "],
    ];
    for (const kind of ["integer", "bigint", "decimal", "float"] as const) {
      expect(
        parse(
          "json",
          [column("n", kind)],
          spellings.map(([text]) => [text]),
        ).data,
      ).toEqual(spellings.map(([, n]) => ({ n })));
    }
  });

  it("stays one document with whatever text a number column holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.eE+-xN"\\ ,}'), maxLength: 12 }), (text) => {
        const [row] = parse("json", [column("n", "float"), column("b", "boolean")], [[text, text]]).data;
        expect(typeof row.n === "number" ? row.n : text).toEqual(typeof row.n === "number" ? Number(text) : row.n);
        expect(row.b).toBe(text);
      }),
    );
  });

  it("embeds json cells, and keeps them on one line", () => {
    const text = write("ndjson", [column("j", "json")], [['{"a":\n[1,\r\n2]}'], ["null"], [null]]);
    expect(
      text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual([{ j: { a: [1, 2] } }, { j: null }, { j: null }]);
  });

  it("takes rowsMax rows, no more, and says truncated only when there was one more", () => {
    const columns = [column("n", "integer")];
    const whole = writeRows("json", columns, [["1"], ["2"]], { rowsMax: 2 });
    expect(JSON.parse(whole.bytes.toString())).toMatchObject({ rowCount: 2, truncated: false });
    const cut = parse("json", columns, [["1"], ["2"], ["3"]], { rowsMax: 2 });
    expect(cut).toMatchObject({ data: [{ n: 1 }, { n: 2 }], rowCount: 2, truncated: true, success: true });
  });

  it("takes no row that would pass bytesMax", () => {
    const row = "x".repeat(100);
    const cut = parse("json", [column("t", "text")], [[row], [row], [row]], { bytesMax: 250 });
    expect(cut).toMatchObject({ rowCount: 2, truncated: true });
    expect(cut.data).toHaveLength(2);
  });

  it("ends a failed result as a document that says so", () => {
    const writer = createWriter({
      columns: [column("n", "integer")],
      result: { format: "json", numbers: "exact", rowsMax: 10, bytesMax: 1_000 },
      requestId: "r",
    });
    writer.write(createRowPacker(1)(["1"]));
    const failure = publicFailureOf(
      { code: "sql_error", message: 'no "x"', position: 3 },
      { part: "sql", sql: "ab\nx", target: { kind: "lake" } },
    );
    const text = Buffer.from(writer.end({ durationMs: 5, failure })).toString();
    expect(JSON.parse(text)).toMatchObject({
      data: [{ n: 1 }],
      success: false,
      message: 'no "x" (at character 3)',
      error: {
        code: "query_failed",
        title: "Query Failed",
        status: 400,
        retryable: false,
        flaws: [{ pointer: "/sql", message: 'no "x"', line: 1, column: 3 }],
        position: 3,
        line: 1,
        column: 3,
      },
      meta: { requestId: "r" },
    });
  });
});

describe("NDJSON", () => {
  it("writes one object a line and nothing else", () => {
    expect(
      write(
        "ndjson",
        [column("a", "text"), column("n", "bigint")],
        [
          ["x\ny", "1"],
          [null, null],
        ],
      ),
    ).toBe('{"a":"x\\ny","n":1}\n{"a":null,"n":null}\n');
  });
});

describe("CSV", () => {
  it("has a header, ends lines with LF, and tells NULL from the empty string", () => {
    expect(
      write(
        "csv",
        [column("a", "text"), column('b"c', "text"), column("", "text")],
        [
          ["x", null, ""],
          [null, null, null],
        ],
      ),
    ).toBe('a,"b""c",""\nx,,""\n,,\n');
  });

  it("gives every cell back to a reader of RFC 4180", () => {
    const cell = fc.option(
      fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ", "é", "😀", ";"), maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 10 }), (rows) => {
        const text = write("csv", [column("a", "text"), column("b", "text")], rows);
        expect(readCsv(text)).toEqual([["a", "b"], ...rows]);
      }),
    );
  });
});

/** A reader of its own: unquoted nothing is NULL. */
function readCsv(text: string): Cells[] {
  const rows: Cells[] = [];
  let row: Cells = [];
  let at = 0;
  while (at < text.length) {
    let cell: string | null = null;
    if (text[at] === '"') {
      cell = "";
      for (at++; ; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      const start = at;
      while (text[at] !== "," && text[at] !== "\n") at++;
      if (at > start) cell = text.slice(start, at);
    }
    row.push(cell);
    if (text[at++] === "\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe("Arrow", () => {
  const read = (columns: Column[], rows: Cells[]) => tableFromIPC(writeRows("arrow", columns, rows).bytes);
  const values = (columns: Column[], rows: Cells[], index = 0) => Array.from(read(columns, rows).getChildAt(index)!);

  it("gives each kind its type, and the source's own words as metadata", () => {
    const columns = [
      column("b", "boolean"),
      column("i", "integer"),
      column("iu", "integer", { type: "int unsigned" }),
      column("l", "bigint"),
      column("lu", "bigint", { type: "bigint unsigned" }),
      column("h", "bigint", { type: "HUGEINT" }),
      column("d", "decimal", { precision: 38, scale: 9 }),
      column("dn", "decimal"),
      column("dw", "decimal", { precision: 65, scale: 2 }),
      column("f", "float"),
      column("dt", "date"),
      column("tm", "time"),
      column("ts", "timestamp"),
      column("tz", "timestamptz"),
      column("bin", "binary"),
      column("j", "json"),
      column("t", "text"),
    ];
    const { schema, numRows } = read(columns, []);
    expect(numRows).toBe(0);
    expect(schema.fields.map(({ type }) => String(type))).toEqual([
      "Bool",
      "Int32",
      "Uint32",
      "Int64",
      "Uint64",
      "Decimal[38e0]",
      "Decimal[38e+9]",
      "Utf8",
      "Utf8",
      "Float64",
      "Date32<DAY>",
      "Time64<MICROSECOND>",
      "Timestamp<MICROSECOND>",
      "Timestamp<MICROSECOND, UTC>",
      "Binary",
      "Utf8",
      "Utf8",
    ]);
    expect(schema.fields[2]!.metadata).toEqual(
      new Map([
        ["type", "int unsigned"],
        ["kind", "integer"],
      ]),
    );
  });

  it("keeps integers of 64 bits, and NULL apart from zero", () => {
    const signed = ["-9223372036854775808", "9223372036854775807", null, "0", "-1"];
    expect(
      values(
        [column("l", "bigint")],
        signed.map((value) => [value]),
      ),
    ).toEqual([-9223372036854775808n, 9223372036854775807n, null, 0n, -1n]);
    expect(values([column("l", "bigint", { type: "bigint unsigned" })], [["18446744073709551615"], ["0"]])).toEqual([
      18446744073709551615n,
      0n,
    ]);
  });

  it("keeps every digit of a decimal", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    const whole = fc.array(digit, { minLength: 1, maxLength: 29 }).map((digits) => digits.join(""));
    const fraction = fc.array(digit, { maxLength: 9 }).map((digits) => digits.join(""));
    fc.assert(
      fc.property(fc.boolean(), whole, fraction, (negative, integer, decimals) => {
        const text = `${negative ? "-" : ""}${integer}${decimals === "" ? "" : `.${decimals}`}`;
        const [words] = values([column("d", "decimal", { precision: 38, scale: 9 })], [[text]]) as [Uint32Array];
        expect(
          BigInt.asIntN(
            128,
            words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
          ),
        ).toBe(BigInt(`${negative ? "-" : ""}${integer}${decimals.padEnd(9, "0")}`));
      }),
    );
  });

  it("keeps dates and times to the microsecond", () => {
    expect(
      values([column("d", "date")], [["1970-01-02"], ["1969-12-31"], ["2000-02-29"], ["9999-12-31"]]).map(Number),
    ).toEqual([864e5, -864e5, 951_782_400_000, 253_402_214_400_000]);
    expect(values([column("t", "time")], [["23:59:59.999999"], ["00:00:00"], ["10:00:00.5"]])).toEqual([
      86_399_999_999n,
      0n,
      36_000_500_000n,
    ]);
    const instants = read(
      [column("t", "timestamptz")],
      [["2026-01-31T10:00:00.123456Z"], ["0001-01-01T00:00:00Z"], ["9999-12-31T23:59:59.999999Z"]],
    ).getChildAt(0)!.data[0]!;
    expect(Array.from(instants.values as BigInt64Array)).toEqual([
      1_769_853_600_123_456n,
      -62_135_596_800_000_000n,
      253_402_300_799_999_999n,
    ]);
  });

  it("keeps floats, booleans, bytes and strings", () => {
    const gives = (kind: ValueKind, texts: (string | null)[], expected: unknown[]) =>
      expect(
        values(
          [column("c", kind)],
          texts.map((text) => [text]),
        ),
      ).toEqual(expected);
    fc.assert(
      fc.property(fc.double(), (value) => void gives("float", [Object.is(value, -0) ? "-0" : String(value)], [value])),
    );
    gives("boolean", ["true", "false", null], [true, false, null]);
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => void gives("binary", [Buffer.from(bytes).toString("base64")], [bytes])),
    );
    fc.assert(
      fc.property(fc.array(fc.option(fc.string({ unit: "grapheme" }))), (texts) => void gives("text", texts, texts)),
    );
  });

  it("keeps every row over many batches, NULLs included", () => {
    const rows = Array.from(
      { length: 40_000 },
      (_, i): Cells => [
        i % 3 === 0 ? null : String(i),
        i % 5 === 0 ? null : `t${i}`,
        i % 7 === 0 ? null : String(i % 2 === 0),
      ],
    );
    const table = read([column("n", "integer"), column("t", "text"), column("b", "boolean")], rows);
    expect(table.batches.length).toBeGreaterThan(2);
    expect(Array.from(table.getChildAt(0)!)).toEqual(rows.map(([n]) => (n === null ? null : Number(n))));
    expect(Array.from(table.getChildAt(1)!)).toEqual(rows.map(([, text]) => text));
    expect(Array.from(table.getChildAt(2)!)).toEqual(
      rows.map(([, , bool]) => (bool === null ? null : bool === "true")),
    );
  });

  const unfit: [string, Column, string][] = [
    ["a zero date", column("c", "date"), "0000-00-00"],
    ["a day that is none", column("c", "date"), "2026-02-29"],
    ["an infinite date", column("c", "date"), "infinity"],
    ["an infinite instant", column("c", "timestamptz"), "infinity"],
    ["a date before Christ", column("c", "timestamp"), "0044-03-15T00:00:00 BC"],
    ["a time of 24 hours", column("c", "time"), "24:00:00"],
    ["a nanosecond", column("c", "timestamp"), "2026-01-01T00:00:00.123456789"],
    ["a decimal that is none", column("c", "decimal", { precision: 10, scale: 2 }), "NaN"],
    ["a digit too many", column("c", "decimal", { precision: 4, scale: 2 }), "123.45"],
    ["a decimal place too many", column("c", "decimal", { precision: 10, scale: 2 }), "1.234"],
    ["an integer past 32 bits", column("c", "integer"), "2147483648"],
    ["an integer past 64 bits", column("c", "bigint"), "9223372036854775808"],
    ["a negative unsigned", column("c", "bigint", { type: "bigint unsigned" }), "-1"],
    ["a float that is none", column("c", "float"), "abc"],
    ["a boolean that is none", column("c", "boolean"), "t"],
  ];
  it.each(unfit)("refuses %s, naming the column, instead of making it NULL", (_, unfitColumn, text) => {
    expect(() => writeRows("arrow", [unfitColumn], [[text]])).toThrow(Failure);
    expect(() => writeRows("arrow", [unfitColumn], [[text]])).toThrow(/^Column "c" .*Cast the column to text/);
  });

  it("closes a batch early when its strings are long", () => {
    const text = "x".repeat(1_000_000);
    const table = read(
      [column("t", "text")],
      Array.from({ length: 20 }, () => [text]),
    );
    expect(table.numRows).toBe(20);
    expect(table.batches.length).toBeGreaterThan(1);
  });
});

describe("distinctNames", () => {
  it("gives a repeated name a number that no other column has", () => {
    expect(distinctNames(["a", "a", "a_2", "a", "b"])).toEqual(["a", "a_3", "a_2", "a_4", "b"]);
  });
});
