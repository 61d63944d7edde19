// The names of a base that are hidden from one caller, in a model's spelling. In doubt a name is hidden: where a name
// may mean two things, and where a query can't be read.

import { EVERY, type AccessRoles } from "../../../../kernel/access/access.ts";
import { decideTable, indexAccess, type AccessIndex } from "../../../../kernel/access/decide-table.ts";
import { foldText } from "../../../../kernel/text/fold-name.ts";
import type { HiddenTable } from "../../../lake/plan/hidden-tables.ts";
import type { MemberReads } from "../model/members-read.ts";
import { tablesInQuery } from "./tables-in-query.ts";

/** Whether what is read holds anything that is hidden. */
export type HiddenNames = (reads: MemberReads) => boolean;

/** The catalog of a lake in a statement, and the schema that is meant where none is named. */
export const [CATALOG, DEFAULT_SCHEMA] = ["lake", "main"] as const;

/** The lake names all that it hides, so what is not among this shows, or is not there. */
export function hiddenInLake(hidden: readonly HiddenTable[]): HiddenNames {
  const tables = hidden.map(({ schema, name, columns }) => ({
    schema: foldText(schema),
    name: foldText(name),
    columns: columns?.map(foldText),
  }));
  const byName = Map.groupBy(tables, ({ name }) => name);
  return ({ tables: written, queries, identifiers, queryTexts }) => {
    const paths = written.map((steps) => steps.map(foldText));
    const read = paths.flatMap((steps) => (byName.get(steps.at(-1)!) ?? []).filter((table) => isNamed(steps, table)));
    if (read.length === 0 && queries.length === 0) return false;
    const names = new Set([...identifiers].map(foldText));
    if (queries.length > 0) {
      // A query counts as reading a table as soon as the table may be in it.
      const words = new Set([...names, ...[...queryTexts].map(foldText)]);
      const isInQuery = ({ schema }: { schema: string }): boolean => words.has(schema) || schema === DEFAULT_SCHEMA;
      read.push(...[...words].flatMap((word) => (byName.get(word) ?? []).filter(isInQuery)));
    }
    return read.some(({ columns }) => columns?.some((column) => names.has(column)) ?? true);
  };
}

/** `LAKE.t` is table t of the schema main, unless there is a schema named lake. */
function isNamed(steps: readonly string[], { schema, name }: { schema: string; name: string }): boolean {
  const [last, before, ...rest] = steps.toReversed();
  if (last !== name || rest.length > 1) return false;
  if (before === undefined) return schema === DEFAULT_SCHEMA;
  return before === schema || (rest.length === 0 && before === CATALOG && schema === DEFAULT_SCHEMA);
}

/**
 * A source's tables are known by the roles alone: a table is there where they grant it. `defaultSchema` is where a
 * table without a schema is looked for.
 */
export function hiddenInSource(roles: AccessRoles, defaultSchema: string): HiddenNames {
  // How the source compares names is not known here: what counts is what both grant.
  const indexes = [indexAccess(roles, (name) => name), indexAccess(roles, foldText)];
  const schemas = [...new Set(roles.flat().map(({ schema }) => schema))].filter((schema) => schema !== EVERY);
  return ({ tables, queries, identifiers }) => {
    const inQueries = queries.map(tablesInQuery);
    if (inQueries.includes(undefined)) return true;
    const columns = [...identifiers];
    return [...tables, ...inQueries.flatMap((found) => found ?? [])].some((steps) => {
      const [name, schema] = steps.toReversed();
      if (name === undefined || steps.length > 3) return true;
      if (schema !== undefined) return indexes.some((index) => !shows(index, { schema, name }, columns));
      // The sessions of the source may look elsewhere first.
      const others = schemas.filter((each) => indexes.some((index) => shows(index, { schema: each, name }, [])));
      return [defaultSchema, ...others].some((each) =>
        indexes.some((index) => !shows(index, { schema: each, name }, columns)),
      );
    });
  };
}

/** A table with a column that no role names is there as soon as it is granted. */
const NAMELESS = "";

function shows(index: AccessIndex, name: { schema: string; name: string }, columns: readonly string[]): boolean {
  const known = [NAMELESS, ...columns].map((column, key) => ({ key, names: [column] as [string] }));
  const access = decideTable(index, { names: [name], columns: known });
  return access !== undefined && (access === "whole" || access.cells.length === known.length);
}
