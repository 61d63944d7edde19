// The column types of DuckLake 1.0 that the lake holds. Pure.

const PRIMITIVES = new Set([
  ...[
    "boolean",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int128",
    "uint128",
    "float32",
    "float64",
  ],
  ...["time", "timetz", "date", "timestamp", "timestamptz", "timestamp_s", "timestamp_ms", "timestamp_ns", "interval"],
  ...["varchar", "blob", "json", "uuid"],
]);

/** How many children each nested type has; a struct has at least one. */
const NESTED: Record<string, [min: number, max: number]> = { list: [1, 1], map: [2, 2], struct: [1, 1_000] };

/** The names the specification gives the children of a list and of a map, whatever their writer called them. */
export const CHILD_NAMES: Record<string, readonly string[]> = { list: ["element"], map: ["key", "value"] };

export const isFloat = (type: string): boolean => type === "float32" || type === "float64";

export const isNested = (type: string): boolean => Object.hasOwn(NESTED, type);

/** Why a column of this type with so many children can't be, or undefined. */
export function flawOfType(type: string, children: number): string | undefined {
  const nested = Object.hasOwn(NESTED, type) ? NESTED[type] : undefined;
  if (nested)
    return children >= nested[0] && children <= nested[1] ? undefined : `A ${type} does not have ${children} children.`;
  if (children > 0) return `${type} has no children.`;
  if (PRIMITIVES.has(type)) return undefined;
  const decimal = /^decimal\((\d{1,2}), ?(\d{1,2})\)$/.exec(type);
  if (!decimal) return `${type} is no column type of the lake.`;
  const [precision, scale] = [Number(decimal[1]), Number(decimal[2])];
  return precision >= 1 && precision <= 38 && scale <= precision
    ? undefined
    : "A decimal has 1 to 38 digits, and no more of them after the point.";
}
