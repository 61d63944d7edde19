// Finds the joins from one cube to another, as Cube's graph does, ties included: the shortest path, and among those the
// one whose cubes were met first when joins are followed in the order in which they are written.

import type { Join, ModelIndex } from "./definitions.ts";

/** The cubes on the way, both ends included; undefined where none leads there. */
export function findPath({ cubes }: Pick<ModelIndex, "cubes">, from: string, to: string): string[] | undefined {
  const previous = new Map<string, string | undefined>([[from, undefined]]);
  // A map goes on over what is added to it, in the order in which it was.
  for (const cube of previous.keys()) {
    if (cube === to) return from === to ? undefined : pathTo(to, previous);
    for (const { name } of cubes.get(cube)?.cube.joins ?? [])
      if (cubes.has(name) && !previous.has(name)) previous.set(name, cube);
  }
  return undefined;
}

/**
 * The first two cubes without a way between them, where a member of `own` names the cubes of `path`. A query may begin
 * at a cube that joins to the member's own, and so a member may name it.
 */
export function findMissingJoin(
  index: Pick<ModelIndex, "cubes">,
  own: string,
  path: readonly string[],
): [from: string, to: string] | undefined {
  const stops = [own, ...path.filter((cube, i) => i > 0 || cube !== own)];
  const isReached = (from: string, to: string, isFirst: boolean): boolean =>
    findPath(index, from, to) !== undefined ||
    (isFirst && index.cubes.has(to) && findPath(index, to, from) !== undefined);
  const missing = stops.findIndex((cube, i) => i > 0 && !isReached(stops[i - 1]!, cube, i === 1));
  return missing > 0 ? [stops[missing - 1]!, stops[missing]!] : undefined;
}

function pathTo(to: string, previous: Map<string, string | undefined>): string[] {
  const path = [];
  for (let cube: string | undefined = to; cube !== undefined; cube = previous.get(cube)) path.unshift(cube);
  return path;
}

export const joinBetween = ({ cubes }: Pick<ModelIndex, "cubes">, from: string, to: string): Join | undefined =>
  cubes.get(from)?.cube.joins?.find(({ name }) => name === to);
