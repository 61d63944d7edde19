import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractInto } from "../../../containers/engine/extract/extract-table.ts";
import type { SourceColumn } from "../../../containers/engine/extract/source-table.ts";
import { TypeMismatch } from "../../../containers/engine/extract/type-mismatch.ts";
import { createRowPacker } from "../../../containers/engine/formats/row-packer.ts";
import { ExtractionBench, never, readBack } from "../../support/node/sources/extraction.ts";
import { textColumn, textSnapshot, textTable, type TextCells } from "../../support/node/sources/text-snapshot.ts";

/** Canonical text → what DuckDB prints of the value, where it prints another. By the lake's type. */
const HELD: Record<string, (string | [canonical: string, printed: string])[]> = {
  boolean: ["true", "false"],
  int8: ["-128", "127", "0", ["-0", "0"], ["007", "7"]],
  int16: ["-32768", "32767"],
  int32: ["-2147483648", "2147483647"],
  int64: ["-9223372036854775808", "9223372036854775807", "999999999999999", "1000000000000000", "-1000000000000001"],
  "decimal(4,2)": [
    "-99.99",
    "99.99",
    ["1", "1.00"],
    ["1.5", "1.50"],
    [".5", "0.50"],
    ["-0.1", "-0.10"],
    ["7.", "7.00"],
  ],
  "decimal(4,0)": ["9999", "-9999", ["12.000", "12"]],
  "decimal(9,9)": [
    ["0.123456789", ".123456789"],
    ["-.1", "-.100000000"],
  ],
  "decimal(18,6)": ["999999999999.999999", ["1", "1.000000"], ["-1.5000000000000", "-1.500000"]],
  "decimal(38,10)": [
    "9999999999999999999999999999.9999999999",
    "-9999999999999999999999999999.9999999999",
    ["12345678901234567890", "12345678901234567890.0000000000"],
  ],
  "decimal(38,38)": [[`0.${"9".repeat(38)}`, `.${"9".repeat(38)}`]],
  float64: [
    ["NaN", "nan"],
    ["Infinity", "inf"],
    ["-Infinity", "-inf"],
    ["-0", "-0.0"],
    ["-0.0e5", "-0.0"],
    ["5e-324", "5e-324"],
    "1.7976931348623157e+308",
    "0.1",
    "-123456.789",
    ["0.30000000000000004", "0.30000000000000004"],
    ["1E3", "1000.0"],
    ["123456789012345678901234567890", "1.2345678901234568e+29"],
  ],
  float32: [
    ["NaN", "nan"],
    ["-Infinity", "-inf"],
    ["-0", "-0.0"],
    ["-1e-60", "-0.0"],
    ["3.4028235e38", "3.4028235e+38"],
    ["1.4e-45", "1e-45"],
    "0.1",
    "16777216.0",
  ],
  date: [
    "2026-01-31",
    "0001-01-01",
    "9999-12-31",
    "1969-12-31",
    "2000-02-29",
    "infinity",
    "-infinity",
    "12345-01-01",
    ["+12345-01-01", "12345-01-01"],
    ["5881580-07-10", "5881580-07-10"],
    "0044-03-15 (BC)",
    ["0044-03-15 BC", "0044-03-15 (BC)"],
    ["-0043-03-15", "0044-03-15 (BC)"],
    ["0000-02-29", "0001-02-29 (BC)"],
  ],
  time: ["00:00:00", "23:59:59.999999", "24:00:00", ["10:00:00.500000000", "10:00:00.5"], ["24:00:00.000", "24:00:00"]],
  timestamp: [
    ["2026-01-31T10:00:00", "2026-01-31 10:00:00"],
    "2026-01-31 10:00:00.123456",
    ["2026-01-31T10:00:00.123456000", "2026-01-31 10:00:00.123456"],
    ["1969-12-31T23:59:59.999999", "1969-12-31 23:59:59.999999"],
    ["0001-01-01T00:00:00", "0001-01-01 00:00:00"],
    ["9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"],
    ["294246-12-31T23:59:59.999999", "294246-12-31 23:59:59.999999"],
    ["0044-03-15T10:00:00.5 (BC)", "0044-03-15 (BC) 10:00:00.5"],
    ["0044-03-15 10:00:00 BC", "0044-03-15 (BC) 10:00:00"],
    "infinity",
    "-infinity",
  ],
  timestamptz: [
    ["2026-01-31T10:00:00Z", "2026-01-31 10:00:00+00"],
    ["2026-01-31 10:00:00+00", "2026-01-31 10:00:00+00"],
    ["2026-01-31T00:30:00.25+01:00", "2026-01-30 23:30:00.25+00"],
    ["2026-12-31T23:30:00-0130", "2027-01-01 01:00:00+00"],
    ["0001-01-01T00:00:00+14:00", "0001-12-31 (BC) 10:00:00+00"],
    ["9999-12-31T23:59:59.9999990-14:00", "10000-01-01 13:59:59.999999+00"],
    ["0044-03-15T10:00:00 (BC)Z", "0044-03-15 (BC) 10:00:00+00"],
    ["0044-03-15 10:00:00+00 BC", "0044-03-15 (BC) 10:00:00+00"],
    "infinity",
  ],
  uuid: [
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ["123E4567-E89B-12D3-A456-426655440000", "123e4567-e89b-12d3-a456-426655440000"],
  ],
  varchar: [
    "",
    "short",
    "é",
    "twelve bytes",
    "thirteen byte",
    "𝕊urrogates in pairs 😀",
    "a".repeat(33),
    "ü".repeat(9_000),
    "N",
  ],
  json: ['{"a": [1, "ü"]}', "null", `"${"x".repeat(20_000)}"`],
  blob: [
    ["", ""],
    ["AP8=", "\\x00\\xFF"],
    ["YWJj", "abc"],
    ["Lg==", "."],
  ],
};

/** What is no value of its type, with what is said of it. */
const REFUSED: Record<string, [text: string, what?: RegExp][]> = {
  boolean: [["t"], ["1"], [""], ["TRUE"], ["falsey"]],
  int8: [["128"], ["-129"], [""], ["-"], ["1.0"], ["+1"], [" 1"], ["1e1"], ["0x1"]],
  int64: [["9223372036854775808"], ["-9223372036854775809"], ["9".repeat(300)], ["NaN"], ["12345678901234567x"]],
  "decimal(4,2)": [
    ["100", /more digits than/],
    ["-100.00", /more digits than/],
    ["1.005", /behind its point/],
    ["NaN", /NaN or an infinity/],
    ["-Infinity", /NaN or an infinity/],
    [""],
    ["."],
    ["-"],
    ["1e1"],
    ["1.2.3"],
    ["1,5"],
    ["0".repeat(300)],
  ],
  "decimal(38,0)": [["1".repeat(39), /more digits than/]],
  float64: [
    ["1e400"],
    ["nan"],
    ["inf"],
    [""],
    ["-"],
    ["."],
    [" 1"],
    ["1 "],
    ["0x10"],
    ["1e"],
    ["--1"],
    ["1_0"],
    ["Infinity "],
    ["-NaN"],
  ],
  float32: [["3.5e38"], ["1e39"]],
  date: [
    ["2026-02-29", /calendar/],
    ["0000-00-00", /calendar/],
    ["2026-13-01", /calendar/],
    ["2026-1-1"],
    ["2026-01-31T00:00:00"],
    ["2026-01-31Z"],
    ["5881580-07-12", /too far/],
    ["0000-01-01 BC"],
    ["26-01-31"],
    [""],
    ["2026/01/31"],
  ],
  time: [
    ["24:00:01"],
    ["24:00:00.1"],
    ["10:60:00"],
    ["10:00:60"],
    ["10:00"],
    ["10:00:00."],
    ["10:00:00.1234567", /finer/],
    ["-1:00:00"],
  ],
  timestamp: [
    ["2026-01-31T10:00:00.1234567", /finer/],
    ["12026-01-31T10:00:00.1234567", /finer/],
    ["2026-01-31T10:00:00Z"],
    ["2026-01-31"],
    ["2026-02-30T10:00:00", /calendar/],
    ["294248-01-01T00:00:00", /too far/],
    ["2026-01-31T25:00:00"],
    ["2026-01-31_10:00:00"],
    ["2026-01-31T10:00:00 "],
    ["NaN"],
    [""],
  ],
  timestamptz: [
    ["2026-01-31T10:00:00"],
    ["2026-01-31T10:00:00+1"],
    ["2026-01-31T10:00:00+24:00"],
    ["2026-01-31T10:00:00ZZ"],
    ["2026-01-31T10:00:00+01-01"],
  ],
  uuid: [["123e4567e89b12d3a456426655440000"], ["123e4567-e89b-12d3-a456-42665544000g"], [""]],
  blob: [["A"], ["AP8"], ["A P8="], ["AP8=AP8="], ["====="], ["ü==="]],
};

let bench: ExtractionBench;
beforeAll(async () => {
  bench = await ExtractionBench.open();
});
afterAll(() => bench.close());

let tables = 0;

/** The rows as DuckDB prints them. */
async function read(columns: SourceColumn[], rows: TextCells[], pack = false): Promise<(string | null)[][]> {
  const target = `read_${++tables}`;
  const packed = createRowPacker(columns.length);
  const snapshot = pack
    ? textSnapshot(
        () => rows,
        (to, cells) => to.addPacked(packed(cells as (string | null)[])),
      )
    : textSnapshot(() => rows);
  await extractInto(target, { snapshot, table: textTable(columns), staging: bench.staging, signal: never() });
  const connection = await bench.staging.connect();
  try {
    const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${target}`);
    return reader.getRows() as (string | null)[][];
  } finally {
    connection.closeSync();
  }
}

const asBytes = (type: string, cell: string): Buffer => Buffer.from(cell, type === "blob" ? "base64" : "utf8");

describe("canonical text", () => {
  it.each(Object.entries(HELD))(
    "of %s comes into DuckDB as the value it is, from strings, bytes and packed rows",
    async (type, values) => {
      const cells = values.map((value) => (typeof value === "string" ? value : value[0]));
      const printed = values.map((value) => [typeof value === "string" ? value : value[1]]);
      const columns = [textColumn("c", type)];
      const withNull = [...printed, [null]];
      expect(await read(columns, [...cells.map((cell) => [cell]), [null]])).toEqual(withNull);
      expect(await read(columns, [...cells.map((cell) => [asBytes(type, cell)]), [null]])).toEqual(withNull);
      expect(await read(columns, [...cells.map((cell) => [cell]), [null]], true)).toEqual(withNull);
    },
  );

  it.each(Object.entries(REFUSED))(
    "that is no %s ends the read, by its fallback where it has one",
    async (type, values) => {
      for (const [text, what = /not written as one/] of values) {
        const read1 = read([textColumn("c", type, "varchar")], [[text]]);
        await expect(read1, text).rejects.toBeInstanceOf(TypeMismatch);
        await expect(read1, text).rejects.toThrow(what);
        const read2 = read([textColumn("c", type)], [[text]]);
        await expect(read2, text).rejects.toMatchObject({
          code: "connection_failed",
          message: expect.stringMatching(what),
        });
        await expect(read2, text).rejects.not.toBeInstanceOf(TypeMismatch);
      }
    },
  );

  it("keeps the columns of a row apart, over many chunks", async () => {
    const columns = ["int64", "varchar", "float64", "timestamp", "blob"].map((type, i) => textColumn(`c${i}`, type));
    const cellsOf = (i: number): TextCells => [
      String(i),
      i % 3 === 0 ? null : `text ${i} ${"x".repeat(i % 50)}`,
      String(i / 7),
      i % 5 === 0 ? null : new Date(i * 86_399_000).toISOString().slice(0, -1),
      Buffer.from(`b${i}`),
    ];
    const rows = Array.from({ length: 10_000 }, (_, i) => cellsOf(i));
    const found = await read(columns, rows);
    expect(found.length).toBe(rows.length);
    for (const i of [0, 1, 14, 2_047, 2_048, 2_049, 9_999]) {
      const [, text, , time] = rows[i]!;
      const date =
        time === null
          ? null
          : (time as string).replace("T", " ").replace(/\.?0+$/, (zeros) => (zeros.startsWith(".") ? "" : zeros));
      expect(found.find(([id]) => id === String(i))).toEqual([
        String(i),
        text,
        expect.stringContaining(String(i / 7).slice(0, 8)),
        date === null ? null : expect.stringContaining(date.slice(0, 19)),
        `b${i}`,
      ]);
    }
  });

  it("refuses half of a character, and bytes that are no UTF-8, in words", async () => {
    for (const half of ["\ud800", "a\udc00", `${"a".repeat(40)}\ud83d`, `${"b".repeat(9_000)}\udfff`])
      await expect(read([textColumn("c", "varchar", "varchar")], [[half]])).rejects.toThrow(/half a character/);
    for (const bytes of [Buffer.from([0xff]), Buffer.concat([Buffer.alloc(20, 0x61), Buffer.from([0xc3])])])
      await expect(read([textColumn("c", "varchar")], [[bytes]])).rejects.toThrow(/not UTF-8/);
  });

  it("refuses a row of another number of cells than columns, and one that is too large", async () => {
    const columns = [textColumn("a", "varchar"), textColumn("b", "varchar")];
    for (const cells of [["1"], ["1", "2", "3"], []])
      await expect(read(columns, [cells])).rejects.toThrow(/another number of cells/);
    const half = "x".repeat(33 * 1024 * 1024);
    await expect(read(columns, [[half, half]])).rejects.toMatchObject({ code: "resources_exceeded" });
  });

  it("says of a part with NaN or -0 that it has them, and of others that they have not", async () => {
    const columns = ["a", "b", "c"].map((name) => textColumn(name, "float64"));
    const rows = [
      ["1", "NaN", "-0"],
      ["2", "2", "0"],
    ];
    const { parts, files } = await bench.extract({ ...textSnapshot(() => rows) } as never, textTable(columns));
    expect(parts[0]!.statistics.map(({ containsNan }) => containsNan)).toEqual([false, null, false]);
    expect(await readBack(files, "SELECT * FROM t ORDER BY a")).toEqual([
      ["1.0", "nan", "-0.0"],
      ["2.0", "2.0", "0.0"],
    ]);
  });
});
