// MariaDB's types of keys: values of each as literals, with the rare ones among them, and how source and lake are to
// print them alike.

import fc from "fast-check";
import type { KeyType } from "./keyed-tables.ts";

const asChar = (column: string) => `CAST(${column} AS CHAR)`;
const asText = (column: string) => `${column}::VARCHAR`;
const plain = (declared: string, values: fc.Arbitrary<string>, more: Partial<KeyType> = {}): KeyType => ({
  declared,
  values,
  source: asChar,
  lake: asText,
  ...more,
});

const asNumber = (column: string) => `CAST(${column} + 0 AS CHAR)`;
const whole = (declared: string, min: bigint, max: bigint): KeyType =>
  plain(
    declared,
    fc
      .oneof(fc.bigInt({ min, max }), fc.bigInt({ min: min < -150n ? -150n : min, max: max > 400n ? 400n : max }))
      .map(String),
    { source: asNumber },
  );
const INTEGERS = [
  ["TINYINT", 8n],
  ["SMALLINT", 16n],
  ["MEDIUMINT", 24n],
  ["INT", 32n],
  ["BIGINT", 64n],
] as const;

/** A decimal type whose values have any number of digits, and often the most: `places` of them behind the point. */
export function decimal(precision: number, places: number, attribute = ""): KeyType {
  const unscaled = fc
    .integer({ min: 1, max: precision })
    .chain((digits) => fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }));
  const values = fc.tuple(unscaled, fc.boolean()).map(([value, isNegative]) => {
    const digits = String(value).padStart(places + 1, "0");
    return `${isNegative && attribute === "" ? "-" : ""}${digits.slice(0, digits.length - places)}${places > 0 ? `.${digits.slice(-places)}` : ""}`;
  });
  // DuckDB leaves out a nought before the point.
  return plain(`DECIMAL(${precision},${places}) ${attribute}`, values, {
    source: (column) => `CAST(CAST(${column} AS DECIMAL(${precision},${places})) AS CHAR)`,
    lake: (column) =>
      `regexp_replace(regexp_replace(${column}::VARCHAR, '^(-?)0*(\\d)', '\\1\\2'), '^(-?)\\.', '\\10.')`,
  });
}

const literal = (text: string) => `_utf8mb4 X'${Buffer.from(text).toString("hex")}'`;
const words = (letters: string[]) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 4 }).map((parts) => literal(parts.join("")));
const LETTERS = ["a", "A", "b", "B", "z", "0", "10", "_", "-", " ", "\t", "'", "\\"];
const BEYOND = [...LETTERS, "ä", "Ä", "á", "é", "E", "ß", "ss", "ı", "I", "i", "ø", "ñ"];
const text = (declared: string, letters = BEYOND): KeyType =>
  plain(declared, words(letters), {
    source: (column) => `HEX(CONVERT(${column} USING utf8mb4))`,
    lake: (column) => `hex(${column})`,
  });
const bytes = (declared: string, length: number): KeyType =>
  plain(
    declared,
    fc
      .array(fc.constantFrom("00", "01", "20", "41", "61", "7F", "80", "FF"), { minLength: 1, maxLength: length })
      .map((parts) => `X'${parts.join("")}'`),
    { source: (column) => `HEX(${column})`, lake: (column) => `hex(${column})` },
  );

const two = (n: number) => String(n).padStart(2, "0");
const days = fc
  .tuple(
    fc.constantFrom("0001", "0999", "1000", "1969", "1970", "2026", "9999"),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`);
const later = fc
  .tuple(fc.constantFrom("1971", "2026", "2037"), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`);
const hours = fc
  .tuple(
    fc.constantFrom(0, 9, 23),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom("", ".5", ".000001", ".999999", ".120000"),
  )
  .map(([hour, minute, fraction]) => `${two(hour)}:${two(minute)}:00${fraction}`);
const quoted = (values: fc.Arbitrary<string>) => values.map((value) => `'${value}'`);
const NONE = ["0000-00-00", "2026-00-00", "2026-02-31", "1900-02-29", "2026-04-00"];
const noDay = (column: string) => `LEFT(${asChar(column)}, 10) IN (${NONE.map((day) => `'${day}'`).join(", ")})`;
const dayOf = (column: string) => `printf('%04d-%02d-%02d', year(${column}), month(${column}), day(${column}))`;

const date = (values: fc.Arbitrary<string>, more: Partial<KeyType> = {}): KeyType =>
  plain("DATE", quoted(values), {
    source: (column) => `IF(${noDay(column)}, 'none', ${asChar(column)})`,
    lake: (column) => `CASE WHEN ${column} IS NULL THEN 'none' ELSE ${dayOf(column)} END`,
    ...more,
  });
const instant = (declared: string, places: number, values: fc.Arbitrary<string>): KeyType => {
  const utc = (column: string) => (declared === "TIMESTAMP" ? `(${column} AT TIME ZONE 'UTC')` : column);
  return plain(`${declared}(${places})`, quoted(values), {
    source: (column) =>
      `IF(${noDay(column)}, 'none', RPAD(${places === 0 ? `CONCAT(${asChar(column)}, '.')` : asChar(column)}, 26, '0'))`,
    lake: (column) =>
      `CASE WHEN ${column} IS NULL THEN 'none' ELSE ${dayOf(utc(column))} || strftime(${utc(column)}, ' %H:%M:%S.%f') END`,
  });
};
const at = (day: fc.Arbitrary<string>) => fc.tuple(day, hours).map(([date, time]) => `${date} ${time}`);
const orZero = (values: fc.Arbitrary<string>, zero: string) => fc.oneof(values, fc.constant(zero));

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom("0", "1", "7", "8", "a", "f"), { minLength: digits, maxLength: digits })
    .map((each) => each.join(""));
const asDecimal = {
  source: (column: string) => `CAST(CAST(${column} + 0e0 AS DECIMAL(30,6)) AS CHAR)`,
  lake: (column: string) => `${column}::DOUBLE::DECIMAL(30,6)::VARCHAR`,
};

export const KEY_TYPES: KeyType[] = [
  ...INTEGERS.flatMap(([type, bits]) => [
    whole(type, -(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n),
    whole(`${type} UNSIGNED`, 0n, (1n << bits) - 1n),
  ]),
  whole("INT(9) ZEROFILL", 0n, 999_999_999_999n % (1n << 32n)),
  ...[
    [1, 0],
    [4, 2],
    [5, 5],
    [9, 9],
    [10, 0],
    [18, 6],
    [19, 0],
    [38, 0],
    [38, 38],
    [39, 0],
    [39, 1],
    [40, 0],
    [40, 38],
    [65, 0],
    [65, 30],
  ].map(([precision, places]) => decimal(precision!, places!)),
  decimal(12, 3, "ZEROFILL"),
  decimal(45, 5, "UNSIGNED ZEROFILL"),
  decimal(38, 4, "UNSIGNED"),
  ...[
    "utf8mb4_general_ci",
    "utf8mb4_unicode_ci",
    "utf8mb4_uca1400_ai_ci",
    "utf8mb4_uca1400_as_cs",
    "utf8mb4_bin",
    "utf8mb4_nopad_bin",
    "utf8mb4_general_nopad_ci",
    "utf8mb4_turkish_ci",
  ].map((collation) => text(`VARCHAR(20) COLLATE ${collation}`)),
  text("CHAR(20) CHARACTER SET latin1 COLLATE latin1_german2_ci"),
  text("VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_bin"),
  text("VARCHAR(20) CHARACTER SET utf16"),
  text("CHAR(20) CHARACTER SET ascii COLLATE ascii_bin", LETTERS),
  bytes("BINARY(4)", 4),
  bytes("VARBINARY(6)", 6),
  date(days),
  date(orZero(days, NONE[0]!)),
  date(orZero(days, "0000-03-01")),
  date(fc.oneof(days, fc.constantFrom(...NONE)), { isReadInFull: true }),
  instant("DATETIME", 0, at(days)),
  instant("DATETIME", 6, orZero(at(days), "0000-00-00 00:00:00")),
  instant("DATETIME", 3, at(later)),
  instant("TIMESTAMP", 0, orZero(at(later), "0000-00-00 00:00:00")),
  instant("TIMESTAMP", 6, at(later)),
  plain(
    "TIME(6)",
    quoted(
      fc
        .tuple(fc.constantFrom("-838", "-00", "00", "09", "10", "101", "838"), hours)
        .map(([hour, rest]) => `${hour}${rest.slice(2)}`),
    ),
  ),
  plain("YEAR", fc.oneof(fc.constant("0"), fc.integer({ min: 1901, max: 2155 }).map(String)), { source: asNumber }),
  ...[1, 9, 64].map((bits) =>
    plain(`BIT(${bits})`, fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map(String), { source: asNumber }),
  ),
  // The UUIDs have a version and a variant: the server takes others for none.
  plain("UUID", quoted(hex(32).map((digits) => digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-")))),
  plain("INET6", quoted(hex(4).map((digits) => `2001:db8::${digits}`))),
  plain(
    "INET4",
    quoted(
      fc.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 })).map(([a, b]) => `${a}.0.0.${b}`),
    ),
  ),
  plain("ENUM('zeta','alpha','Beta','10','9','')", fc.integer({ min: 1, max: 6 }).map(String), { isReadInFull: true }),
  plain("SET('z','a','B','0')", fc.integer({ min: 0, max: 15 }).map(String), { isReadInFull: true }),
  plain("FLOAT", fc.constantFrom("0.5", "-1.25", "3", "1024.0625", "-7"), { ...asDecimal, isReadInFull: true }),
  plain(
    "DOUBLE",
    fc.integer({ min: -4000, max: 4000 }).map((n) => String(n / 64)),
    { ...asDecimal, isReadInFull: true },
  ),
];

/** One of each, whatever its length or collation. */
const oneOfEach = (types: KeyType[]) =>
  [...Map.groupBy(types, ({ declared }) => declared.replace(/\(.*?\)| COLLATE \w+/g, "")).values()].map(
    ([first]) => first!,
  );

/** The types of values, also those that can't be keys. What digests write for NULL, an N, is a value too. */
export const VALUE_TYPES: KeyType[] = [
  ...oneOfEach(KEY_TYPES),
  ...["CHAR(3)", "VARCHAR(3)", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT"].map((declared) =>
    text(declared, ["N", ",", "1", "0", " "]),
  ),
  ...["TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB"].map((declared) => bytes(declared, 3)),
  plain("JSON", fc.constantFrom("1", "null", '"N"', "[1, 2]", "{}").map(literal), {
    source: (column) => `HEX(${column})`,
    lake: (column) => `hex(${column}::VARCHAR)`,
  }),
  ...["POINT", "GEOMETRY"].map((declared) =>
    plain(
      declared,
      fc.integer({ min: 0, max: 3 }).map((n) => `ST_GeomFromText('POINT(${n} 1)', ${n % 2})`),
      { source: (column) => `HEX(${column})`, lake: (column) => `hex(${column})` },
    ),
  ),
];
