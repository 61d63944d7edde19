// Tables by types, of a database or of DuckDB: how one is written where types share a value, and how it is looked up.

/** One value for several keys of a table. */
export const forTypes = <const K extends PropertyKey, V>(keys: readonly K[], value: V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>;

/** The entry of a type that a server named; undefined where the table does not know it. */
export const entryOf = <V>(table: Readonly<Record<PropertyKey, V>>, key: PropertyKey): V | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
