// PostgreSQL's types of keys: values of each as literals, with the rare ones among them, and how source and lake are to
// print them alike.

import fc from "fast-check";
import type { KeyType } from "./keyed-tables.ts";

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const typed = (declared: string, values: fc.Arbitrary<string>, more: Partial<KeyType> = {}): KeyType => ({
  declared,
  values: values.map((value) => `${quote(value)}::${declared.replace(/ COLLATE .*/, "")}`),
  source: (column) => `(${column})::text`,
  lake: (column) => `${column}::VARCHAR`,
  ...more,
});
const whole = (declared: string, min: bigint, max: bigint, more: Partial<KeyType> = {}) =>
  typed(
    declared,
    fc
      .oneof(fc.bigInt({ min, max }), fc.bigInt({ min: min < -90n ? -90n : min, max: max > 300n ? 300n : max }))
      .map(String),
    more,
  );

const number = (digits: number, places: number) =>
  fc
    .integer({ min: 1, max: digits })
    .chain((length) => fc.bigInt({ min: -(10n ** BigInt(length)) + 1n, max: 10n ** BigInt(length) - 1n }))
    .map((value) => {
      const text = String(value < 0n ? -value : value).padStart(places + 1, "0");
      return `${value < 0n ? "-" : ""}${text.slice(0, text.length - places)}${places > 0 ? `.${text.slice(-places)}` : ""}`;
    });
// DuckDB leaves out a nought before the point.
const decimal = (digits: number, places: number, odd: string[] = []) =>
  typed(
    `numeric(${digits},${places})`,
    fc.oneof({ weight: 9, arbitrary: number(digits, places) }, fc.constantFrom("0", ...odd)),
    { lake: (column) => `regexp_replace(${column}::VARCHAR, '^(-?)\\.', '\\10.')` },
  );

const LETTERS = [
  "a",
  "A",
  "b",
  "Z",
  "é",
  "e",
  "ß",
  "ss",
  "ı",
  "I",
  "0",
  "10",
  " ",
  "_",
  "\t",
  "'",
  ",",
  '"',
  "\\",
  "{",
  "NULL",
];
const words = (letters = LETTERS) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 4 }).map((parts) => parts.join(""));
/** What pads it is no part of it. */
const padded = {
  source: (column: string) => `rtrim((${column})::text, ' ')`,
  lake: (column: string) => `rtrim(${column}, ' ')`,
};

const two = (n: number) => String(n).padStart(2, "0");
const days = fc
  .tuple(
    fc.constantFrom("0001", "0999", "1969", "2026", "9999"),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`);
const times = fc
  .tuple(
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom("00", "00.5", "59.999999", "01.000001"),
  )
  .map(([hour, minute, rest]) => `${two(hour)}:${two(minute)}:${rest}`);
const instants = fc.tuple(days, times).map(([day, time]) => `${day} ${time}`);
const or = (values: fc.Arbitrary<string>, ...odd: string[]) =>
  fc.oneof({ weight: 9, arbitrary: values }, fc.constantFrom(...odd));
const instant = {
  source: (column: string) =>
    `CASE WHEN isfinite(${column}) THEN ((extract(epoch from ${column}) * 1000000)::bigint)::text ELSE (${column})::text END`,
  lake: (column: string) =>
    `CASE WHEN isfinite(${column}) THEN epoch_us(${column})::VARCHAR ELSE ${column}::VARCHAR END`,
};

const small = fc.integer({ min: -20, max: 20 });
const hex = (digits: number) =>
  fc
    .array(fc.constantFrom("0", "1", "7", "8", "a", "f"), { minLength: digits, maxLength: digits })
    .map((each) => each.join(""));
const list = {
  source: (column: string) => `to_json(${column}::text[])::text`,
  lake: (column: string) => `to_json(${column}::VARCHAR[])::VARCHAR`,
};
const arrayOf = (elements: fc.Arbitrary<string>) =>
  fc.array(or(elements, "NULL"), { maxLength: 3 }).map((each) => `{${each.join(",")}}`);
const elements = words().map((word) => `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`);
const between = (values: fc.Arbitrary<string>) =>
  fc.tuple(values, values).map(([a, b]) => `[${[a, b].sort().join(",")}]`);
const ints = fc.tuple(small, fc.integer({ min: 0, max: 5 })).map(([from, length]) => `[${from},${from + length})`);

/** What some of the types need to be there. */
export const PREPARATION = `
  CREATE TYPE mood AS ENUM ('zeta', 'alpha', 'Beta'); CREATE TYPE pair AS (a int, b text); CREATE DOMAIN small AS int CHECK (value < 1000); CREATE DOMAIN names AS text[];
  CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false); CREATE COLLATION german (provider = icu, locale = 'de-u-co-phonebk');`;

/** A type of an extension that not every server has. */
export const CITEXT = typed("citext", words());

export const KEY_TYPES: KeyType[] = [
  whole("smallint", -32_768n, 32_767n),
  whole("int", -(2n ** 31n), 2n ** 31n - 1n),
  whole("bigint", -(2n ** 63n), 2n ** 63n - 1n),
  whole("oid", 0n, 2n ** 32n - 1n),
  whole("xid8", 0n, 2n ** 63n),
  ...[
    [1, 0],
    [4, 2],
    [9, 9],
    [18, 6],
    [38, 0],
    [38, 38],
    [39, 0],
    [60, 20],
  ].map(([digits, places]) => decimal(digits!, places!)),
  decimal(10, 2, ["NaN"]),
  typed("numeric", or(number(50, 10), "NaN", "Infinity", "-Infinity", "0", "0.0")),
  typed(
    "real",
    or(
      small.map((n) => String(n / 8)),
      "NaN",
      "Infinity",
      "-0",
      "16777216",
    ),
    {
      source: (column) => `CASE WHEN ${column} = 0 THEN '0' ELSE (${column}::float8)::numeric::text END`,
      lake: (column) =>
        `CASE WHEN ${column} = 0 THEN '0' WHEN isfinite(${column}) THEN regexp_replace(regexp_replace(${column}::DOUBLE::DECIMAL(38,3)::VARCHAR, '\\.?0*$', ''), '^(-?)\\.', '\\10.') ELSE replace(replace(${column}::VARCHAR, 'nan', 'NaN'), 'inf', 'Infinity') END`,
    },
  ),
  typed(
    "float8",
    small.map((n) => String(n / 8)),
    { source: (column) => `(${column} * 8)::int::text`, lake: (column) => `(${column} * 8)::INTEGER::VARCHAR` },
  ),
  typed("text", words()),
  typed('text COLLATE "C"', words()),
  typed("text COLLATE blind", words()),
  typed("varchar(20) COLLATE german", words()),
  typed("char(12)", words(), padded),
  typed("name", words()),
  typed('"char"', fc.constantFrom("a", "B", " ", "0", "~")),
  typed(
    "bytea",
    fc
      .array(fc.constantFrom("00", "01", "2c", "41", "80", "ff"), { maxLength: 5 })
      .map((parts) => `\\x${parts.join("")}`),
    { source: (column) => `encode(${column}, 'hex')`, lake: (column) => `lower(hex(${column}))` },
  ),
  typed("uuid", hex(32)),
  typed("boolean", fc.constantFrom("true", "false")),
  typed("date", or(days, "infinity", "-infinity")),
  typed("timestamp", or(instants, "infinity", "-infinity", "0044-03-15 10:00:00 BC"), instant),
  typed("timestamptz", or(instants, "infinity", "-infinity"), instant),
  typed("timestamptz(3)", instants, instant),
  typed("time", or(times, "24:00:00")),
  typed(
    "timetz",
    fc.tuple(times, fc.constantFrom("+00", "+05:30", "-12")).map((parts) => parts.join("")),
  ),
  typed(
    "interval",
    fc.tuple(small, small, times).map(([months, days, time]) => `${months} mons ${days} days ${time}`),
  ),
  typed(
    "inet",
    hex(2).map((digits) => `2001:db8::${digits}/64`),
  ),
  typed(
    "inet",
    fc.nat(255).map((n) => `10.0.0.${n}`),
  ),
  typed(
    "cidr",
    fc.nat(255).map((n) => `10.0.${n}.0/24`),
  ),
  typed("macaddr", hex(12)),
  typed("macaddr8", hex(16)),
  typed(
    "bit(7)",
    fc.array(fc.constantFrom("0", "1"), { minLength: 7, maxLength: 7 }).map((bits) => bits.join("")),
  ),
  typed(
    "varbit",
    fc.array(fc.constantFrom("0", "1"), { maxLength: 9 }).map((bits) => bits.join("")),
  ),
  typed(
    "money",
    small.map((n) => `${n}.25`),
    { source: (column) => `${column}::numeric::text` },
  ),
  typed(
    "pg_lsn",
    fc.tuple(fc.nat(9), hex(4)).map(([high, low]) => `${high}/${low}`),
  ),
  typed("tsvector", words(["cat ", "dog ", "a:1 ", "'x y' "])),
  typed("tsquery", fc.constantFrom("cat", "cat & dog", "!a", "a | b", "a <-> b")),
  typed(
    "jsonb",
    fc.oneof(
      small.map(String),
      words(["a", "B", ",", " "]).map((word) => JSON.stringify({ k: word, n: [1, null] })),
    ),
  ),
  typed("mood", fc.constantFrom("zeta", "alpha", "Beta")),
  typed("small", small.map(String)),
  typed(
    "pair",
    fc.tuple(small, words(["a", "b", " "])).map(([a, b]) => `(${a},"${b}")`),
  ),
  typed("names", arrayOf(elements), list),
  typed("int[]", arrayOf(small.map(String)), list),
  typed("text[]", arrayOf(elements), list),
  typed("numeric[]", arrayOf(number(40, 3)), list),
  typed("date[]", arrayOf(days), list),
  typed("uuid[]", arrayOf(hex(32)), list),
  typed("boolean[]", arrayOf(fc.constantFrom("t", "f")), list),
  typed("bytea[]", arrayOf(fc.constantFrom('"\\\\x00"', '"\\\\x41"', '"\\\\xff2c"')), {
    source: (column) =>
      `coalesce((SELECT string_agg(coalesce(encode(e, 'hex'), 'NULL'), ',') FROM unnest(${column}) e), '')`,
    lake: (column) => `array_to_string(list_transform(${column}, e -> coalesce(lower(hex(e)), 'NULL')), ',')`,
  }),
  typed(
    "int[][]",
    fc.tuple(small, small).map(([a, b]) => `{{${a},1},{${b},2}}`),
    { source: (column) => `to_json(${column})::text`, lake: (column) => `${column}::VARCHAR` },
  ),
  typed("int4range", ints),
  typed("numrange", between(fc.constantFrom("1.5", "2", "3.25"))),
  typed("tstzrange", between(fc.constantFrom("2026-01-01", "2026-02-01", "2027-01-01"))),
  typed(
    "int4multirange",
    fc.tuple(ints, ints).map((both) => `{${both.join(",")}}`),
  ),
  typed("int4range[]", arrayOf(ints.map((range) => `"${range}"`)), list),
];
