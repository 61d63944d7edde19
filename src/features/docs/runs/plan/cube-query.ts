// A cube dataset as the semantic layer is asked: members that only name a field are of the dataset's own cube. Pure.

import { isObject } from "../../../../../kernel/text/is-object.ts";
import type { Dataset } from "../../definition/definition.ts";

type CubeDataset = Extract<Dataset, { engine: "cube" }>;

/** The full name of a member; one that only names a field is of the dataset's own cube, where it has one. */
export const memberOf = (name: string, cube: string | undefined): string =>
  cube === undefined || name.includes(".") ? name : `${cube}.${name}`;

export function cubeQueryOf({
  engine,
  description,
  dependsOn,
  timeoutMs,
  cube,
  integrationId,
  ...query
}: CubeDataset): Record<string, unknown> {
  if (cube === undefined) return query;
  const name = (member: unknown): unknown => (typeof member === "string" ? memberOf(member, cube) : member);
  const each = (value: unknown, change: (item: unknown) => unknown): unknown =>
    Array.isArray(value) ? value.map(change) : value;
  const field = (key: string) => (item: unknown) =>
    isObject(item) && key in item ? { ...item, [key]: name(item[key]) } : item;
  const filter = (item: unknown): unknown => {
    if (!isObject(item)) return item;
    const group = ["and", "or"].find((word) => word in item);
    return group ? { ...item, [group]: each(item[group], filter) } : field("dimension")(field("member")(item));
  };
  const order = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.map((item: unknown) =>
        Array.isArray(item) ? [name(item[0]), ...item.slice(1)] : field("id")(item),
      );
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([member, direction]) => [name(member), direction]))
      : value;
  };
  const changes = new Map<string, (value: unknown) => unknown>([
    ["measures", (value) => each(value, name)],
    ["dimensions", (value) => each(value, name)],
    ["segments", (value) => each(value, name)],
    ["timeDimensions", (value) => each(value, field("dimension"))],
    ["filters", (value) => each(value, filter)],
    ["order", order],
  ]);
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, changes.get(key)?.(value) ?? value]));
}
