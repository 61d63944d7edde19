// What filters know of the types of a lake's columns. Pure.

import type { FilterType } from "./filter-constants.ts";

const INTEGER = /^(u?)int(8|16|32|64|128)$/;
const DECIMAL = /^decimal\((\d{1,2}),\s*(\d{1,2})\)$/;

export function lakeFilterType(type: string): FilterType {
  const [, unsigned, bits] = INTEGER.exec(type) ?? [];
  if (bits !== undefined) {
    const values = 1n << BigInt(bits);
    return unsigned === "u"
      ? { kind: "number", scale: 0, min: 0n, max: values - 1n }
      : { kind: "number", scale: 0, min: -values / 2n, max: values / 2n - 1n };
  }
  const [, width, scale] = DECIMAL.exec(type) ?? [];
  if (width !== undefined) {
    const end = 10n ** BigInt(width);
    return { kind: "number", scale: Number(scale), min: 1n - end, max: end - 1n };
  }
  if (type === "float32") return { kind: "number", scale: "float" };
  if (type === "float64") return { kind: "number", scale: "double" };
  if (type === "varchar") return { kind: "text" };
  if (type === "boolean" || type === "uuid" || type === "date") return { kind: type };
  // Nanoseconds since 1970 in 64 bits.
  if (type === "timestamp_ns") return { kind: "instant", years: [1678, 2261] };
  return { kind: /^timestamp(tz|_s|_ms)?$/.test(type) ? "instant" : "other" };
}
