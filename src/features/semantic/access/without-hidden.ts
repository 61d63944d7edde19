// A model as one caller has it: what reads something that is hidden from them is not in it, and nothing of what is left
// tells of it.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { LoadedModel } from "../loaded-model.ts";
import { indexModel, sqlOf, type Cube, type Member } from "../model/definitions.ts";
import { cubeReads, joinReads, membersRead } from "../model/members-read.ts";
import { restrictModel } from "../model/restrict.ts";
import type { HiddenNames } from "./hidden-names.ts";
import { pruneMeta } from "./prune-meta.ts";

export function modelWithoutHidden(model: LoadedModel, isHidden: HiddenNames): LoadedModel {
  const definitions = withoutHidden(model.definitions, isHidden);
  return { ...model, definitions, meta: pruneMeta(model.meta, definitions) };
}

/**
 * A cube goes with its table; a member with any name in its SQL, or in that of what it refers to, that is a hidden
 * column's; a join with those of its condition or of a key of its cubes.
 */
export function withoutHidden(definitions: SemanticModel, isHidden: HiddenNames): SemanticModel {
  const index = indexModel(definitions);
  const hiddenCubes = new Set([...index.cubes.keys()].filter((name) => isHidden(cubeReads(definitions, name)!)));
  const hasMember = (cube: string, member: Member): boolean =>
    // It reads rows, and no column: where they are joined by keys that are hidden, the join is not there.
    sqlOf(member).length === 0 || !isHidden(membersRead(definitions, `${cube}.${member.name}`)!);
  const joined = {
    cubes: (definitions.cubes as Cube[]).map((cube) =>
      cube.joins
        ? {
            ...cube,
            joins: cube.joins.filter(
              ({ name }) => !hiddenCubes.has(cube.name) && !isHidden(joinReads(definitions, cube.name, name)!),
            ),
          }
        : cube,
    ),
    views: definitions.views,
  };
  return restrictModel(joined, {
    cube: (name) => !hiddenCubes.has(name),
    member: (path) => {
      const [name = "", member = ""] = path.split(".");
      const found = index.cubes.get(name)?.members.get(member);
      // A view's member goes with the cube's.
      return !found || hasMember(name, found.member);
    },
  });
}
