// Types of SQL Server as TDS describes them, by their names in T-SQL.

/** A column of a result: `type` as T-SQL writes it. */
export type FakeColumn = { name: string; type: string; collation?: Buffer; userType?: number };

/** Latin1_General_100_CI_AS_SC_UTF8: any text fits into a varchar. */
export const UTF8_COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x24, 0x00]);
/** SQL_Latin1_General_CP1_CI_AS: Windows-1252. */
export const LATIN1_COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

export type ParsedType = { name: string; length: number; precision: number; scale: number };

const MAX = Infinity;

/** `decimal(38,10)`, `nvarchar(max)`, `datetime2(7)`. */
export function parseType(type: string): ParsedType {
  const [, name = "", first, second] =
    /^(\w+)\s*(?:\(\s*(\w+)\s*(?:,\s*(\d+)\s*)?\))?$/.exec(type.trim().toLowerCase()) ?? [];
  const number = first === undefined ? undefined : first === "max" ? MAX : Number(first);
  const isTime = name === "time" || name === "datetime2" || name === "datetimeoffset";
  return { name, length: number ?? 1, precision: number ?? 18, scale: isTime ? (number ?? 7) : Number(second ?? 0) };
}

const u16 = (value: number): number[] => [value & 0xff, value >> 8];
const u32 = (value: number): number[] => [...Buffer.from(new Uint32Array([value]).buffer)];
const sized = (code: number, bytes: number): number[] => [code, ...u16(bytes === MAX ? 0xffff : bytes)];
const text = (value: string): number[] => [value.length, ...Buffer.from(value, "utf16le")];
const longText = (value: string): number[] => [...u16(value.length), ...Buffer.from(value, "utf16le")];

/** Bytes of a time of each scale. */
export const TIME_BYTES = [3, 3, 3, 4, 4, 5, 5, 5];

const PLAIN: Record<string, number[]> = {
  tinyint: [0x26, 1],
  smallint: [0x26, 2],
  int: [0x26, 4],
  bigint: [0x26, 8],
  bit: [0x68, 1],
  real: [0x6d, 4],
  float: [0x6d, 8],
  smallmoney: [0x6e, 4],
  money: [0x6e, 8],
  smalldatetime: [0x6f, 4],
  datetime: [0x6f, 8],
  date: [0x28],
  uniqueidentifier: [0x24, 16],
  sql_variant: [0x62, ...u32(8009)],
  xml: [0xf1, 0],
  rowversion: [0xad, ...u16(8)],
};

export function typeInfo({ type, collation = UTF8_COLLATION }: FakeColumn): Buffer {
  const { name, length, precision, scale } = parseType(type);
  const plain = PLAIN[name];
  if (plain) return Buffer.from(plain);
  switch (name) {
    case "decimal":
      return Buffer.from([0x6a, 17, precision, scale]);
    case "numeric":
      return Buffer.from([0x6c, 17, precision, scale]);
    case "time":
      return Buffer.from([0x29, scale]);
    case "datetime2":
      return Buffer.from([0x2a, scale]);
    case "datetimeoffset":
      return Buffer.from([0x2b, scale]);
    case "varchar":
      return Buffer.from([...sized(0xa7, length), ...collation]);
    case "char":
      return Buffer.from([...sized(0xaf, length), ...collation]);
    case "nvarchar":
      return Buffer.from([...sized(0xe7, length * 2), ...collation]);
    case "nchar":
      return Buffer.from([...sized(0xef, length * 2), ...collation]);
    case "varbinary":
      return Buffer.from(sized(0xa5, length));
    case "binary":
      return Buffer.from(sized(0xad, length));
    case "text":
      return Buffer.from([0x23, ...u32(0x7fff_ffff), ...collation, 1, ...longText("t")]);
    case "ntext":
      return Buffer.from([0x63, ...u32(0x7fff_fffe), ...collation, 1, ...longText("t")]);
    case "image":
      return Buffer.from([0x22, ...u32(0x7fff_ffff), 1, ...longText("t")]);
    default:
      // What the server itself, or an assembly, defines: hierarchyid, geometry, geography.
      return Buffer.from([
        0xf0,
        ...u16(0xffff),
        ...text("fake"),
        ...text("sys"),
        ...text(name),
        ...longText(`Fake.${name}`),
      ]);
  }
}
