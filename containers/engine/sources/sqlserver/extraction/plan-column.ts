// SQL Server's types: what the lake holds of each, and how it is read without loss.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { cellWidth } from "../../../extract/plan-columns.ts";
import type { ReadAs, Reading, SourceColumn } from "../../../extract/source-table.ts";
import { spellType } from "../rows/spell-type.ts";
import { quoteName } from "../sql-text.ts";

/** A column as `sys.columns` has it. */
export type DeclaredColumn = {
  name: string;
  /** The server's own type beneath one of the user's: `bigint`, `timestamp` … */
  typeName: string;
  /** -1 of `max`. */
  bytesMax: number;
  precision: number;
  scale: number;
  nullable: boolean;
  /** Always Encrypted: the server has no more than its bytes. */
  isEncrypted: boolean;
};

type Plan = { type: string; reading: Reading; fallback?: ReadAs };

const plain = (type: string, as: Exclude<Reading["as"], "decimal" | "list">): Plan => ({ type, reading: { as } });
const decimal = (precision: number, scale: number): Plan => ({
  type: `decimal(${precision},${scale})`,
  reading: { as: "decimal", precision, scale },
});

/** The finest that the lake's times are: microseconds. */
const SCALE_MAX = 6;

/**
 * | SQL Server | lake | |
 * |---|---|---|
 * | tinyint, smallint, int, bigint | int16, int16, int32, int64 | a tinyint has no sign |
 * | bit | boolean | |
 * | decimal(p,s), numeric(p,s) | decimal(p,s) | |
 * | money, smallmoney | decimal(19,4), decimal(10,4) | |
 * | real, float | float32, float64 | |
 * | date | date | |
 * | time(0…6), datetime2(0…6) | time, timestamp | |
 * | time(7), datetime2(7), datetimeoffset(7) | the same | varchar once a value is finer than microseconds |
 * | datetime, smalldatetime | timestamp | datetime counts in 1/300 s and is read in milliseconds |
 * | datetimeoffset(0…6) | timestamptz | the instant: the offset it was written with is not kept |
 * | uniqueidentifier | uuid | |
 * | char, varchar, text, nchar, nvarchar, ntext, xml | varchar | |
 * | json | json | |
 * | vector, sql_variant | varchar | |
 * | binary, varbinary, image, rowversion | blob | |
 * | hierarchyid, geometry, geography, types of assemblies | blob | the server's own form |
 * | columns of Always Encrypted | blob | as they are encrypted |
 */
export function planColumn(column: DeclaredColumn, lakeName: string, readAs?: ReadAs): SourceColumn {
  const { type, reading, fallback } = readAs ? plain(readAs, "text") : planType(column);
  const lake: LakeColumn = { id: 0, name: lakeName, type, nullable: column.nullable, children: [] };
  const name = quoteName(column.name);
  return {
    name: column.name,
    type: spellType({ ...column, name: column.typeName }),
    lake,
    select: readAs ? `CONVERT(nvarchar(40), ${name}, 121)` : name,
    reading,
    width: cellWidth(lake),
    ...(fallback ? { fallback } : {}),
  };
}

function planType({ typeName, precision, scale, isEncrypted }: DeclaredColumn): Plan {
  if (isEncrypted) return plain("blob", "blob");
  const fallback = scale > SCALE_MAX ? { fallback: "varchar" as const } : {};
  switch (typeName) {
    case "tinyint":
    case "smallint":
      return plain("int16", "integer");
    case "int":
      return plain("int32", "integer");
    case "bigint":
      return plain("int64", "integer");
    case "bit":
      return plain("boolean", "boolean");
    case "decimal":
    case "numeric":
      return decimal(precision, scale);
    case "money":
      return decimal(19, 4);
    case "smallmoney":
      return decimal(10, 4);
    case "real":
      return plain("float32", "float");
    case "float":
      return plain("float64", "float");
    case "date":
      return plain("date", "date");
    case "time":
      return { ...plain("time", "time"), ...fallback };
    case "datetime2":
      return { ...plain("timestamp", "timestamp"), ...fallback };
    case "datetime":
    case "smalldatetime":
      return plain("timestamp", "timestamp");
    case "datetimeoffset":
      return { ...plain("timestamptz", "timestamptz"), ...fallback };
    case "uniqueidentifier":
      return plain("uuid", "uuid");
    case "json":
      return plain("json", "text");
    case "char":
    case "varchar":
    case "text":
    case "nchar":
    case "nvarchar":
    case "ntext":
    case "sysname":
    case "xml":
    case "vector":
    case "sql_variant":
      return plain("varchar", "text");
    default:
      // Bytes, places, hierarchies, and what is not known: as it is stored.
      return plain("blob", "blob");
  }
}
