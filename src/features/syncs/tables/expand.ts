// The patterns that a user wrote, `schema.table` and `schema.*`, are expanded to the tables that a source has. Pure.

import type { Introspection } from "../../../../kernel/wire/source.ts";
import { withName } from "../../../../kernel/text/name-folding.ts";
import { SYNC_LIMITS } from "../limits.ts";
import type { Flaw } from "../../../core/problem.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { flawOfName } from "../../../lake/format/names.ts";

type Described = Introspection["schemas"][number]["tables"][number];
export type SourceTable = Described & { schema: string /** `schema.table` */; path: string };

/** `leftOut`: tables that a star matches and that can't be copied, each with the reason. */
export type Expansion = { tables: SourceTable[]; flaws: Flaw[]; leftOut: { path: string; reason: string }[] };

/** The tables meant, each once, in the order they were named; or every flaw, at `/tables/<index>`. */
export function expandTables(patterns: string[], source: Introspection): Expansion {
  const all = source.schemas.flatMap(({ name: schema, tables }) =>
    tables.map((table) => ({ ...table, schema, path: `${schema}.${table.name}` })),
  );
  const flaws: Flaw[] = [];
  const found = new Map<string, SourceTable>();
  patterns.forEach((pattern, index) => {
    const { tables, flaw } = match(pattern, all, source);
    if (flaw !== undefined) flaws.push({ pointer: `/tables/${index}`, message: flaw });
    for (const table of tables) found.set(`${table.schema}\0${table.name}`, table);
  });
  const isEmpty = ({ columns }: SourceTable): boolean => columns.length === 0;
  const tables = [...found.values()].filter((table) => !isEmpty(table));
  const leftOut = [...found.values()]
    .filter(isEmpty)
    .map(({ path }) => ({ path, reason: `${noColumns(path)} It is left out.` }));
  if (tables.length > SYNC_LIMITS.tablesMax)
    flaws.push({
      pointer: "/tables",
      message: `These are ${tables.length} tables; one sync takes ${SYNC_LIMITS.tablesMax}.`,
    });
  return { tables, flaws: [...flaws, ...flawsOfNames(tables), ...clashes(tables)], leftOut };
}

const noColumns = (path: string): string => `${path} has no columns, and a table of the lake has one at least.`;

type Match = { tables: SourceTable[]; flaw?: string };

/** Views are taken where they are named; a star means tables. */
function match(pattern: string, all: SourceTable[], source: Introspection): Match {
  if (!/^.+\..+$/s.test(pattern))
    return { tables: [], flaw: `${pattern} is not of the form <schema>.<table> or <schema>.*.` };
  const folding = source.folding ?? "exact";
  const named = withName(folding, pattern, all, ({ path }) => path);
  if (named[0]?.columns.length === 0)
    return { tables: [], flaw: `${noColumns(pattern)} Add one, or leave the table out.` };
  if (named.length === 1) return { tables: named };
  if (named.length > 1) {
    const paths = [...new Set(named.map(({ path }) => path))];
    const which = paths.length > 1 ? ` Name it as it is spelled: ${paths.join(" or ")}.` : "";
    return { tables: [], flaw: `${pattern} can be read in more than one way.${which}` };
  }
  if (!pattern.endsWith(".*")) {
    const among = source.truncated ? ` among the first ${all.length}, and no more can be looked up` : "";
    return {
      tables: [],
      flaw: `The source has no table ${pattern} that this role may read${among}.${suggestion(
        pattern,
        all.map(({ path }) => path),
      )}`,
    };
  }
  const typed = pattern.slice(0, -2);
  const schemas = source.schemas.map(({ name }) => name);
  const schema = withName(folding, typed, schemas, (name) => name)[0] ?? typed;
  if (source.truncated)
    return { tables: [], flaw: `The source has more tables than ${pattern} can be looked up among. Name the tables.` };
  const tables = all.filter(
    (table) => table.schema === schema && table.kind !== "view" && table.kind !== "materialized",
  );
  if (tables.some(({ columns }) => columns.length > 0)) return { tables };
  const flaw = schemas.includes(schema)
    ? `The schema ${schema} has no tables that this role may read.`
    : `The source has no schema ${schema} that this role may read.${suggestion(schema, schemas)}`;
  return { tables: [], flaw };
}

function suggestion(name: string, known: string[]): string {
  const near = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return near === undefined ? "" : ` Names are told apart by case; there is ${near}.`;
}

const flawsOfNames = (tables: SourceTable[]): Flaw[] =>
  tables.flatMap(({ name, path }) => {
    const flaw = flawOfName(name);
    return flaw === undefined ? [] : [{ pointer: "/tables", message: `${path} can't be a lake table. ${flaw}` }];
  });

/** A lake table keeps its source name, so two schemas of one sync can't both bring a table of the same name. */
function clashes(tables: SourceTable[]): Flaw[] {
  const byName = new Map<string, SourceTable[]>();
  for (const table of tables) byName.set(foldName(table.name), [...(byName.get(foldName(table.name)) ?? []), table]);
  return [...byName.values()]
    .filter(({ length }) => length > 1)
    .map((same) => ({
      pointer: "/tables",
      message:
        `${same.map(({ path }) => path).join(" and ")} would be one lake table. ` + "Sync them into different schemas.",
    }));
}
