// A type as T-SQL writes it, made of what the catalog views say of a column.

/** The type as `sys.columns` has it; `bytesMax` is -1 for `max`. */
export type CatalogType = { name: string; bytesMax: number; precision: number; scale: number };

/** Bytes of each character, or of each byte. */
const SIZED: Record<string, number> = { char: 1, varchar: 1, binary: 1, varbinary: 1, nchar: 2, nvarchar: 2 };

/** `decimal(10,2)`, `nvarchar(max)`, `datetime2(7)`; the name alone where nothing belongs behind it. */
export function spellType({ name, bytesMax, precision, scale }: CatalogType): string {
  const unitBytes = SIZED[name];
  if (unitBytes) return `${name}(${bytesMax < 0 ? "max" : bytesMax / unitBytes})`;
  switch (name) {
    case "decimal":
    case "numeric":
      return `${name}(${precision},${scale})`;
    case "time":
    case "datetime2":
    case "datetimeoffset":
      return `${name}(${scale})`;
    // The catalog's older name, which in other databases is a time.
    case "timestamp":
      return "rowversion";
    default:
      return name;
  }
}
