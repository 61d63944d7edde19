// Redshift's types by OID: PostgreSQL's, and those of its own.

import { ColumnTypes, POSTGRES_TYPES, type KnownType, type PostgresOid } from "../../postgres/rows/column-types.ts";

/** Redshift's own types, by the numbers that Amazon's drivers know them by. */
const OWN = {
  1188: ["interval year to month", "text"],
  1190: ["interval day to second", "text"],
  2935: ["hllsketch", "text"],
  3000: ["geometry", "text"],
  3001: ["geography", "text"],
  3999: ["geometry", "text"],
  4000: ["super", "json"],
  6551: ["varbyte", "binary"],
} satisfies Record<number, KnownType>;

/** The types that columns may have, by OID, and some of PostgreSQL's that they may not have. */
export type RedshiftOid = PostgresOid | keyof typeof OWN;

/**
 * Floats come as bytes: as text Redshift prints at most eight digits of a REAL, and nine tell any two apart. VARBYTE
 * comes as hexadecimal digits alone. The catalog is not asked about other types: it has no others for columns.
 */
export const REDSHIFT_TYPES = new ColumnTypes({
  known: { ...POSTGRES_TYPES.known, ...OWN },
  forms: { 700: "float4", 701: "float8", 6551: "hex" },
});
