// Every type of SQL Server arrives as exactly the value that was sent, over the real wire and the real driver's login.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows } from "../../../support/node/sources/sqlserver/read-rows.ts";
import {
  LATIN1_COLLATION,
  UTF8_COLLATION,
  type FakeColumn,
} from "../../../support/node/sources/sqlserver/tds/column-types.ts";
import type { FakeValue } from "../../../support/node/sources/sqlserver/tds/values.ts";

let server: FakeSqlServer;
beforeAll(async () => {
  server = await FakeSqlServer.start();
});
afterAll(() => server.close());

type Sent = [type: string | Omit<FakeColumn, "name">, value: FakeValue, text: string];

/** What the server sends for any statement, as it is read. */
async function readSent(columns: FakeColumn[], rows: FakeValue[][]) {
  server.answers.length = 0;
  server.answers.push({ when: /prepared/, columns, batches: () => [rows] });
  const read = await readRows(server, "SELECT * FROM prepared");
  expect(server.failures).toEqual([]);
  return read;
}

const toColumn = (type: Sent[0], i: number): FakeColumn =>
  typeof type === "string" ? { name: `c${i}`, type } : { name: `c${i}`, ...type };

async function expectExact(...sent: Sent[]): Promise<void> {
  const columns = sent.map(([type], i) => toColumn(type, i));
  // Twice, for the fake sends every other row with a bitmap of its NULLs, and once each with none but NULLs.
  const values = sent.map(([, value]) => value);
  const { rows } = await readSent(columns, [values, values, values.map(() => null), values.map(() => null)]);
  const texts = sent.map(([, , text]) => text);
  const nulls = sent.map(() => null);
  expect(rows).toEqual([texts, texts, nulls, nulls]);
}

describe("a value keeps every digit", () => {
  it("of whole numbers", () =>
    expectExact(
      ["tinyint", 0, "0"],
      ["tinyint", 255, "255"],
      ["smallint", -32_768, "-32768"],
      ["int", -2_147_483_648, "-2147483648"],
      ["int", 2_147_483_647, "2147483647"],
      ["bigint", -9_223_372_036_854_775_808n, "-9223372036854775808"],
      ["bigint", 9_223_372_036_854_775_807n, "9223372036854775807"],
      ["bigint", 9_007_199_254_740_993n, "9007199254740993"],
      ["bigint", -9_007_199_254_740_993n, "-9007199254740993"],
      ["bit", true, "true"],
      ["bit", false, "false"],
    ));

  it("of decimals and money", () =>
    expectExact(
      ["decimal(38,0)", "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"],
      ["decimal(38,38)", "-0.99999999999999999999999999999999999999", "-0.99999999999999999999999999999999999999"],
      ["numeric(38,10)", "-1234567890123456789012345678.0123456789", "-1234567890123456789012345678.0123456789"],
      ["decimal(9,2)", "0.01", "0.01"],
      ["decimal(19,4)", "-0.0001", "-0.0001"],
      ["decimal(28,3)", "0", "0.000"],
      ["money", "-922337203685477.5808", "-922337203685477.5808"],
      ["money", "922337203685477.5807", "922337203685477.5807"],
      ["money", "-0.0001", "-0.0001"],
      ["smallmoney", "-214748.3648", "-214748.3648"],
      ["smallmoney", "214748.3647", "214748.3647"],
    ));

  it("of floats", () =>
    expectExact(
      ["float", 0.1, "0.1"],
      ["float", Number.MIN_VALUE, "5e-324"],
      ["float", Number.MAX_VALUE, "1.7976931348623157e+308"],
      ["float", -0, "-0"],
      ["float", 123_456_789.123_456_79, "123456789.12345679"],
      ["real", 0.1, "0.1"],
      ["real", 16_777_216, "16777216"],
      ["real", 3.402_823_466e38, "3.4028235e+38"],
      ["real", 1.401_298_464e-45, "1e-45"],
      ["real", 1.000_000_1, "1.0000001"],
    ));

  it("of dates and times", () =>
    expectExact(
      ["date", "0001-01-01", "0001-01-01"],
      ["date", "9999-12-31", "9999-12-31"],
      ["date", "2000-02-29", "2000-02-29"],
      ["date", "1900-03-01", "1900-03-01"],
      ["time(7)", "23:59:59.9999999", "23:59:59.9999999"],
      ["time(0)", "00:00:00", "00:00:00"],
      ["time(3)", "10:00:00.500", "10:00:00.5"],
      ["datetime2(7)", "0001-01-01T00:00:00.0000001", "0001-01-01T00:00:00.0000001"],
      ["datetime2(7)", "9999-12-31T23:59:59.9999999", "9999-12-31T23:59:59.9999999"],
      ["datetime2(0)", "2026-01-31T10:00:01", "2026-01-31T10:00:01"],
      ["datetime", "1753-01-01T00:00:00", "1753-01-01T00:00:00"],
      ["datetime", "9999-12-31T23:59:59.997", "9999-12-31T23:59:59.997"],
      ["datetime", "2026-01-31T10:00:00.003", "2026-01-31T10:00:00.003"],
      ["datetime", "2026-01-31T10:00:00.007", "2026-01-31T10:00:00.007"],
      ["smalldatetime", "1900-01-01T00:00:00", "1900-01-01T00:00:00"],
      ["smalldatetime", "2079-06-06T23:59:00", "2079-06-06T23:59:00"],
    ));

  it("of instants, whose offset is reckoned in and not kept", () =>
    expectExact(
      ["datetimeoffset(7)", "2026-01-31T10:00:00.1234567+02:00", "2026-01-31T08:00:00.1234567Z"],
      ["datetimeoffset(7)", "2026-01-01T00:00:00-14:00", "2026-01-01T14:00:00Z"],
      ["datetimeoffset(0)", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
      ["datetimeoffset(3)", "0001-01-01T05:30:00.001+05:30", "0001-01-01T00:00:00.001Z"],
    ));

  it("of texts", () =>
    expectExact(
      ["nvarchar(50)", "", ""],
      ["nvarchar(50)", "é ß 漢字 𝄞 \u0000 end", "é ß 漢字 𝄞 \u0000 end"],
      ["nvarchar(max)", "漢".repeat(20_000), "漢".repeat(20_000)],
      ["nvarchar(max)", "", ""],
      ["nchar(4)", "ab  ", "ab  "],
      ["varchar(50)", "é漢", "é漢"],
      ["varchar(max)", "x".repeat(100_000), "x".repeat(100_000)],
      [{ type: "varchar(9)", collation: LATIN1_COLLATION }, Buffer.from([0xe9, 0x80, 0x41]), "é€A"],
      [{ type: "char(3)", collation: collation(0x0419) }, Buffer.from([0xcf, 0xf0, 0x20]), "Пр "],
      [{ type: "varchar(9)", collation: collation(0x0411) }, Buffer.from([0x8a, 0xbf, 0x8e, 0x9a]), "漢字"],
      [{ type: "varchar(9)", collation: sorted(30) }, Buffer.from([0x82, 0xe1]), "éß"],
      [{ type: "varchar(9)", collation: sorted(40) }, Buffer.from([0x82, 0x9b]), "éø"],
      [{ type: "text", collation: UTF8_COLLATION }, "é".repeat(10_000), "é".repeat(10_000)],
      ["ntext", "漢".repeat(10_000), "漢".repeat(10_000)],
      ["xml", "\ufeff<a>é</a>", "<a>é</a>"],
    ));

  it("of bytes", () => {
    const long = Buffer.alloc(100_000, 7);
    return expectExact(
      ["varbinary(8)", Buffer.from([0, 255]), "AP8="],
      ["varbinary(max)", long, long.toString("base64")],
      ["varbinary(max)", Buffer.alloc(0), ""],
      ["binary(3)", Buffer.from("abc"), "YWJj"],
      ["image", Buffer.from("abc"), "YWJj"],
      ["rowversion", Buffer.from("00000000000007d1", "hex"), "AAAAAAAAB9E="],
      ["hierarchyid", Buffer.from("58", "hex"), "WA=="],
      ["geography", Buffer.from("e6100000010c", "hex"), "5hAAAAEM"],
      ["uniqueidentifier", "6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"],
    );
  });

  it("of variants, each as its own type is written", () =>
    expectExact(
      ["sql_variant", "é", "é"],
      ["sql_variant", variant(0x38, [], Buffer.from([0xff, 0xff, 0xff, 0xff])), "-1"],
      ["sql_variant", variant(0x6c, [38, 2], Buffer.from([0, 1, 0, 0, 0])), "-0.01"],
      ["sql_variant", variant(0x32, [], Buffer.from([1])), "true"],
      ["sql_variant", variant(0x28, [], Buffer.from([0, 0, 0])), "0001-01-01"],
      ["sql_variant", variant(0x29, [7], Buffer.from([1, 0, 0, 0, 0])), "00:00:00.0000001"],
      ["sql_variant", variant(0xa5, [9, 0], Buffer.from([1, 0xab])), "0x01ab"],
      ["sql_variant", variant(0xa7, [...LATIN1_COLLATION, 9, 0], Buffer.from([0xe9])), "é"],
      ["sql_variant", variant(0x3d, [], Buffer.alloc(8)), "1900-01-01T00:00:00"],
    ));
});

const variant = (code: number, properties: number[], value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([code, properties.length, ...properties]), value]);

/** The collation of a language, by a sort order of the older kind. */
function collation(lcid: number): Buffer {
  return Buffer.from([lcid & 0xff, lcid >> 8, 0xd0, 0x00, 0x00]);
}
function sorted(id: number): Buffer {
  return Buffer.from([0x09, 0x04, 0xd0, 0x00, id]);
}

describe("values drawn by chance", () => {
  /** Repeatable: an xorshift. */
  function* chance(): Generator<number, never> {
    for (let state = 0x2545_f491; ; ) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      yield state >>> 0;
    }
  }
  const random = chance();
  const below = (bound: number): number => random.next().value % bound;
  const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join("");
  const strip = (whole: string): string => whole.replace(/^0+(?=\d)/, "");
  const isZero = (text: string): boolean => /^[0.]*$/.test(text);

  it("come back as decimals of every precision and scale", async () => {
    for (let precision = 1; precision <= 38; precision++) {
      const scale = below(precision + 1);
      const values = Array.from({ length: 40 }, () => {
        const whole = strip(digits(Math.max(1, below(precision - scale + 1)))).slice(0, precision - scale) || "0";
        const text = scale > 0 ? `${whole}.${digits(scale)}` : whole;
        return below(2) === 0 && !isZero(text) ? `-${text}` : text;
      });
      const { rows } = await readSent(
        [{ name: "d", type: `decimal(${precision},${scale})` }],
        values.map((value) => [value]),
      );
      expect(rows.map(([text]) => text)).toEqual(values);
    }
  });

  it("come back as times of every scale", async () => {
    const two = (bound: number) => String(below(bound)).padStart(2, "0");
    for (let scale = 0; scale <= 7; scale++) {
      const values = Array.from({ length: 100 }, () => {
        const fraction = digits(scale).replace(/0+$/, "");
        const date = new Date(Date.UTC(1, 0, 1) - 59_958_144_000_000 + below(3_652_059) * 86_400_000);
        const year = String(1 + below(9_999)).padStart(4, "0");
        return `${year}-${date.toISOString().slice(-19, -14).replace("02-29", "02-28")}T${two(24)}:${two(60)}:${two(60)}${fraction && `.${fraction}`}`;
      });
      const { rows } = await readSent(
        [{ name: "t", type: `datetime2(${scale})` }],
        values.map((value) => [value]),
      );
      expect(rows.map(([text]) => text)).toEqual(values);
    }
  });

  it("come back as floats of either width, to the last bit", async () => {
    const bits = Buffer.alloc(8);
    const draw = (bytes: 4 | 8): number => {
      bits.writeUInt32LE(random.next().value, 0);
      bits.writeUInt32LE(random.next().value, 4);
      const value = bytes === 4 ? bits.readFloatLE() : bits.readDoubleLE();
      return Number.isFinite(value) ? value : 1;
    };
    for (const [type, bytes] of [
      ["real", 4],
      ["float", 8],
    ] as const) {
      const values = Array.from({ length: 2_000 }, () => draw(bytes));
      const { rows } = await readSent(
        [{ name: "f", type }],
        values.map((value) => [value]),
      );
      const read = rows.map(([text]) => (bytes === 4 ? Math.fround(Number(text)) : Number(text)));
      expect(read).toEqual(values);
    }
  });

  it("come back as texts of any UTF-16, wherever packets cut them", async () => {
    const values = Array.from({ length: 400 }, () =>
      String.fromCharCode(
        ...Array.from({ length: below(400) }, () => [below(0x80), below(0x800), below(0x1_0000)][below(3)]!),
      ).toWellFormed(),
    );
    const { rows } = await readSent(
      [{ name: "s", type: "nvarchar(max)" }],
      values.map((value) => [value]),
    );
    expect(rows.map(([text]) => text)).toEqual(values);
  });
});

it("names columns and their types as T-SQL does, and repeated names apart", async () => {
  const { columns } = await readSent(
    [
      { name: "a", type: "decimal(10,2)" },
      { name: "a", type: "nvarchar(max)" },
      { name: "", type: "datetimeoffset(3)" },
      { name: "v", type: "rowversion", userType: 80 },
      { name: "m", type: "money" },
    ],
    [],
  );
  expect(columns).toEqual([
    { name: "a", type: "decimal(10,2)", kind: "decimal", precision: 10, scale: 2 },
    { name: "a_2", type: "nvarchar(max)", kind: "text" },
    { name: "", type: "datetimeoffset(3)", kind: "timestamptz" },
    { name: "v", type: "rowversion", kind: "binary" },
    { name: "m", type: "money", kind: "decimal", precision: 19, scale: 4 },
  ]);
});
