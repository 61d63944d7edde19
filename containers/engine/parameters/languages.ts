// Each language of statements writes the place of a value, and the value's type, in its own way.

import type { ParameterType } from "../../../kernel/wire/parameter-types.ts";
import type { Language } from "./named-places.ts";

/** A type in the language's words; of a decimal, by its value. */
type TypeNames = Record<ParameterType, string | ((value: string | null) => string)>;

export type ParameterLanguage = {
  /** The place of the n-th value, from one. */
  placeholder(n: number): string;
  types: TypeNames;
  /** Whether the protocol has whole numbers and truth values of its own. Else they are texts until they are cast. */
  hasNativeValues: boolean;
  /** Whether a text without a cast takes its type from its place, so that one that is meant as text is cast. */
  infersTexts: boolean;
  /** Whether a parameter that is named again stands for the same places, for a server that takes few of them. */
  sharesPlaces: boolean;
  /** Why the database can't hold a text as it is; undefined where it can. */
  flawOf(text: string): string | undefined;
  /** The query of one column and no row that stands for an empty list. */
  noRows(value: string): string;
};

const decimal =
  (name: string, digits: number) =>
  (value: string | null): string =>
    `${name}(${digits}, ${scaleOf(value)})`;

/**
 * As wide as the value: where DuckDB gives several values one type, as in a list, decimals of 38 digits lose those
 * behind the point that not all of them have.
 */
const exactDecimal = (value: string | null): string =>
  `DECIMAL(${Math.max(1, value?.replaceAll(/\D/g, "").length ?? 1)}, ${scaleOf(value)})`;

const scaleOf = (value: string | null): number => value?.split(".")[1]?.length ?? 0;

const questionMark = (): string => "?";
const dollar = (n: number): string => `$${n}`;

const holdsAll = (): undefined => undefined;

/** Without this check PostgreSQL would answer with an error that names no parameter. */
const flawOfNul = (text: string): string | undefined =>
  text.includes("\0") ? "the database's texts can't hold the character NUL" : undefined;

/** The longest text of Redshift, where a cast cuts a longer one without a word. */
const REDSHIFT_TEXT_BYTES_MAX = 65_535;

const flawOfLength = (text: string): string | undefined =>
  Buffer.byteLength(text) > REDSHIFT_TEXT_BYTES_MAX
    ? `a text of Redshift has at most ${REDSHIFT_TEXT_BYTES_MAX} bytes`
    : undefined;

const POSTGRES: ParameterLanguage = {
  placeholder: dollar,
  types: {
    text: "text",
    integer: "bigint",
    decimal: "numeric",
    number: "double precision",
    boolean: "boolean",
    date: "date",
    timestamp: "timestamp",
    timestamptz: "timestamptz",
  },
  hasNativeValues: false,
  infersTexts: true,
  sharesPlaces: false,
  flawOf: flawOfNul,
  noRows: (value) => `SELECT ${value} WHERE FALSE`,
};

export const LANGUAGES: Record<Language, ParameterLanguage> = {
  lake: {
    placeholder: dollar,
    types: {
      text: "VARCHAR",
      integer: "BIGINT",
      decimal: exactDecimal,
      number: "DOUBLE",
      boolean: "BOOLEAN",
      date: "DATE",
      timestamp: "TIMESTAMP",
      timestamptz: "TIMESTAMPTZ",
    },
    hasNativeValues: false,
    infersTexts: false,
    sharesPlaces: false,
    flawOf: holdsAll,
    noRows: (value) => `SELECT ${value} WHERE FALSE`,
  },
  postgres: POSTGRES,
  redshift: {
    ...POSTGRES,
    types: { ...POSTGRES.types, text: `varchar(${REDSHIFT_TEXT_BYTES_MAX})`, decimal: decimal("numeric", 38) },
    flawOf: (text) => flawOfNul(text) ?? flawOfLength(text),
  },
  mysql: {
    placeholder: questionMark,
    types: {
      text: "CHAR",
      integer: "SIGNED",
      decimal: decimal("DECIMAL", 65),
      number: "DOUBLE",
      boolean: "SIGNED",
      date: "DATE",
      timestamp: "DATETIME(6)",
      timestamptz: "DATETIME(6)",
    },
    hasNativeValues: true,
    infersTexts: false,
    sharesPlaces: false,
    flawOf: holdsAll,
    noRows: (value) => `SELECT ${value} FROM DUAL WHERE FALSE`,
  },
  sqlserver: {
    placeholder: (n) => `@p${n}`,
    types: {
      text: "nvarchar(max)",
      integer: "bigint",
      decimal: decimal("decimal", 38),
      number: "float",
      boolean: "bit",
      date: "date",
      timestamp: "datetime2(7)",
      timestamptz: "datetimeoffset(7)",
    },
    hasNativeValues: true,
    infersTexts: false,
    sharesPlaces: true,
    flawOf: holdsAll,
    noRows: (value) => `SELECT ${value} WHERE 1 = 0`,
  },
  bigquery: {
    placeholder: questionMark,
    types: {
      text: "STRING",
      integer: "INT64",
      // NUMERIC has 29 digits before the point and 9 behind it.
      decimal: (value) => (/^-?\d{1,29}(\.\d{1,9})?$/.test(value ?? "0") ? "NUMERIC" : "BIGNUMERIC"),
      number: "FLOAT64",
      boolean: "BOOL",
      date: "DATE",
      timestamp: "DATETIME",
      timestamptz: "TIMESTAMP",
    },
    hasNativeValues: true,
    infersTexts: false,
    sharesPlaces: false,
    flawOf: holdsAll,
    noRows: (value) => `SELECT ${value} LIMIT 0`,
  },
  snowflake: {
    placeholder: questionMark,
    types: {
      text: "VARCHAR",
      integer: decimal("NUMBER", 38),
      decimal: decimal("NUMBER", 38),
      number: "DOUBLE",
      boolean: "BOOLEAN",
      date: "DATE",
      timestamp: "TIMESTAMP_NTZ",
      timestamptz: "TIMESTAMP_TZ",
    },
    hasNativeValues: true,
    infersTexts: false,
    sharesPlaces: false,
    flawOf: holdsAll,
    noRows: (value) => `SELECT ${value} WHERE FALSE`,
  },
};
