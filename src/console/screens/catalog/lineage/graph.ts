// The tables around one table, laid out in layers: what it is made of to its left, what is made of it to its right.
// Pure.

import type { components } from "../../../api/schema.d.ts";

export type Lineage = components["schemas"]["LineageTable"];
type Ref = { schema: string; name: string };

export type GraphNode = Ref & { id: string; layer: number; row: number; builtBy: Lineage | undefined };
export type GraphEdge = { from: string; to: string };
export type Graph = { nodes: GraphNode[]; edges: GraphEdge[]; layers: number; rows: number };

const NODES_MAX = 200;

export const idOf = ({ schema, name }: Ref): string => JSON.stringify([schema, name]);

/** Follows sources backwards and uses forwards from `centre`, at most two hundred tables far. */
export function graphAround(centre: Ref, lineage: readonly Lineage[]): Graph {
  const builtBy = new Map(lineage.map((table) => [idOf(table), table]));
  const uses = new Map<string, Lineage[]>();
  for (const table of lineage)
    for (const source of table.sources) uses.set(idOf(source), [...(uses.get(idOf(source)) ?? []), table]);
  const layers = new Map<string, { ref: Ref; layer: number }>();
  walk(centre, -1, layers, (id) => builtBy.get(id)?.sources ?? []);
  walk(centre, 1, layers, (id) => uses.get(id) ?? []);
  const least = Math.min(...[...layers.values()].map(({ layer }) => layer));
  const rowsOf = new Map<number, number>();
  const nodes = [...layers].map(([id, { ref, layer }]) => {
    const row = rowsOf.get(layer) ?? 0;
    rowsOf.set(layer, row + 1);
    return { id, schema: ref.schema, name: ref.name, layer: layer - least, row, builtBy: builtBy.get(id) };
  });
  const edges = nodes.flatMap(({ id, builtBy: table }) =>
    (table?.sources ?? []).map((source) => ({ from: idOf(source), to: id })).filter(({ from }) => layers.has(from)),
  );
  return { nodes, edges, layers: Math.max(...nodes.map(({ layer }) => layer)) + 1, rows: Math.max(...rowsOf.values()) };
}

type Layers = Map<string, { ref: Ref; layer: number }>;

function walk(centre: Ref, step: 1 | -1, layers: Layers, next: (id: string) => readonly Ref[]): void {
  let frontier: Ref[] = [centre];
  layers.set(idOf(centre), { ref: centre, layer: 0 });
  for (let layer = step; frontier.length > 0; layer += step) {
    const found: Ref[] = [];
    for (const ref of frontier.flatMap((one) => next(idOf(one)))) {
      if (layers.has(idOf(ref)) || layers.size >= NODES_MAX) continue;
      layers.set(idOf(ref), { ref, layer });
      found.push(ref);
    }
    frontier = found;
  }
}
