// The relations of the database that a bound statement could mean by the names in it.

import type { RelationReference } from "../../postgres/access/bound-statement.ts";
import type { FetchRows } from "../../row-collector.ts";
import type { SourceTableName } from "../../../extract/source-table.ts";
import { foldName } from "../gate/rules.ts";
import { quoteLiteral } from "../sql-text.ts";

/** `isTable`: its rows lie in this database, and nothing of the database's own computes them. */
export type NamedRelation = SourceTableName & { isTable: boolean };

/** The relations of these names, without a schema, in all schemas but the server's own. */
export async function namedRelations(
  ask: FetchRows,
  references: readonly RelationReference[],
): Promise<NamedRelation[]> {
  if (references.length === 0) return [];
  const names = [...new Set(references.map(({ name }) => quoteLiteral(foldName(name))))].join(", ");
  const local = await ask(localQuery(names), "ttt");
  const external = await ask(externalQuery(names), "tt");
  return [
    ...local.map(([schema, name, isTable]) => ({ schema: schema!, name: name!, isTable: isTable === "1" })),
    ...external.map(([schema, name]) => ({ schema: schema!, name: name!, isTable: false })),
  ];
}

const localQuery = (names: string): string => `
  SELECT n.nspname, c.relname, CASE WHEN c.relkind = 'r' THEN '1' ELSE '0' END
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v') AND substring(n.nspname, 1, 3) <> 'pg_' AND n.nspname <> 'information_schema'
    AND lower(c.relname) IN (${names})`;

const externalQuery = (names: string): string => `
  SELECT schemaname, tablename FROM svv_external_tables WHERE lower(tablename) IN (${names})`;

/**
 * The schemas that the session looks for tables in, in order and folded. A schema whose name holds the sign between
 * them is not found without being named.
 */
export async function searchPath(ask: FetchRows): Promise<string[]> {
  const [[path = null] = []] = await ask("SELECT array_to_string(current_schemas(false), '/')", "T");
  return (path ?? "").split("/").map(foldName);
}
