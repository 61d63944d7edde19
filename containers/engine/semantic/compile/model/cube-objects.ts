// Definitions as the objects that Cube's evaluators take: what Cube makes of YAML by way of source code, without code.

import { camelizeCube } from "@cubejs-backend/schema-compiler/dist/src/compiler/utils.js";
import type { CubeDefinition, SemanticModel } from "../../../../../kernel/semantic/model.ts";
import { isInherited, ModelError, Reference, References, Template, type Referring } from "./template.ts";

/** A definition whose functions are not bound to symbols yet. */
type UnboundCube = { name: string; isView: boolean; fields: Record<string, unknown> };

/** A flaw of a definition, or of its member. */
type DefinitionFlaw = { member: string; message: string };

const NAME = /^[A-Za-z_]\w*$/;
const NAME_CHARACTERS_MAX = 255;
/** Lists of members, which Cube keeps as objects by name; granularities are such a list within a dimension. */
const MEMBER_LISTS = ["measures", "dimensions", "segments", "preAggregations", "hierarchies"] as const;
const DEPTH_MAX = 12;

/** Paths of the fields whose text, or list of texts, refers to members; `*` stands for any one name. */
const REFERENCES = [
  "measures.*.drillMembers",
  "measures.*.drillMemberReferences",
  "hierarchies.*.levels",
  "dimensions.*.key",
  "cubes.*.joinPath",
  "folders.*.includes.*.joinPath",
  "extends",
].map((path) => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^.]+")}$`));

/** Fields that Cube reads as code, and fields that this compiler does not support. */
const REFUSED = [
  "accessPolicy",
  "rewriteQueries",
  "preAggregations",
  "defaultFilters",
  "contextMembers",
  "viewGroup",
  "viewGroups",
  "includes",
  "excludes",
  "views",
  "fileName",
  "isView",
  "isSplitView",
  "rawCubes",
  "rawFolders",
  "allDefinitions",
];
/** A label, which Cube puts between quotes without escaping it. */
const LABEL = /^dimensions\.[^.]+\.case\.(when\.\d+|else)\.label$/;
/** The names that a view gives to what it includes. */
const NAMES = /^cubes\.\d+\.(alias|includes\.\d+\.(name|alias))$/;
const REFUSED_OF_MEMBERS = ["multiStage", "timeShift", "mask", "links", "orderBy", "filter", "grain", "switch"];

/** Reads every definition of a model; those with flaws are left out. */
export function unboundCubes({ cubes, views }: SemanticModel): { cubes: UnboundCube[]; flaws: DefinitionFlaw[] } {
  const read: UnboundCube[] = [];
  const flaws: DefinitionFlaw[] = [];
  for (const [definitions, isView] of [
    [cubes, false],
    [views, true],
  ] as const) {
    for (const definition of definitions) {
      const found = readDefinition(definition, flaws);
      if (found) read.push({ name: definition.name, isView, fields: found });
    }
  }
  return { cubes: read, flaws };
}

/** The definition as a fresh object, which Cube's evaluators may change; its functions are bound to what is known. */
export const bindCube = (
  { name, isView, fields }: UnboundCube,
  isKnown: (cube: string, name: string) => boolean,
): Record<string, unknown> => ({
  ...(bind(fields, (symbol) => isKnown(name, symbol)) as Record<string, unknown>),
  name,
  fileName: name,
  ...(isView ? { isView } : {}),
});

function bind(value: unknown, isKnown: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => bind(item, isKnown));
  if (typeof value !== "object" || value === null) return value;
  if ("bind" in value && typeof value.bind === "function") return (value as Referring).bind(isKnown);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bind(item, isKnown)]));
}

function readDefinition(definition: CubeDefinition, flaws: DefinitionFlaw[]): Record<string, unknown> | undefined {
  const before = flaws.length;
  const { name } = definition;
  const noteFlaw = (path: readonly string[], message: string): void => {
    const member = path.length > 1 && path[1] !== undefined ? `${name}.${path[1]}` : name;
    flaws.push({ member, message: path.length ? `${path.join(".")}: ${message}` : message });
  };
  if (!isName(name)) noteFlaw([], "the name of a cube or view is letters, digits and _, and starts with a letter");
  const fields = camelizeCube(checkedCopy(definition, [], noteFlaw) as never) as Record<string, unknown>;
  delete fields["name"];
  for (const list of MEMBER_LISTS) fields[list] = membersByName(fields[list] ?? [], list, noteFlaw);
  fields["joins"] ??= [];
  for (const key of REFUSED) {
    if (key in fields && key !== "preAggregations") noteFlaw([key], "it is not supported here");
  }
  const read = readValue(fields, [], noteFlaw);
  return flaws.length === before ? (read as Record<string, unknown>) : undefined;
}

type NoteFlaw = (path: readonly string[], message: string) => void;

/** Names that Cube uses for its own fields beside the members. */
const TAKEN = ["cubeName", "cubeObj"];

const isName = (name: unknown): name is string =>
  typeof name === "string" &&
  name.length <= NAME_CHARACTERS_MAX &&
  NAME.test(name) &&
  !isInherited(name) &&
  !TAKEN.includes(name);

/** A deep copy, of bounded depth and without keys that every object inherits. */
function checkedCopy(value: unknown, path: readonly string[], noteFlaw: NoteFlaw): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (path.length > DEPTH_MAX) {
    noteFlaw(path.slice(0, 2), "it is nested too deep");
    return null;
  }
  if (Array.isArray(value)) return value.map((item, i) => checkedCopy(item, [...path, `${i}`], noteFlaw));
  const entries = Object.entries(value).filter(([key]) => {
    if (isInherited(key)) noteFlaw(path, `nothing may be called ${key}`);
    return !isInherited(key);
  });
  return Object.fromEntries(entries.map(([key, item]) => [key, checkedCopy(item, [...path, key], noteFlaw)]));
}

function membersByName(list: unknown, of: string, noteFlaw: NoteFlaw): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  if (!Array.isArray(list)) {
    noteFlaw([of], "it is no list");
    return members;
  }
  for (const member of list as unknown[]) {
    const { name, granularities, ...rest } = Object(member) as Record<string, unknown>;
    if (!isName(name)) noteFlaw([of], "each has a name of letters, digits and _ that starts with a letter");
    else if (name in members) noteFlaw([of, name], "there are several of this name");
    else
      members[name] = {
        ...(of === "dimensions" && granularities
          ? { granularities: membersByName(granularities, `dimensions.${name}.granularities`, noteFlaw) }
          : {}),
        ...rest,
      };
  }
  return members;
}

/** Reads a value of YAML as Cube does: SQL and references become functions, all else is kept. */
function readValue(value: unknown, path: readonly string[], noteFlaw: NoteFlaw): unknown {
  const key = path.at(-1) ?? "";
  // A member's `meta` is for the model's readers and may hold anything.
  if (key === "meta" && path.length !== 2) return value;
  if (path.length > 2 && REFUSED_OF_MEMBERS.includes(key)) {
    noteFlaw(path, "it is not supported here");
    return value;
  }
  if (NAMES.test(path.join(".")) && !isName(value)) noteFlaw(path, "a name is letters, digits and _");
  if (LABEL.test(path.join(".")) && typeof value === "string" && /['\\$]/.test(value))
    noteFlaw(path, "a label holds no quote, backslash or $: write it as sql");
  const isSql = key === "sql" || key === "sqlTable";
  const isReference = REFERENCES.some((pattern) => pattern.test(path.join(".")));
  if (isSql || isReference) {
    try {
      return readReferring(value, isSql);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      noteFlaw(path, error.message);
      return value;
    }
  }
  if (Array.isArray(value)) return value.map((item, i) => readValue(item, [...path, `${i}`], noteFlaw));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, readValue(item, [...path, name], noteFlaw)]),
  );
}

function readReferring(value: unknown, isSql: boolean): Referring {
  if (typeof value === "string") return isSql ? new Template(value) : new Reference(value);
  if (!isSql && Array.isArray(value) && value.every((item) => typeof item === "string")) return new References(value);
  throw new ModelError(isSql ? "it is no text" : "it is no name, and no list of names");
}
