// SQL Server's types: what each is called, what kind of value its text is.

import { distinctNames, type Column, type ValueKind } from "../../../formats/result.ts";
import type { ColumnDefinition } from "../connection/column-metadata.ts";

/**
 * | SQL Server | kind | |
 * |---|---|---|
 * | tinyint, smallint, int | integer | |
 * | bigint | bigint | |
 * | bit | boolean | |
 * | decimal, numeric, money, smallmoney | decimal | all digits; money has four behind the point |
 * | float, real | float | the fewest digits that read back as the same value |
 * | date | date | |
 * | time | time | up to seven digits of a second |
 * | datetime2, datetime, smalldatetime | timestamp | datetime is counted in 1/300 s and printed in milliseconds |
 * | datetimeoffset | timestamptz | the instant, in UTC: the offset it was written with is not kept |
 * | uniqueidentifier | text | lower case, as the lake prints it |
 * | char, varchar, text | text | from the collation's code page; bytes that it has not are refused |
 * | nchar, nvarchar, ntext, xml | text | half a surrogate pair is no text, and refused with the answer |
 * | json, vector | text | as servers send it to drivers that have not asked for the type itself |
 * | binary, varbinary, image, rowversion | binary | |
 * | hierarchyid, geometry, geography, types of assemblies | binary | the server's own bytes |
 * | sql_variant | text | the value as its own type is written; bytes as 0x… |
 */
export function describeColumns(columns: ColumnDefinition[]): Column[] {
  const names = distinctNames(columns.map(({ name }) => name));
  return columns.map((column, i) => ({ name: names[i]!, ...describe(column) }));
}

type Description = Omit<Column, "name">;

const ROWVERSION = 80;
const plain = (type: string, kind: ValueKind): Description => ({ type, kind });
const decimal = (name: string, precision: number, scale: number): Description => ({
  type: name,
  kind: "decimal",
  precision,
  scale,
});

const INTEGERS: Record<number, Description> = {
  1: plain("tinyint", "integer"),
  2: plain("smallint", "integer"),
  4: plain("int", "integer"),
  8: plain("bigint", "bigint"),
};

/** Descriptions of types by TDS's numbers. */
const TYPES: Record<number, (column: ColumnDefinition) => Description> = {
  31: () => plain("null", "text"),
  34: () => plain("image", "binary"),
  35: () => plain("text", "text"),
  36: () => plain("uniqueidentifier", "text"),
  38: ({ bytesMax }) => INTEGERS[bytesMax] ?? plain("int", "bigint"),
  40: () => plain("date", "date"),
  41: ({ scale = 0 }) => plain(`time(${scale})`, "time"),
  42: ({ scale = 0 }) => plain(`datetime2(${scale})`, "timestamp"),
  43: ({ scale = 0 }) => plain(`datetimeoffset(${scale})`, "timestamptz"),
  98: () => plain("sql_variant", "text"),
  99: () => plain("ntext", "text"),
  104: () => plain("bit", "boolean"),
  106: ({ precision = 0, scale = 0 }) => decimal(`decimal(${precision},${scale})`, precision, scale),
  108: ({ precision = 0, scale = 0 }) => decimal(`numeric(${precision},${scale})`, precision, scale),
  109: ({ bytesMax }) => plain(bytesMax === 4 ? "real" : "float", "float"),
  110: ({ bytesMax }) => (bytesMax === 4 ? decimal("smallmoney", 10, 4) : decimal("money", 19, 4)),
  111: ({ bytesMax }) => plain(bytesMax === 4 ? "smalldatetime" : "datetime", "timestamp"),
  165: (column) => plain(sized("varbinary", column), "binary"),
  167: (column) => plain(sized("varchar", column), "text"),
  173: (column) => plain(column.userType === ROWVERSION ? "rowversion" : sized("binary", column), "binary"),
  175: (column) => plain(sized("char", column), "text"),
  231: (column) => plain(sized("nvarchar", column, 2), "text"),
  239: (column) => plain(sized("nchar", column, 2), "text"),
  241: () => plain("xml", "text"),
};

const sized = (name: string, { bytesMax }: ColumnDefinition, unitBytes = 1): string =>
  `${name}(${bytesMax === Infinity ? "max" : Math.floor(bytesMax / unitBytes)})`;

const describe = (column: ColumnDefinition): Description =>
  TYPES[column.code]?.(column) ?? plain(column.typeName ?? "varbinary(max)", "binary");
