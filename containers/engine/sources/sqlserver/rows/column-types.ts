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

function describe(column: ColumnDefinition): Description {
  const { code, bytesMax, precision = 0, scale = 0, typeName, userType } = column;
  const sized = (name: string, unitBytes = 1) =>
    `${name}(${bytesMax === Infinity ? "max" : Math.floor(bytesMax / unitBytes)})`;
  switch (code) {
    case 0x1f:
      return plain("null", "text");
    case 0x30:
    case 0x34:
    case 0x38:
    case 0x7f:
    case 0x26:
      return INTEGERS[bytesMax] ?? plain("int", "bigint");
    case 0x32:
    case 0x68:
      return plain("bit", "boolean");
    case 0x3b:
    case 0x3e:
    case 0x6d:
      return plain(bytesMax === 4 ? "real" : "float", "float");
    case 0x3c:
    case 0x7a:
    case 0x6e:
      return bytesMax === 4 ? decimal("smallmoney", 10, 4) : decimal("money", 19, 4);
    case 0x6a:
    case 0x6c:
      return decimal(`${code === 0x6a ? "decimal" : "numeric"}(${precision},${scale})`, precision, scale);
    case 0x28:
      return plain("date", "date");
    case 0x29:
      return plain(`time(${scale})`, "time");
    case 0x2a:
      return plain(`datetime2(${scale})`, "timestamp");
    case 0x2b:
      return plain(`datetimeoffset(${scale})`, "timestamptz");
    case 0x3a:
    case 0x3d:
    case 0x6f:
      return plain(bytesMax === 4 ? "smalldatetime" : "datetime", "timestamp");
    case 0x24:
      return plain("uniqueidentifier", "text");
    case 0xa7:
      return plain(sized("varchar"), "text");
    case 0xaf:
      return plain(sized("char"), "text");
    case 0xe7:
      return plain(sized("nvarchar", 2), "text");
    case 0xef:
      return plain(sized("nchar", 2), "text");
    case 0x23:
      return plain("text", "text");
    case 0x63:
      return plain("ntext", "text");
    case 0xf1:
      return plain("xml", "text");
    case 0x62:
      return plain("sql_variant", "text");
    case 0xa5:
      return plain(sized("varbinary"), "binary");
    case 0xad:
      return plain(userType === ROWVERSION ? "rowversion" : sized("binary"), "binary");
    case 0x22:
      return plain("image", "binary");
    default:
      return plain(typeName ?? "varbinary(max)", "binary");
  }
}
