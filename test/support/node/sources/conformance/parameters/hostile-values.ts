// Values that look like SQL, like a place for a value, or like the end of a message; and the edges of each type. Every
// run has the same.

import fc from "fast-check";
import type { ParameterType } from "../../../../../../kernel/wire/parameter-types.ts";

const SEED = 25;
export const VALUES_PER_STATEMENT = 100;

const PHRASES = [
  "",
  " ",
  "a  ",
  "'; DROP TABLE parameters; --",
  "' OR '1'='1",
  "'||(SELECT 1)||'",
  "\\' OR 1=1 --",
  "\\",
  "\\\\'",
  "\\u0027",
  "$t",
  "$p0",
  "$1",
  "${t}",
  ":t",
  ":1",
  "?",
  "@p1",
  "@@version",
  "@fjord_1",
  "getvariable('fjord_value_1')",
  "%s%n%1$s",
  "{0}{{t}}",
  "*/ SELECT 1 /*",
  "/*! SELECT 1 */",
  "-- x\nSELECT 1",
  "# x",
  "\u{1f600} e\u0301 \u202e\u2066abc\u2069",
  "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
  "\u2018\u2019\u02bc\uff07\u00b4",
  "\ufeffx",
  "\u2028\u2029\u0085",
  "\ufffd\ufffe\uffff\u{10ffff}",
  "NULL",
  "null",
  "true",
  "0x27",
  "X'00'",
  "CAST(1 AS INT)",
  "\t\r\n\v\f\b\u001a\u001b\u007f",
  '`"[]{}',
  "$$a$$",
  "$t$a$t$",
  "E'\\x27'",
  "N'a'",
  "r'''a'''",
  "1e309",
  "-0",
  "NaN",
  "-Infinity",
  "9223372036854775808",
  "2026-02-30",
  '{"type": "date", "value": []}',
  "__proto__",
  "a".repeat(4_001),
  "\u00e9'\\$a?".repeat(9_000),
];

const SIGNS = ["'", '"', "`", "\\", "$", "$t", "$$", "--", "/*", "*/", ";", "?", "@p1", "%", "{", "\n", "\r", " ", "x"];

const aText = fc
  .oneof(
    fc.constantFrom(...PHRASES),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.array(fc.constantFrom(...SIGNS), { maxLength: 30 }).map((parts) => parts.join("")),
  )
  // Not every database holds it, so it has a test of its own.
  .filter((text) => !text.includes("\0") && text.isWellFormed());

/** Texts for so many statements: every phrase among them. */
export function hostileTexts(statements: number): string[][] {
  const count = statements * VALUES_PER_STATEMENT - PHRASES.length;
  const texts = [...PHRASES, ...fc.sample(aText, { numRuns: count, seed: SEED })];
  return Array.from({ length: statements }, (_, i) =>
    texts.slice(i * VALUES_PER_STATEMENT, (i + 1) * VALUES_PER_STATEMENT),
  );
}

const digits = (length: number): string => "9".repeat(length);

const EDGES: Record<Exclude<ParameterType, "text">, string[]> = {
  integer: ["0", "-1", "2147483648", "9007199254740991", "9007199254740993", "-9223372036854775808"],
  decimal: ["0.5", "0.50", "-0.01", digits(38), `-${digits(20)}.${digits(18)}`, `-0.${"0".repeat(29)}1`],
  number: ["0", "-0", "5e-324", "2.2250738585072014e-308", "1.7976931348623157e308", "0.1", "-123456789012345680"],
  boolean: ["true", "false"],
  date: ["0001-01-01", "1582-10-10", "1969-12-31", "2000-02-29", "9999-12-31"],
  timestamp: ["0001-01-01 00:00:00", "1969-12-31 23:59:59.999999", "2026-03-29 02:30:00", "9999-12-31 23:59:59.999999"],
  timestamptz: ["0001-01-01T00:00:00Z", "2026-01-31 23:30:00.123456-01:30", "9999-12-31T23:59:59.999999Z"],
};

const instant = fc
  .date({ min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

const ANY: Record<Exclude<ParameterType, "text">, fc.Arbitrary<string>> = {
  integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  decimal: fc
    .tuple(fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n }), fc.integer({ min: 0, max: 999_999_999 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(9, "0")}`),
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? "-0" : `${value}`)),
  boolean: fc.boolean().map(String),
  date: instant.map((text) => text.slice(0, 10)),
  timestamp: instant.map((text) => text.slice(0, 19).replace("T", " ")),
  timestamptz: instant,
};

export const EDGED_TYPES = Object.keys(EDGES) as (keyof typeof EDGES)[];

/** The edges of a type, then any values of it: as many as a statement has. */
export const typedValues = (type: keyof typeof EDGES): string[] => [
  ...EDGES[type],
  ...fc.sample(ANY[type], { numRuns: VALUES_PER_STATEMENT - EDGES[type].length, seed: SEED }),
];

const withoutZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** One spelling of a value of the type, whether it was sent or answered. */
export const MEANT: Record<Exclude<ParameterType, "text">, (text: string) => unknown> = {
  integer: BigInt,
  decimal: withoutZeros,
  number: (text) => (Object.is(Number(text), -0) ? "-0" : Number(text)),
  // MariaDB's truth values are numbers.
  boolean: (text) => text === "true" || text === "1",
  date: (text) => text,
  timestamp: (text) => withoutZeros(text.replace(" ", "T")),
  // MariaDB's have no zone: they are in UTC.
  timestamptz: (text) => new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`).getTime(),
};
