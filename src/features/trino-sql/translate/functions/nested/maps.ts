// Maps: a value by its key. A key is there once, and its entries are in the order in which the map was made.

import { commonType, isSame, nameOf, UNKNOWN, type Type } from "../../../trino-types.ts";
import { castTo, coerce, mismatch, type Typed } from "../../typed.ts";
import { mapOf } from "../../values/map-types.ts";
import { unsupported } from "../../../refusal.ts";
import type { Function } from "../function.ts";

type MapType = Extract<Type, { kind: "map" }>;

function mapTypeOf({ type, at }: Typed): MapType {
  if (type.kind !== "map") throw mismatch(`This is of maps: actual type ${nameOf(type)}`, at);
  return type;
}

/** The key as one of the map's keys. */
function keyOf({ key }: MapType, given: Typed): string {
  const common = commonType(key, given.type);
  const isTaken = common && (isSame(common, key) || (common.kind === "varchar" && key.kind === "varchar"));
  if (!isTaken) throw unsupported(`A key of ${nameOf(given.type)} for one of ${nameOf(key)}`, given.at);
  return castTo(coerce(given, key), key);
}

/** NULL where the key is not there. */
export function valueAt(of: Typed, given: Typed, at: number): Typed {
  const type = mapTypeOf(of);
  return { sql: `map_extract_value(${of.sql}, ${keyOf(type, given)})`, type: type.value, at };
}

/** It fails where the key is not there. */
export function entryOf(of: Typed, given: Typed, at: number): Typed {
  const type = mapTypeOf(of);
  const pair = `{'m': ${of.sql}, 'k': ${keyOf(type, given)}}`;
  const sql =
    `list_transform([${pair}], lambda p: CASE WHEN p.m IS NULL OR p.k IS NULL THEN NULL ` +
    `WHEN map_contains(p.m, p.k) THEN map_extract_value(p.m, p.k) ` +
    `ELSE error('Key not present in map: ' || CAST(p.k AS VARCHAR)) END)[1]`;
  return { sql, type: type.value, at };
}

/** Duplicate keys, NULL among them and lists of two lengths fail in both. */
const made: Function = {
  counts: [0, 2],
  make: ({ args: [keys, values], at }) => {
    if (!keys || !values) return { sql: "MAP {}", type: { kind: "map", key: UNKNOWN, value: UNKNOWN }, at };
    if (keys.type.kind !== "array" || values.type.kind !== "array")
      throw mismatch(`A map is made of two arrays: ${nameOf(keys.type)}, ${nameOf(values.type)}`, at);
    const type = mapOf(keys.type.of, values.type.of, at);
    const sql = `(CASE WHEN ${keys.sql} IS NULL OR ${values.sql} IS NULL THEN NULL ELSE map(${keys.sql}, ${values.sql}) END)`;
    return { sql, type, at };
  },
};

const listOf = (name: "map_keys" | "map_values", part: "key" | "value"): Function => ({
  counts: [1],
  make: ({ args: [of], at }) => ({ sql: `${name}(${of!.sql})`, type: { kind: "array", of: mapTypeOf(of!)[part] }, at }),
});

const entries: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    const { key, value } = mapTypeOf(of!);
    const fields = [
      { name: "key", type: key, isNameless: true as const },
      { name: "value", type: value, isNameless: true as const },
    ];
    return { sql: `map_entries(${of!.sql})`, type: { kind: "array", of: { kind: "row", fields } }, at };
  },
};

const fromEntries: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    const { type, sql } = of!;
    const row = type.kind === "array" && type.of.kind === "row" ? type.of.fields : [];
    const [key, value] = row;
    if (!key || !value || row.length !== 2) throw mismatch(`map_from_entries is of pairs: ${nameOf(type)}`, at);
    const checked = `list_transform(${sql}, lambda e: CASE WHEN e IS NULL THEN error('map entry cannot be null') ELSE e END)`;
    return { sql: `map_from_entries(${checked})`, type: mapOf(key.type, value.type, at), at };
  },
};

/** A key's value is that of the last map that has it. */
const concatenated: Function = {
  counts: [2, 3, 4, 5, 6, 7, 8],
  make: ({ args, at }) => {
    const type = mapTypeOf(args[0]!);
    for (const each of args)
      if (!isSame(mapTypeOf(each), type))
        throw unsupported(`map_concat of ${nameOf(type)} and ${nameOf(each.type)}`, at);
    const none = args.map(({ sql }) => `${sql} IS NULL`).join(" OR ");
    return {
      sql: `(CASE WHEN ${none} THEN NULL ELSE map_concat(${args.map(({ sql }) => sql).join(", ")}) END)`,
      type,
      at,
    };
  },
};

export const MAP_FUNCTIONS: Record<string, Function> = {
  map: made,
  map_keys: listOf("map_keys", "key"),
  map_values: listOf("map_values", "value"),
  map_entries: entries,
  map_from_entries: fromEntries,
  map_concat: concatenated,
};
