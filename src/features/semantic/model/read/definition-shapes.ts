// The fields of cubes and views, in the forms of Cube's YAML.

import { SEMANTIC_LIMITS } from "../../limits.ts";
import {
  described,
  DIMENSION,
  fieldOf,
  HIERARCHY,
  JOIN,
  measureOf,
  name,
  ofCube,
  plain,
  reference,
  SEGMENT,
  sql,
} from "./member-shapes.ts";
import { flawOfDefinitionName } from "./names.ts";
import { either, flag, isText, listOf, object, oneOf, text, type Check, type Shape } from "./shape.ts";

const ROLES = "access_policy is not known here: the team's roles say who sees what.";
const definitionName = text(flawOfDefinitionName);
const membersOf = <Item>(check: Check<Item>) => listOf(check, SEMANTIC_LIMITS.membersPerDefinitionMax);
const partsOf = <Item>(check: Check<Item>) => listOf(check, SEMANTIC_LIMITS.partsMax);

/** Names with dots between them, each as it is or in quotes: nothing but a table can stand there. */
const TABLE_STEP = String.raw`(?:[\p{L}_][\p{L}\p{N}_]*|"(?:[^"\\{}$]|"")+"|${"`"}[^${"`"}\\{}$]+${"`"})`;
const TABLE = new RegExp(`^${TABLE_STEP}(?:\\.${TABLE_STEP}){0,2}$`, "u");
const table = text((written) =>
  TABLE.test(written)
    ? undefined
    : "It names no table: write table, schema.table, or names in quotes; a query goes into sql.",
);

const dataSource = text((written) =>
  written === "default" ? undefined : "A model reads from one integration: data_source can only be default.",
);

/** The fields of cubes and views; `extends` is gone when a model is read. */
const COMMON = { ...described, extends: definitionName };
const IGNORED = {
  pre_aggregations: "Left out: there is nothing here that aggregates beforehand. Answers are the same.",
  refresh_key: "Left out: results are kept as the query's persist and invalidate say.",
  rewrite_queries: "Left out: it changes nothing.",
  view_group: "Left out: views are not grouped.",
  view_groups: "Left out: views are not grouped.",
};

const cubeShape = (cube: string | undefined): Shape => ({
  fields: {
    ...COMMON,
    name: definitionName,
    sql: sql("query"),
    sql_table: table,
    sql_alias: name,
    data_source: dataSource,
    joins: membersOf(object(JOIN)),
    measures: membersOf(measureOf(cube)),
    dimensions: membersOf(ofCube(DIMENSION, cube)),
    segments: membersOf(ofCube(SEGMENT, cube)),
    hierarchies: membersOf(ofCube(HIERARCHY, cube)),
  },
  required: ["name"],
  refused: {
    access_policy: ROLES,
    calendar: "Calendar cubes need Cube's newer planner, which is not here.",
    includes: "A cube includes nothing: write a view.",
    cubes: "A cube has no cubes: write a view.",
    folders: "Folders are of views.",
  },
  ignored: IGNORED,
  memberOf: () => cube,
});

const includes: Check<unknown> = either(
  isText,
  oneOf(["*"]),
  membersOf(
    either(isText, name, object({ fields: { ...described, name, alias: name, format: plain }, required: ["name"] })),
  ),
);

const viewCube: Check<unknown> = object({
  fields: { join_path: reference, includes, excludes: membersOf(name), prefix: flag, alias: name },
  required: ["join_path", "includes"],
  refused: { split: "Views can't be split: write one view for each." },
});

/** They nest, and the depth of what is read has its bound. */
const folder: Check<unknown> = (value, place, findings) =>
  object({
    fields: {
      name: plain,
      includes: either(
        isText,
        oneOf(["*"]),
        membersOf(
          either(
            isText,
            name,
            either(
              (item) => fieldOf(item, "join_path") === undefined,
              folder,
              object({ fields: { join_path: reference } }),
            ),
          ),
        ),
      ),
    },
    required: ["name", "includes"],
  })(value, place, findings);

const OWN_MEMBERS = "A view has no members of its own: write it in a cube, and include it.";
const viewShape = (view: string | undefined): Shape => ({
  fields: { ...COMMON, name: definitionName, cubes: partsOf(viewCube), folders: partsOf(folder) },
  required: ["name"],
  refused: {
    access_policy: ROLES,
    default_filters: "Default filters need Cube's newer planner, which is not here: write a segment.",
    measures: OWN_MEMBERS,
    dimensions: OWN_MEMBERS,
    segments: OWN_MEMBERS,
    hierarchies: OWN_MEMBERS,
    joins: "A view has no joins of its own: it takes those of its cubes.",
    sql: OWN_MEMBERS,
    includes: "What a view includes stands in its cubes: cubes: [{join_path: …, includes: …}].",
    excludes: "What a view excludes stands in its cubes: cubes: [{join_path: …, excludes: …}].",
  },
  ignored: IGNORED,
  memberOf: () => view,
});

const named =
  (shapeOf: (name: string | undefined) => Shape): Check<Record<string, unknown>> =>
  (value, place, findings) =>
    object(shapeOf(fieldOf(value, "name")))(value, place, findings);

/** A whole file. */
export const FILE: Check<Record<string, unknown>> = object({
  fields: {
    cubes: listOf(named(cubeShape), SEMANTIC_LIMITS.definitionsMax),
    views: listOf(named(viewShape), SEMANTIC_LIMITS.definitionsMax),
  },
  ignored: { view_groups: IGNORED.view_groups },
});
