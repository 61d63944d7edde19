// A statement to Redshift held to its caller's data-access roles, in the transaction that will run it: it reads a table
// wholly or not at all.
//
// PostgreSQL's way, a fenced SELECT of the rows and cells that the caller may see in the place of the table, rests on
// what its planner is known never to evaluate before such a fence. Redshift's planner has no such published promise,
// and its late-binding views know no barrier: no table here is shown in part.

import type { CallerAccess } from "../../access/caller-access.ts";
import type { Failure } from "../../../core/failure.ts";
import { fetchRows } from "../../postgres/connection/fetch-rows.ts";
import type { Wire } from "../../postgres/connection/wire.ts";
import {
  notAllowed,
  unknownRelation,
  type BoundStatement,
  type RelationReference,
} from "../../postgres/access/bound-statement.ts";
import { restrictedFailures, type RestrictedStatement } from "../../postgres/access/restrict-statement.ts";
import { charactersBefore, type Replacement } from "../../postgres/access/rewrite-statement.ts";
import type { RestrictRequest } from "../../postgres/protocol-connector.ts";
import { hiddenTables } from "../../access/whole-tables.ts";
import { redshiftFailure } from "../errors.ts";
import { redshiftGate } from "../gate/gate.ts";
import { foldName } from "../gate/rules.ts";
import { namedRelations, searchPath, type NamedRelation } from "./named-relations.ts";

/** A rewritten statement runs under this setting: a name without a schema finds only Redshift's own objects. */
export const RESTRICTED_OPENING = "SET LOCAL search_path TO pg_catalog";

/** Rejects with `sql_error` where a relation is denied or missing, with one answer to both. */
export async function restrictStatement(
  wire: Wire,
  { text, statement, access }: RestrictRequest,
  signal: AbortSignal,
): Promise<RestrictedStatement> {
  checkNotations(statement);
  const ask = (sql: string, format: string) => fetchRows(wire, sql, format);
  const known = await namedRelations(ask, statement.references);
  const path = await searchPath(ask);
  const relations = statement.references.map((reference) => {
    const found = resolve(reference, { known, path, access });
    if (!found) throw unknownAt(reference, text.sql);
    return found;
  });
  const replacements = relations.map(({ schema, name }): Replacement => ({ schema, name }));
  const { sql, edits } = await redshiftGate.rewrite(text, replacements, signal);
  const isComputed = relations.some(({ isTable }) => !isTable);
  return { sql, ...restrictedFailures(redshiftFailure, { isComputed, edits }) };
}

type Known = { known: readonly NamedRelation[]; path: readonly string[]; access: CallerAccess };

const asWritten = (name: string): string => name;

/**
 * The granted table that a reference names: without a schema the first of the session's search path, as though those
 * that are not granted were not there. Tables whose names differ in capital letters alone are one here, for whether
 * they are to the server is a setting: all of them have to be granted.
 */
function resolve(
  { catalog, schema, name }: RelationReference,
  { known, path, access }: Known,
): NamedRelation | undefined {
  // The catalog of another database is unknown here.
  if (catalog !== undefined) return undefined;
  const schemas = schema === undefined ? path : [foldName(schema)];
  for (const each of schemas) {
    const named = known.filter((table) => foldName(table.schema) === each && foldName(table.name) === foldName(name));
    const [first] = named;
    // Where several tables fold alike, a role means the one that is spelled as the role spells it.
    const index = access.indexBy(named.length > 1 ? asWritten : foldName);
    if (!first || hiddenTables(index, named).length > 0) continue;
    return named.find((table) => table.schema === each && table.name === foldName(name)) ?? first;
  }
  return undefined;
}

function unknownAt({ catalog, schema, name, location }: RelationReference, sql: string): Failure {
  const written = [catalog, schema, name].filter((part) => part !== undefined).join(".");
  return unknownRelation(written, charactersBefore(Buffer.from(sql), location) + 1);
}

/**
 * `t.f` and `(x).f` may call a function on what stands before the dot: these tell of the catalog, of settings or of
 * sizes by one argument.
 */
const TELLS = [
  /^(pg|txid|lo)_/,
  /^(current_(setting|schemas?)|set_config|format_type|version|has_.*_privilege|(obj|shobj|col)_description)$/,
  /^(to_)?reg(class|type|proc(edure)?|oper(ator)?|namespace|role|collation)$/,
  /^(query|table|schema|database|cursor)_to_/,
];

function checkNotations({ notations }: BoundStatement): void {
  const name = notations.map(({ name }) => foldName(name)).find((each) => TELLS.some((pattern) => pattern.test(each)));
  if (name !== undefined) throw notAllowed(`The name ${name} after a dot`);
}
