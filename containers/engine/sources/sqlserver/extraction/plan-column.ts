// SQL Server's types: what the lake holds of each, and how it is read without loss.

import { plannedColumn } from "../../../extract/plan-columns.ts";
import type { ReadAs, SourceColumn } from "../../../extract/source-table.ts";
import { entryOf, forTypes } from "../../../core/type-tables.ts";
import {
  ALWAYS_READ,
  decimalPlan,
  NEVER_READ,
  plainPlan,
  type Readings,
  type TypePlan,
} from "../../../extract/type-plans.ts";
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

type Plan = TypePlan & { fallback?: ReadAs };

/** How values are read on their way to each type of the lake; undefined of types that no column becomes. */
const READINGS = {
  ...NEVER_READ,
  ...ALWAYS_READ,
  ...forTypes(["int8", "list"], undefined),
  boolean: "boolean",
  int16: "integer",
  int32: "integer",
  float32: "float",
  time: "time",
  uuid: "uuid",
} as const satisfies Readings;

const plain = plainPlan(READINGS);

/** The finest that the lake's times are: microseconds. */
const SCALE_MAX = 6;

const timed =
  (type: "time" | "timestamp" | "timestamptz") =>
  ({ scale }: DeclaredColumn): Plan => ({ ...plain(type), ...(scale > SCALE_MAX ? { fallback: "varchar" } : {}) });

const PLANS = {
  ...forTypes(["tinyint", "smallint"], () => plain("int16")),
  int: () => plain("int32"),
  bigint: () => plain("int64"),
  bit: () => plain("boolean"),
  ...forTypes(["decimal", "numeric"], ({ precision, scale }: DeclaredColumn) => decimalPlan(precision, scale)),
  money: () => decimalPlan(19, 4),
  smallmoney: () => decimalPlan(10, 4),
  real: () => plain("float32"),
  float: () => plain("float64"),
  date: () => plain("date"),
  time: timed("time"),
  datetime2: timed("timestamp"),
  ...forTypes(["datetime", "smalldatetime"], () => plain("timestamp")),
  datetimeoffset: timed("timestamptz"),
  uniqueidentifier: () => plain("uuid"),
  json: () => plain("json"),
  ...forTypes(
    ["char", "varchar", "text", "nchar", "nvarchar", "ntext", "sysname", "xml", "vector", "sql_variant"],
    () => plain("varchar"),
  ),
  ...forTypes(["binary", "varbinary", "image", "timestamp", "hierarchyid", "geometry", "geography"], () =>
    plain("blob"),
  ),
} satisfies Record<string, (column: DeclaredColumn) => Plan>;

/** The server's own types. Others are of assemblies, and read as they are stored. */
export type SqlServerType = keyof typeof PLANS;

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
  const plan: Plan = readAs ? plain(readAs) : planType(column);
  const { name, nullable } = column;
  const type = spellType({ ...column, name: column.typeName });
  const select = readAs ? `CONVERT(nvarchar(40), ${quoteName(name)}, 121)` : quoteName(name);
  const planned = plannedColumn({ name, type, nullable, select }, lakeName, plan);
  return { ...planned, ...(plan.fallback ? { fallback: plan.fallback } : {}) };
}

function planType(column: DeclaredColumn): Plan {
  const plan = entryOf<(column: DeclaredColumn) => Plan>(PLANS, column.typeName);
  return plan && !column.isEncrypted ? plan(column) : plain("blob");
}
