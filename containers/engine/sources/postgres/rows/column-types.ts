// PostgreSQL's types by OID: what each is called, what kind of value its text is.

import type { Column, ValueKind } from "../../../formats/result.ts";
import { distinctNames } from "../../../formats/result.ts";
import type { Field } from "../connection/messages.ts";

/** How a value comes where not as PostgreSQL's text of its kind: a float's bytes, or bytes in bare hex digits. */
export type WireForm = "float4" | "float8" | "hex";

/**
 * The form that a column's or array element's text must take. `element` is set for arrays, `form` where the value does
 * not come as the text of its kind.
 */
export type Shape = { kind: ValueKind; element?: { kind: ValueKind; delimiter: number }; form?: WireForm };

/** A type's name and kind of value, and the type of its arrays. */
export type KnownType = [name: string, kind: ValueKind, arrayOid?: number];

/** The types that a server of PostgreSQL's protocol has, by OID. */
export type TypeTable = {
  known: Readonly<Record<number, KnownType>>;
  /** Columns whose values are asked for in another form than text, or come in another. */
  forms: Readonly<Record<number, WireForm>>;
  /** Asks the server's catalog about types, each as `oid:typmod`; absent where it is not asked. */
  catalogQuery?(keys: string[]): string;
};

/** The catalog's facts of a type that this file does not know. */
export type CatalogType = { name: string; elementOid: number; elementDelimiter: number };

const COMMA = 0x2c;

const KNOWN = {
  16: ["boolean", "boolean", 1000],
  17: ["bytea", "binary", 1001],
  18: ['"char"', "text", 1002],
  19: ["name", "text", 1003],
  20: ["bigint", "bigint", 1016],
  21: ["smallint", "integer", 1005],
  22: ["int2vector", "text"],
  23: ["integer", "integer", 1007],
  25: ["text", "text", 1009],
  26: ["oid", "bigint", 1028],
  30: ["oidvector", "text"],
  114: ["json", "json", 199],
  142: ["xml", "text", 143],
  650: ["cidr", "text", 651],
  700: ["real", "float", 1021],
  701: ["double precision", "float", 1022],
  705: ["unknown", "text"],
  790: ["money", "text", 791],
  829: ["macaddr", "text", 1040],
  869: ["inet", "text", 1041],
  1042: ["bpchar", "text", 1014],
  1043: ["character varying", "text", 1015],
  1082: ["date", "date", 1182],
  1083: ["time without time zone", "time", 1183],
  1114: ["timestamp without time zone", "timestamp", 1115],
  1184: ["timestamp with time zone", "timestamptz", 1185],
  1186: ["interval", "text", 1187],
  1266: ["time with time zone", "text", 1270],
  1700: ["numeric", "decimal", 1231],
  2278: ["void", "text"],
  2249: ["record", "text", 2287],
  2950: ["uuid", "text", 2951],
  3802: ["jsonb", "json", 3807],
} satisfies Record<number, KnownType>;

/** The types whose names and kinds are known without the catalog, by OID. */
export type PostgresOid = keyof typeof KNOWN;

/** `format_type` for a list of `oid:typmod`, and of arrays the element's type beneath its domains. */
const catalogQuery = (keys: string[]): string => `
  WITH RECURSIVE asked(oid, typmod) AS (VALUES ${keys.map(toSqlRow).join(", ")}),
  arrays(oid, element) AS (
    SELECT t.oid, t.typelem FROM pg_catalog.pg_type t
    WHERE t.oid IN (SELECT oid FROM asked) AND t.typinput = 'pg_catalog.array_in'::pg_catalog.regproc
    UNION
    SELECT a.oid, t.typbasetype FROM arrays a JOIN pg_catalog.pg_type t ON t.oid = a.element WHERE t.typtype = 'd'
  )
  SELECT asked.oid, asked.typmod, pg_catalog.format_type(asked.oid, asked.typmod),
    coalesce(e.oid, 0), coalesce(e.typdelim, ',')
  FROM asked
  LEFT JOIN (arrays a JOIN pg_catalog.pg_type e ON e.oid = a.element AND e.typtype <> 'd') ON a.oid = asked.oid`;

const toSqlRow = (key: string): string => `(${key.split(":").map(Number).join("::pg_catalog.oid, ")})`;

export const POSTGRES_TYPES: TypeTable = { known: KNOWN, forms: {}, catalogQuery };

export const catalogKey = ({ oid, typmod }: Pick<Field, "oid" | "typmod">): string => `${oid}:${typmod}`;

/** The kinds of a result's columns, by the types of a server. */
export class ColumnTypes {
  readonly #table: TypeTable;
  /** By the OID of an array. */
  readonly #elementOf: ReadonlyMap<number, number>;

  constructor(table: TypeTable) {
    this.#table = table;
    this.#elementOf = new Map(
      Object.entries(table.known).flatMap(([oid, [, , array]]) => (array ? [[array, Number(oid)] as const] : [])),
    );
  }

  /** The query for those types whose name has to be asked for; undefined where there are none, or none is asked. */
  catalogQuery(fields: readonly Field[]): string | undefined {
    const unknown = new Set(fields.filter((field) => this.nameOf(field) === undefined).map(catalogKey));
    return unknown.size > 0 ? this.#table.catalogQuery?.([...unknown]) : undefined;
  }

  toColumns(
    fields: readonly Field[],
    catalog: ReadonlyMap<string, CatalogType>,
  ): { columns: Column[]; shapes: Shape[] } {
    const names = distinctNames(fields.map(({ name }) => name));
    const shapes = fields.map((field) => this.shapeOf(field, catalog.get(catalogKey(field))));
    const columns = fields.map((field, i): Column => {
      const type = this.nameOf(field) ?? catalog.get(catalogKey(field))?.name ?? `oid ${field.oid}`;
      return {
        name: names[i]!,
        type,
        kind: shapes[i]!.kind,
        ...(field.oid === 1700 ? numericBounds(field.typmod) : {}),
      };
    });
    return { columns, shapes };
  }

  shapeOf({ oid }: Pick<Field, "oid">, catalog?: CatalogType): Shape {
    const { known, forms } = this.#table;
    const elementOid = this.#elementOf.get(oid) ?? catalog?.elementOid ?? 0;
    const form = forms[oid];
    if (elementOid === 0) return { kind: known[oid]?.[1] ?? "text", ...(form ? { form } : {}) };
    return {
      kind: "json",
      element: { kind: known[elementOid]?.[1] ?? "text", delimiter: catalog?.elementDelimiter ?? COMMA },
    };
  }

  /** The type's name as `format_type` prints it; undefined where only the server knows. */
  nameOf({ oid, typmod }: Pick<Field, "oid" | "typmod">): string | undefined {
    const element = this.#elementOf.get(oid);
    if (element !== undefined) {
      const name = this.nameOf({ oid: element, typmod });
      return name && `${name}[]`;
    }
    const name = this.#table.known[oid]?.[0];
    if (name === undefined || typmod < 0) return name;
    if (oid === 1043) return `${name}(${typmod - 4})`;
    if (oid === 1042) return `character(${typmod - 4})`;
    if (oid === 1700) return `numeric(${numericModifiers(typmod).join(",")})`;
    if (oid === 1083 || oid === 1114 || oid === 1184) return name.replace(" ", `(${typmod}) `);
    return undefined;
  }
}

/** Precision, and scale as an 11-bit signed number (negative from PostgreSQL 15 on). */
export const numericModifiers = (typmod: number): [precision: number, scale: number] => [
  ((typmod - 4) >> 16) & 0xffff,
  (((typmod - 4) & 0x7ff) ^ 0x400) - 0x400,
];

function numericBounds(typmod: number): { precision?: number; scale?: number } {
  if (typmod < 0) return {};
  const [precision, scale] = numericModifiers(typmod);
  // A scale outside the precision is legal here and fits no other system's decimals: then it stays unbounded.
  return scale >= 0 && scale <= precision ? { precision, scale } : {};
}
