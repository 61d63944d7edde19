// Snowflake's rows as they lie in its answers and stores: read exactly, however their bytes are cut, or not at all.

import { describe, expect, test } from "vitest";
import { describeColumns } from "../../../../containers/engine/sources/snowflake/rows/column-types.ts";
import { RowPacker } from "../../../../containers/engine/sources/snowflake/rows/row-packer.ts";
import { readRowset } from "../../../../containers/engine/sources/snowflake/rows/rowset-reader.ts";

type Read = { type: string; cells: (string | null)[]; scale?: number; cutBytes?: number; rowsSaid?: number };

/** Reads rows of one column of a type, whose texts are given as Snowflake sends them. */
async function readColumn({ cells, rowsSaid = cells.length, ...read }: Read): Promise<(string | null)[]> {
  const rows = JSON.stringify(cells.map((cell) => [cell])).slice(1, -1);
  return (await readText({ ...read, text: rows, rowsSaid, columns: 1 })).map(([cell]) => cell!);
}

type ReadText = { type?: string; scale?: number | undefined; text: string; columns: number } & Pick<
  Read,
  "cutBytes" | "rowsSaid"
>;

async function readText({ type = "text", scale, text, columns, cutBytes, rowsSaid = 0 }: ReadText) {
  const bytes = Buffer.from(text);
  const column = { name: "C", type, scale, extTypeName: undefined, nullable: true, precision: 38, length: undefined };
  const packer = new RowPacker(describeColumns(Array.from({ length: columns }, () => column)));
  const rows: (string | null)[][] = [];
  await readRowset(pieces(bytes, cutBytes ?? bytes.length), packer, rowsSaid, ({ bytes, starts, ends }) => {
    rows.push(
      Array.from(starts, (start, i) => (ends[i]! < 0 ? null : Buffer.from(bytes.slice(start, ends[i])).toString())),
    );
    return true;
  });
  return rows;
}

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a cell becomes canonical text", () => {
  test.each<[string, (string | null)[], (string | null)[]]>([
    [
      "text",
      ["NULL", null, "", 'a"b\\c\n\u0001', "😀\ud800", "ünï"],
      ["NULL", null, "", 'a"b\\c\n\u0001', "😀\ufffd", "ünï"],
    ],
    [
      "fixed",
      ["0", "-12.340", "99999999999999999999999999999999999999"],
      ["0", "-12.340", "99999999999999999999999999999999999999"],
    ],
    [
      "real",
      ["NaN", "inf", "-inf", "-0", "0.1", "1e300", "5e-324"],
      ["NaN", "Infinity", "-Infinity", "-0", "0.1", "1e+300", "5e-324"],
    ],
    ["boolean", ["1", "0", "true", "FALSE", null], ["true", "false", "true", "false", null]],
    ["binary", ["", "00FFab"], ["", "AP+r"]],
    ["date", ["0", "-719528", "2932896", "-719529"], ["1970-01-01", "0000-01-01", "9999-12-31", "-0001-12-31"]],
    ["time", ["0.000000000", "86399.999999999", "36000.500"], ["00:00:00", "23:59:59.999999999", "10:00:00.5"]],
    [
      "timestamp_ntz",
      ["1611868800.123456789", "-0.000000001", "-1", "253402300799.999999999"],
      [
        "2021-01-28T21:20:00.123456789",
        "1969-12-31T23:59:59.999999999",
        "1969-12-31T23:59:59",
        "9999-12-31T23:59:59.999999999",
      ],
    ],
    ["timestamp_ltz", ["0"], ["1970-01-01T00:00:00Z"]],
    ["timestamp_tz", ["1611868800.100000000 1380", "0 2880"], ["2021-01-28T21:20:00.1Z", "1970-01-01T00:00:00Z"]],
    [
      "variant",
      [
        '{"a": 1}',
        '{\n "a": "x\\ny"\n}',
        "[undefined, 1]",
        '["undefined"]',
        "NaN",
        "[-Infinity,Infinity]",
        "<a>1</a>",
        "null",
      ],
      [
        '{"a": 1}',
        '{"a":"x\\ny"}',
        "[null,1]",
        '["undefined"]',
        '"NaN"',
        '["-Infinity","Infinity"]',
        '"<a>1</a>"',
        "null",
      ],
    ],
    ["decfloat", ["1.23e-16383"], ["1.23e-16383"]],
  ])("of %s", async (type, cells, canonical) => {
    expect(await readColumn({ type, cells, scale: 9 })).toEqual(canonical);
    expect(await readColumn({ type, cells, scale: 9, cutBytes: 1 })).toEqual(canonical);
  });

  test.each([
    ["fixed", "1e5"],
    ["fixed", ""],
    ["fixed", "1-2"],
    ["real", "one"],
    ["boolean", "2"],
    ["binary", "abc"],
    ["binary", "zz"],
    ["date", "1.5"],
    ["time", "86401"],
    ["timestamp_ntz", "2021-01-28 21:20:00"],
    ["timestamp_tz", "1611868800.1"],
    ["timestamp_tz", "1611868800.1 9999"],
  ])("or ends the result: %s as %j", async (type, cell) => {
    await expect(readColumn({ type, cells: [cell] })).rejects.toThrow("breaks Snowflake's protocol");
  });
});

describe("rows", () => {
  test("are whole however long they are and however their bytes are cut", async () => {
    const cells = Array.from({ length: 40 }, (_, i) => "é\n".repeat(i * i * i));
    for (const cutBytes of [1_000, 7_919, 65_536])
      expect(await readColumn({ type: "text", cells, cutBytes })).toEqual(cells);
  });

  test("may have spaces between them, and cells without quotes", async () => {
    const text = ' [ "a" ,\n null ] , [ true , -1.5 ]\n';
    expect(await readText({ text, columns: 2, rowsSaid: 2, cutBytes: 3 })).toEqual([
      ["a", null],
      ["true", "-1.5"],
    ]);
  });

  test.each([
    ["fewer than are said", '["a"]', 2],
    ["more than are said", '["a"],["b"]', 1],
    ["cut within a text", '["a"],["b', 2],
    ["cut behind a comma", '["a"],', 1],
    ["not parted", '["a"]["b"]', 2],
    ["with another cell", '["a","b"]', 1],
    ["with a list as a cell", '[["a"]]', 1],
    ["with a word that is no null", "[nil]", 1],
    ["with an escape that is none", '["\\x"]', 1],
    ["of an object", '{"a":1}', 1],
    ["none where one is said", "", 1],
  ])("are refused where they are %s", async (_, text, rowsSaid) => {
    await expect(readText({ text, columns: 1, rowsSaid })).rejects.toThrow("breaks Snowflake's protocol");
  });
});
