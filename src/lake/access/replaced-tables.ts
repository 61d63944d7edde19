// Columns of dropped tables that are hidden because a later table of the name lacks them.

import { tableKey } from "../state/state.ts";

type Name = { schema: string; name: string; begin: number };

/**
 * A table with each name it has had, its last one first. `present`: the folded names of the columns that it has, by
 * key; of a dropped table, of those that it had at its `end`. `dropped`: the keys of its other columns.
 */
export type NamedColumns = {
  names: readonly [Name, ...Name[]];
  end: number | null;
  present: Map<number, string>;
  dropped: Set<number>;
};

const keyOf = ({ schema, name }: Name): string => tableKey(schema, name);

/**
 * Moves from `present` to `dropped` each column of a dropped table that a later bearer of its last name lacks. A later
 * bearer that was dropped itself lacks what was moved.
 */
export function dropReplacedColumns(tables: readonly NamedColumns[]): void {
  const ends = tables.flatMap((table) =>
    table.end === null ? [] : [{ at: table.end, isEnd: true, key: keyOf(table.names[0]), table }],
  );
  const left = new Set(ends.map(({ key }) => key));
  const begins = tables.flatMap((table) =>
    table.names.map((name) => ({ at: name.begin, isEnd: false, key: keyOf(name), table })),
  );
  const events = [...ends, ...begins.filter(({ key }) => left.has(key))];
  // The latest comes first, so at the end of a table all later bearers of its name are known. One snapshot may end a
  // table and begin another of the name.
  events.sort((one, two) => two.at - one.at || Number(one.isEnd) - Number(two.isEnd));
  const keptBy = new Map<string, ReadonlySet<string>>();
  for (const { key, isEnd, table } of events) {
    const kept = keptBy.get(key);
    if (!isEnd) keptBy.set(key, new Set([...table.present.values()].filter((name) => !kept || kept.has(name))));
    else if (kept) dropOthers(table, kept);
  }
}

function dropOthers({ present, dropped }: NamedColumns, kept: ReadonlySet<string>): void {
  for (const [column, name] of present) {
    if (kept.has(name)) continue;
    present.delete(column);
    dropped.add(column);
  }
}
