// Prunes Cube's meta of a model to a part of it: the result is what compiling the part would give.

import type { CompiledModel, SemanticModel } from "../../../../kernel/semantic/model.ts";
import { indexModel, type Cube, type ModelIndex } from "../model/definitions.ts";
import { viewMembersOf } from "../model/view-members.ts";

type Named = { name: string };
type Measure = Named & { drillMembers?: string[]; drillMembersGrouped?: { measures: string[]; dimensions: string[] } };
type Folder = Named & { members: (string | Folder)[] };
/** An entry in the form that Cube's `CubeToMetaTransformer` makes. */
type Entry = Named & {
  connectedComponent?: number;
  measures: Measure[];
  dimensions: Named[];
  segments: Named[];
  hierarchies: (Named & { levels: string[] })[];
  folders: Folder[];
  nestedFolders: Folder[];
};

/** `part`: a restriction of the model that the meta is of. */
export function pruneMeta(meta: CompiledModel["meta"], part: SemanticModel): CompiledModel["meta"] {
  const index = indexModel(part);
  const members = memberNames(index);
  const components = connectedComponents(part.cubes as Cube[]);
  return meta
    .filter(({ name }) => index.cubes.has(name) || index.views.has(name))
    .map((entry) => pruneEntry(entry as Entry, members, components.get(entry.name)));
}

/** Full names, as the meta has them. */
function memberNames(index: ModelIndex): Set<string> {
  const ofCubes = [...index.cubes].flatMap(([cube, { members }]) =>
    [...members.keys()].map((name) => `${cube}.${name}`),
  );
  const ofViews = [...index.views.values()].flatMap((view) =>
    viewMembersOf(index, view).map(({ name }) => `${view.name}.${name}`),
  );
  return new Set([...ofCubes, ...ofViews]);
}

function pruneEntry(entry: Entry, members: ReadonlySet<string>, component: number | undefined) {
  const has = (name: string): boolean => members.has(name);
  const pruned: Entry = {
    ...entry,
    measures: entry.measures.filter(({ name }) => has(name)).map((measure) => pruneDrill(measure, has)),
    dimensions: entry.dimensions.filter(({ name }) => has(name)),
    segments: entry.segments.filter(({ name }) => has(name)),
    hierarchies: entry.hierarchies
      .map((hierarchy) => ({ ...hierarchy, levels: hierarchy.levels.filter(has) }))
      .filter(({ levels }) => levels.length > 0),
    folders: entry.folders.map((folder) => pruneFolder(folder, has)),
    nestedFolders: entry.nestedFolders.map((folder) => pruneFolder(folder, has)),
  };
  // In the place that it has: the entry is written in this order.
  if (component !== undefined) pruned.connectedComponent = component;
  else delete pruned.connectedComponent;
  return pruned;
}

function pruneDrill(measure: Measure, has: (name: string) => boolean) {
  const { drillMembers, drillMembersGrouped } = measure;
  return {
    ...measure,
    ...(drillMembers ? { drillMembers: drillMembers.filter(has) } : {}),
    ...(drillMembersGrouped
      ? {
          drillMembersGrouped: {
            measures: drillMembersGrouped.measures.filter(has),
            dimensions: drillMembersGrouped.dimensions.filter(has),
          },
        }
      : {}),
  };
}

const pruneFolder = (folder: Folder, has: (name: string) => boolean): Folder => ({
  ...folder,
  members: folder.members.flatMap((member): (string | Folder)[] => {
    if (typeof member === "string") return has(member) ? [member] : [];
    return [pruneFolder(member, has)];
  }),
});

/**
 * The number that Cube gives to cubes that joins lead between: that of the first cube with joins of its own, in the
 * order of the model. A cube that no join leads to or from has none.
 */
function connectedComponents(cubes: readonly Cube[]): Map<string, number> {
  const neighbours = new Map<string, string[]>();
  const connect = (one: string, other: string) => neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
  for (const { name, joins = [] } of cubes)
    for (const join of joins) {
      connect(name, join.name);
      connect(join.name, name);
    }
  const components = new Map<string, number>();
  const starts = cubes.filter(({ joins = [] }) => joins.length > 0);
  starts.forEach(({ name }, i) => {
    const reached = components.has(name) ? [] : [name];
    for (const cube of reached) {
      if (components.has(cube)) continue;
      components.set(cube, i + 1);
      reached.push(...(neighbours.get(cube) ?? []));
    }
  });
  return components;
}
