// What a column's type may become without its files being written anew: the engine plans by it, the catalog holds to
// it.

/** DuckLake's type promotions. */
const PROMOTIONS: Record<string, readonly string[]> = {
  int8: ["int16", "int32", "int64"],
  int16: ["int32", "int64"],
  int32: ["int64"],
  uint8: ["uint16", "uint32", "uint64"],
  uint16: ["uint32", "uint64"],
  uint32: ["uint64"],
  float32: ["float64"],
};

export const canPromote = (from: string, to: string): boolean =>
  Object.hasOwn(PROMOTIONS, from) && PROMOTIONS[from]!.includes(to);
