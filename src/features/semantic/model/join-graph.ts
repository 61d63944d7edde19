// Which joins lead from one cube to another. The same that Cube's graph finds, ties included: the shortest path, and
// among those the one whose cubes were met first when joins are followed in the order in which they are written.

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

function pathTo(to: string, previous: Map<string, string | undefined>): string[] {
  const path = [];
  for (let cube: string | undefined = to; cube !== undefined; cube = previous.get(cube)) path.unshift(cube);
  return path;
}

export const joinBetween = ({ cubes }: Pick<ModelIndex, "cubes">, from: string, to: string): Join | undefined =>
  cubes.get(from)?.cube.joins?.find(({ name }) => name === to);
