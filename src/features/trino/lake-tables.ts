// The tables that a statement may name: those of one lake that its sender may see, and those about them.

import { quoteIdentifier } from "../../lake/format/names.ts";
import type { LakeDescription } from "../../../kernel/lake/lake.ts";
import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { isProblem } from "../../core/problem.ts";
import { openReader } from "../../lake/lake.ts";
import { resolveAccess, type Access } from "../access/resolve.ts";
import { getLake } from "../integrations/get.ts";
import { Refusal } from "./dialect/refusal.ts";
import type { Table } from "./dialect/translate/scope.ts";
import type { FindTarget } from "./dialect/translate/write/target.ts";
import type { Name } from "./dialect/parse/tree.ts";
import { typeOfColumn } from "./lake-types.ts";
import { INFORMATION_SCHEMA, metadataTable, seenSchemas, type Described } from "./metadata.ts";
import type { Session } from "./session.ts";

/** The team's own lake has this name as a catalog; any of its lakes has its id. */
export const OWN_LAKE = "lake";
export const SYSTEM = "system";

type Deps = Needs<"scope" | "db" | "openLake">;

/** `integrationId` is absent of the team's own lake. */
export type OpenedCatalog = Described & { integrationId: string | undefined; lakeId: string; access: Access };

export async function openCatalog(ctx: Deps, named: Name[] | string | undefined): Promise<OpenedCatalog> {
  const [name, at] = Array.isArray(named) ? [named[0]?.text, named[0]?.at] : [named, undefined];
  const isOwn = name === undefined || [OWN_LAKE, SYSTEM].includes(name.toLowerCase());
  const lake = await getLake(ctx, ...(isOwn ? [] : [name])).catch((error: unknown) => {
    if (!isProblem(error) || isOwn) throw error;
    throw new Refusal("CATALOG_NOT_FOUND", `Catalog '${name}' not found`, at);
  });
  const object = ctx.openLake(lake.id);
  const access = await resolveAccess(ctx, lake);
  const { snapshotId, reader } = await openReader(object, access);
  const described: LakeDescription = valueOf(await object.describe(snapshotId, reader));
  const catalog = isOwn ? OWN_LAKE : name.toLowerCase();
  return {
    catalog,
    catalogs: [...new Set([OWN_LAKE, catalog, SYSTEM])],
    lake: described,
    integrationId: isOwn ? undefined : lake.id,
    lakeId: lake.id,
    access,
  };
}

/** The catalog that the tables of a tree are in: the one that is named, or else the session's. */
export function catalogOf(tree: unknown, session: Pick<Session, "catalog">): Name[] | string | undefined {
  const named = new Map<string, Name[]>();
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { kind, name } = node as { kind?: string; name?: unknown };
    const parts = kind === "table" ? 3 : kind === "schema" ? 2 : undefined;
    if (Array.isArray(name) && name.length === parts) {
      const [catalog] = name as Name[];
      if (catalog!.text.toLowerCase() !== SYSTEM) named.set(catalog!.text.toLowerCase(), name as Name[]);
    }
    Object.values(node).forEach(look);
  };
  look(tree);
  const [first, second] = named.values();
  if (second) throw new Refusal("NOT_SUPPORTED", "A statement is of one lake.", second[0]!.at);
  return first ?? session.catalog;
}

export function tableFinder(
  catalog: OpenedCatalog,
  session: Pick<Session, "catalog" | "schema">,
): (name: Name[]) => Table {
  return (name) => {
    const { at } = name[0]!;
    if (name.length > 3) throw new Refusal("SYNTAX_ERROR", "A table has a catalog, a schema and a name.", at);
    const [table, schema = session.schema, of = session.catalog ?? catalog.catalog] = name
      .map(({ text }) => text)
      .reverse();
    if (schema === undefined)
      throw new Refusal("GENERIC_USER_ERROR", "Schema must be specified when session schema is not set", at);
    const isOfSystem = of.toLowerCase() === SYSTEM;
    const within = isOfSystem ? `${SYSTEM}.${schema.toLowerCase()}` : schema.toLowerCase();
    const found =
      metadataTable(within, table!.toLowerCase(), catalog) ??
      (isOfSystem ? undefined : lakeTable(catalog, schema, table!));
    if (found) return found;
    const known = isOfSystem || seenSchemas(catalog.lake).includes(schema.toLowerCase());
    throw known
      ? new Refusal(
          "TABLE_NOT_FOUND",
          `Table '${of}.${within.replace("system.", "")}.${table!.toLowerCase()}' does not exist`,
          at,
        )
      : new Refusal("SCHEMA_NOT_FOUND", `Schema '${schema.toLowerCase()}' does not exist`, at);
  };
}

/** What statements write to: the lake's tables alone. */
export function targetFinder(catalog: OpenedCatalog, session: Pick<Session, "catalog" | "schema">): FindTarget {
  const find = tableFinder(catalog, session);
  return (name, isIfThere = false) => {
    const { at } = name[0]!;
    const [table, schema = session.schema] = name.map(({ text }) => text).reverse();
    if (schema === undefined) find(name);
    const spelled = findSchema(catalog, schema!);
    if (spelled === undefined && !isIfThere) find(name);
    if (isOfMetadata(name, session)) throw new Refusal("NOT_SUPPORTED", "What describes a lake is not written to.", at);
    const found = spelled === undefined ? undefined : lakeTable(catalog, schema!, table!);
    const parts = [spelled ?? schema!.toLowerCase(), table!.toLowerCase()];
    return { schema: parts[0]!, sql: found?.sql ?? `LAKE.${parts.map(quoteIdentifier).join(".")}`, table: found };
  };
}

function isOfMetadata(name: readonly Name[], session: Pick<Session, "catalog" | "schema">): boolean {
  const [, schema = session.schema, of = session.catalog] = name.map(({ text }) => text).reverse();
  return of?.toLowerCase() === SYSTEM || schema?.toLowerCase() === INFORMATION_SCHEMA;
}

/** The schema as the lake spells it; undefined where there is none. */
export const findSchema = ({ lake }: OpenedCatalog, name: string): string | undefined =>
  [...lake.schemas, INFORMATION_SCHEMA].find((schema) => schema.toLowerCase() === name.toLowerCase());

function lakeTable({ catalog, lake }: OpenedCatalog, schema: string, name: string): Table | undefined {
  const found = lake.tables.find(
    (table) => table.schema.toLowerCase() === schema.toLowerCase() && table.name.toLowerCase() === name.toLowerCase(),
  );
  if (!found) return undefined;
  const columns = found.columns.map((column) => {
    const known = typeOfColumn(column);
    return { name: column.name, type: known?.type, ...(known?.isCast && { isCast: true }) };
  });
  const sql = `LAKE.${quoteIdentifier(found.schema)}.${quoteIdentifier(found.name)}`;
  return { sql, qualifiers: [catalog, found.schema, found.name], columns };
}
