// The dimension by which a filter narrows a dataset of the semantic layer. Pure.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { listOf } from "../../../../kernel/text/list-of.ts";
import { memberOf } from "../runs/plan/cube-query.ts";

/** A dataset with its query, whose members are named in full, and the cube of those that were not. */
export type CubeQuestion = { key: string; cube: string | undefined; query: Readonly<Record<string, unknown>> };

/**
 * The full name: a dimension without a cube is of the dataset's own, as the members of its query are. Where the dataset
 * has none either, `message` says what to write.
 */
export function dimensionOf(
  { id, target }: Filter,
  { key, cube, query }: CubeQuestion,
): { member: string } | { message: string } {
  const dimension = target.dimension!;
  const member = memberOf(dimension, cube);
  if (member.includes(".")) return { member };
  const message =
    `The filter ${id} names the dimension ${dimension} without its cube, and the dataset ${key} has no \`cube\`: ` +
    `write ${meantBy(dimension, query)}.`;
  return { message };
}

/** A member of the query of that name; else the name in a cube of the query. */
function meantBy(dimension: string, query: CubeQuestion["query"]): string {
  const named = [
    ...[query["dimensions"], query["measures"], query["segments"]].flatMap(listOf),
    ...listOf(query["timeDimensions"]).map((time) => (isObject(time) ? time["dimension"] : undefined)),
  ].filter((name): name is string => typeof name === "string" && name.includes("."));
  const [cube = "cube"] = (named[0] ?? "").split(".").filter((part) => part !== "");
  return named.find((name) => name.endsWith(`.${dimension}`)) ?? `${cube}.${dimension}`;
}
