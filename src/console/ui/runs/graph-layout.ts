// The nodes of a graph without circles stand each in the column after all that it is made from. Pure.

export type GraphNode = { key: string; needs: readonly string[] };
export type Place = { column: number; row: number };

/** A circle, which a doc never has, ends where it would begin again. */
export function layOutGraph(nodes: readonly GraphNode[]): Map<string, Place> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const columns = new Map<string, number>();
  const columnOf = (key: string, above: ReadonlySet<string>): number => {
    const known = columns.get(key);
    if (known !== undefined) return known;
    const needs = byKey.get(key)!.needs.filter((need) => byKey.has(need) && !above.has(need));
    const inside = new Set([...above, key]);
    const column = Math.max(-1, ...needs.map((need) => columnOf(need, inside))) + 1;
    columns.set(key, column);
    return column;
  };
  const rows = new Map<number, number>();
  return new Map(
    nodes.map(({ key }) => {
      const column = columnOf(key, new Set());
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      return [key, { column, row }];
    }),
  );
}
