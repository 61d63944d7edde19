// The tables that a statement may name: those of one lake that its sender may see, and those about them.

import { quoteIdentifier } from "../../lake/format/names.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import type { Needs } from "../../clients/context.ts";
import { isProblem } from "../../core/problem.ts";
import { openReader } from "../../lake/lake.ts";
import { peekLake, type OpenedLake } from "../access/open-lake.ts";
import { resolveAccess } from "../access/resolve.ts";
import { getLake, keepOwnLake, knownOwnLake } from "../integrations/get.ts";
import { Refusal } from "./refusal.ts";
import type { Table } from "./translate/scope.ts";
import type { FindTarget } from "./translate/write/target.ts";
import type { Name } from "./parse/tree.ts";
import { typeOfColumn } from "./lake-types.ts";
import { describeLake } from "./metadata/description.ts";
import { metadataTable } from "./metadata.ts";
import { readComments, showsComments } from "./metadata/comments.ts";
import { eachTable, INFORMATION_SCHEMA, seenSchemas, type Described, type SeenTable } from "./metadata/described.ts";

/** The team's own lake has this name as a catalog; any of its lakes has its id. */
export const OWN_LAKE = "lake";
export const SYSTEM = "system";

type Deps = Needs<"scope" | "db" | "openLake">;

/** `integrationId` is absent of the team's own lake. */
export type OpenedCatalog = Described & OpenedLake & { integrationId: string | undefined };

/** `tree`: the statement, which may show comments. */
export async function openCatalog(
  ctx: Deps,
  named: Name[] | string | undefined,
  tree?: unknown,
): Promise<OpenedCatalog> {
  const [name, at] = Array.isArray(named) ? [named[0]?.text, named[0]?.at] : [named, undefined];
  const isOwn = name === undefined || [OWN_LAKE, SYSTEM].includes(name.toLowerCase());
  const opened = (isOwn ? await peekOwn(ctx) : undefined) ?? (await openNamed(ctx, isOwn ? undefined : name, at));
  const { lakeId, reader } = opened;
  const object = ctx.openLake(lakeId);
  const catalog = isOwn ? OWN_LAKE : name.toLowerCase();
  return {
    ...opened,
    catalog,
    catalogs: [...new Set([OWN_LAKE, catalog, SYSTEM])],
    lake: await describeLake(object, lakeId, reader),
    ...(showsComments(tree) && { comments: await readComments(object, reader) }),
    integrationId: isOwn ? undefined : lakeId,
  };
}

/** The team's own lake without a question to the database; undefined where that takes one. */
async function peekOwn(ctx: Deps): Promise<OpenedLake | undefined> {
  const lakeId = knownOwnLake(ctx);
  return lakeId === undefined ? undefined : peekLake(ctx, lakeId);
}

/** The lake of this id, or the team's own where none is named. */
async function openNamed(ctx: Deps, name: string | undefined, at: number | undefined): Promise<OpenedLake> {
  const { id: lakeId } = await getLake(ctx, name).catch((error: unknown) => {
    if (!isProblem(error) || name === undefined) throw error;
    throw new Refusal("CATALOG_NOT_FOUND", `Catalog '${name}' not found`, at);
  });
  if (name === undefined) keepOwnLake(ctx, lakeId);
  const access = await resolveAccess(ctx, { id: lakeId });
  return { lakeId, access, reader: await openReader(ctx.openLake(lakeId), access) };
}

/** Where names are that do not say it themselves. */
type Names = { catalog: string | undefined; schema: string | undefined };

/** The catalog that the tables of a tree are in: the one that is named, or the session's; undefined without tables. */
export function catalogOf(tree: unknown, session: Pick<Names, "catalog">): Name[] | string | undefined {
  const named = new Map<string, Name[]>();
  let namesAny = false;
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { kind, name } = node as { kind?: string; name?: unknown };
    const parts = kind === "table" ? 3 : kind === "schema" ? 2 : undefined;
    namesAny ||= parts !== undefined;
    if (Array.isArray(name) && name.length === parts) {
      const [catalog] = name as Name[];
      if (catalog!.text.toLowerCase() !== SYSTEM) named.set(catalog!.text.toLowerCase(), name as Name[]);
    }
    Object.values(node).forEach(look);
  };
  look(tree);
  const [first, second] = named.values();
  if (second) throw new Refusal("NOT_SUPPORTED", "A statement is of one lake.", second[0]!.at);
  // A statement without a table is of no catalog, and the session's need not be there.
  return first ?? (namesAny ? session.catalog : undefined);
}

/** `of` is the catalog. */
type TablePath = { table: string; schema: string; of: string; at: number };

function pathOf(name: readonly Name[], session: Names, { catalog }: OpenedCatalog): TablePath {
  const { at } = name[0]!;
  if (name.length > 3) throw new Refusal("SYNTAX_ERROR", "A table has a catalog, a schema and a name.", at);
  const [table = "", schema = session.schema, of = session.catalog ?? catalog] = name.map(({ text }) => text).reverse();
  if (schema === undefined)
    throw new Refusal("GENERIC_USER_ERROR", "Schema must be specified when session schema is not set", at);
  requireOpened(of, catalog, at);
  return { table, schema, of, at };
}

/** What the session's catalog stands before, or a parameter names, may be of another lake than the rest. */
function requireOpened(of: string, catalog: string, at: number): void {
  if (![catalog, SYSTEM].includes(of.toLowerCase()))
    throw new Refusal("NOT_SUPPORTED", "A statement is of one lake.", at);
}

const unwritten = (at: number): Refusal => new Refusal("NOT_SUPPORTED", "What describes a lake is not written to.", at);

const noSchema = ({ schema, at }: TablePath): Refusal =>
  new Refusal("SCHEMA_NOT_FOUND", `Schema '${schema.toLowerCase()}' does not exist`, at);

const isOfSystem = ({ of }: TablePath): boolean => of.toLowerCase() === SYSTEM;

export function tableFinder(catalog: OpenedCatalog, session: Names): (name: Name[]) => Table {
  return (name) => {
    const path = pathOf(name, session, catalog);
    const [table, schema] = [path.table.toLowerCase(), path.schema.toLowerCase()];
    const found =
      metadataTable(isOfSystem(path) ? `${SYSTEM}.${schema}` : schema, table, catalog) ??
      (isOfSystem(path) ? undefined : lakeTable(catalog, schema, table));
    if (found) return found;
    if (!isOfSystem(path) && !seenSchemas(catalog.lake).includes(schema)) throw noSchema(path);
    throw new Refusal("TABLE_NOT_FOUND", `Table '${path.of}.${schema}.${table}' does not exist`, path.at);
  };
}

/** The lake's tables alone, as the lake spells them: what describes the lake is this platform's own. */
export function lakeTableFinder(catalog: OpenedCatalog, session: Names): (name: Name[]) => LakeTableName {
  const find = tableFinder(catalog, session);
  return (name) => {
    find(name);
    const path = pathOf(name, session, catalog);
    const isLakes = !isOfSystem(path) && path.schema.toLowerCase() !== INFORMATION_SCHEMA;
    const table = isLakes ? findTable(catalog, path.schema, path.table) : undefined;
    if (!table) throw new Refusal("NOT_SUPPORTED", "What describes the lake is no table of it.", path.at);
    return { schema: table.schema, name: table.name };
  };
}

/** The lake's tables alone, as their definitions are shown. */
export function definitionFinder(catalog: OpenedCatalog, session: Names): (name: Name[]) => SeenTable {
  const find = lakeTableFinder(catalog, session);
  return (name) => {
    const { schema, name: own } = find(name);
    const isIt = (table: SeenTable) => table.schema === schema.toLowerCase() && table.name === own.toLowerCase();
    return eachTable(catalog, (table) => table).find(isIt)!;
  };
}

/** Whether a tree names a table of the lake: a name of its own may be as a table's. */
export function namesLakeTable(tree: unknown, catalog: OpenedCatalog, session: Names): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  const { kind, name } = tree as { kind?: string; name?: unknown };
  if (kind === "table" && Array.isArray(name)) {
    const [table, schema = session.schema ?? "", of] = (name as Name[]).map(({ text }) => text).reverse();
    const isSystem = of?.toLowerCase() === SYSTEM || schema.toLowerCase() === INFORMATION_SCHEMA;
    if (!isSystem && findTable(catalog, schema, table!)) return true;
  }
  return Object.values(tree).some((node) => namesLakeTable(node, catalog, session));
}

/** What statements write to: the lake's tables alone. */
export function targetFinder(catalog: OpenedCatalog, session: Names): FindTarget {
  return (name, isIfThere = false) => {
    const path = pathOf(name, session, catalog);
    if (isOfSystem(path) || path.schema.toLowerCase() === INFORMATION_SCHEMA) throw unwritten(path.at);
    const spelled = findSchema(catalog, path.schema);
    if (spelled === undefined && !isIfThere) throw noSchema(path);
    const table = lakeTable(catalog, path.schema, path.table);
    const [schema, own] = [spelled ?? path.schema.toLowerCase(), path.table.toLowerCase()];
    return { schema, sql: table?.sql ?? `LAKE.${quoteIdentifier(schema)}.${quoteIdentifier(own)}`, table };
  };
}

/** The schema that a statement makes or drops, as the lake spells it; undefined where there is none. */
export function schemaFinder(catalog: OpenedCatalog, session: Names): (name: Name[]) => string | undefined {
  return (name) => {
    const [schema, of = session.catalog ?? catalog.catalog] = name.map(({ text }) => text).reverse();
    const { at } = name[0]!;
    requireOpened(of, catalog.catalog, at);
    if (of.toLowerCase() === SYSTEM) throw unwritten(at);
    return findSchema(catalog, schema!);
  };
}

/** The schema as the lake spells it; undefined where there is none. */
const findSchema = ({ lake }: OpenedCatalog, name: string): string | undefined =>
  [...lake.schemas, INFORMATION_SCHEMA].find((schema) => schema.toLowerCase() === name.toLowerCase());

const findTable = ({ lake }: Pick<OpenedCatalog, "lake">, schema: string, name: string) =>
  lake.tables.find(
    (table) => table.schema.toLowerCase() === schema.toLowerCase() && table.name.toLowerCase() === name.toLowerCase(),
  );

function lakeTable({ catalog, lake }: OpenedCatalog, schema: string, name: string): Table | undefined {
  const found = findTable({ lake }, schema, name);
  if (!found) return undefined;
  const columns = found.columns.map((column) => {
    const known = typeOfColumn(column);
    return { name: column.name, type: known?.type, ...(known?.isCast && { isCast: true }) };
  });
  const sql = `LAKE.${quoteIdentifier(found.schema)}.${quoteIdentifier(found.name)}`;
  return { sql, qualifiers: [catalog, found.schema, found.name], columns };
}
