// A statement held to its caller's data-access roles, in the transaction that will run it: every relation is resolved
// by the server and replaced by what the caller may see of it.

import { decideTable, type TableAccess } from "../../../../../kernel/access/decide-table.ts";
import { Failure } from "../../../core/failure.ts";
import type { CallerAccess } from "../../access/caller-access.ts";
import { ServerError, statementFailure } from "../connection/errors.ts";
import type { Wire } from "../connection/wire.ts";
import { postgresGate } from "../gate/gate.ts";
import type { StatementText } from "../gate/check-statement.ts";
import { unknownRelation, type BoundStatement, type RelationReference } from "./bound-statement.ts";
import { checkUses } from "./check-uses.ts";
import { describeRelations, type RelationDescription } from "./describe-relations.ts";
import { knownTable, tooLarge, VIEWS_CHARACTERS_MAX, viewSql, visibleColumns } from "./relation-view.ts";
import { resolveRelations, type ResolvedRelation } from "./resolve-relations.ts";
import { charactersBefore, type Replacement, type TextEdit } from "./rewrite-statement.ts";

export type RestrictedStatement = {
  sql: string;
  /** Makes the failure of an error before a row is read: it tells the place in the caller's own text. */
  parseFailureOf(error: unknown, expired: boolean): unknown;
  /** Makes the failure of a later error: it tells nothing of a row that the caller may not see. */
  runFailureOf(error: unknown, expired: boolean): unknown;
};

/** A rewritten statement runs under this setting: a name without a schema finds only PostgreSQL's own objects. */
export const RESTRICTED_OPENING = "SET LOCAL search_path = pg_catalog, pg_temp";

const asWritten = (name: string): string => name;

/** Rejects with `sql_error` where a relation is denied or missing, with one answer to both. */
export async function restrictStatement(
  wire: Wire,
  { text, statement, access }: { text: StatementText; statement: BoundStatement; access: CallerAccess },
  signal: AbortSignal,
): Promise<RestrictedStatement> {
  const { sql } = text;
  const index = access.indexBy(asWritten);
  const resolved = await resolveRelations(wire, statement, index);
  const granted = resolved.map((relation, i) => relation ?? throwUnknown(statement.references[i]!, sql));
  const described = await describeRelations(wire, [...new Set(granted.map(({ oid }) => oid))]);
  const relations = granted.map((relation, i) => {
    const description = described.relations.get(relation.oid);
    const decision = description && decideTable(index, knownTable(relation, description));
    return description && decision ? { relation, description, decision } : throwUnknown(statement.references[i]!, sql);
  });
  const views = new Views();
  const replacements = relations.map(
    ({ relation, ...more }, i): Replacement => ({
      schema: relation.schema,
      name: relation.name,
      view: views.of(relation, more, statement.references[i]!.only),
    }),
  );
  if (replacements.reduce((sum, { view = "" }) => sum + view.length, 0) > VIEWS_CHARACTERS_MAX) throw tooLarge();
  await checkUses(wire, statement, {
    objects: described.objects,
    tables: relations.map(({ description, decision }, i) => ({
      columns: description.columns,
      visible: visibleColumns(description, decision),
      isView: replacements[i]!.view !== undefined,
    })),
  });
  const rewritten = await postgresGate.rewrite(text, replacements, signal);
  const isComputed = relations.some(({ description }) => description.isComputed);
  const { edits } = rewritten;
  return { sql: rewritten.sql, ...restrictedFailures(statementFailure, { isComputed, edits }) };
}

function throwUnknown({ catalog, schema, name, location }: RelationReference, sql: string): never {
  const written = [catalog, schema, name].filter((part) => part !== undefined).join(".");
  throw unknownRelation(written, charactersBefore(Buffer.from(sql), location) + 1);
}

/** A table that is named often is written once. */
class Views {
  readonly #views = new Map<string, string | undefined>();

  of(
    relation: ResolvedRelation,
    { description, decision }: { description: RelationDescription; decision: Exclude<TableAccess, undefined> },
    only: boolean,
  ): string | undefined {
    const key = `${relation.oid} ${only}`;
    if (!this.#views.has(key)) this.#views.set(key, viewSql(relation, description, decision, only));
    return this.#views.get(key);
  }
}

/** SQLSTATEs of limits, of what was cancelled, and of lost connections. */
const OF_SERVER = /^(53|54|57|08)/;
const NO_PRIVILEGE = "42501";

type FailureOf = (error: unknown, expired: boolean) => unknown;

/** `isComputed`: reading the tables runs expressions of the database's own. `failureOf` is the server kind's. */
export const restrictedFailures = (
  failureOf: FailureOf,
  { isComputed, edits }: { isComputed: boolean; edits: readonly TextEdit[] },
): Pick<RestrictedStatement, "parseFailureOf" | "runFailureOf"> => ({
  parseFailureOf: (error, expired) => restricted(error, failureOf(error, expired), { isPassedOn: true, edits }),
  runFailureOf: (error, expired) => restricted(error, failureOf(error, expired), { isPassedOn: !isComputed, edits }),
});

/** `isPassedOn`: the server's words tell of nothing but the statement and what it reads. */
function restricted(
  error: unknown,
  failure: unknown,
  { isPassedOn, edits }: { isPassedOn: boolean; edits: readonly TextEdit[] },
): unknown {
  if (!(error instanceof ServerError)) return error;
  // It names what a view reads.
  const isKept = error.code === NO_PRIVILEGE || !isPassedOn;
  if (isKept && !OF_SERVER.test(error.code))
    return new Failure(
      "sql_error",
      `The database ended the statement (SQLSTATE ${error.code}). Its own words are kept back: what computes the ` +
        "tables that the statement reads may tell in them of what you may not see.",
      { cause: error },
    );
  if (!(failure instanceof Failure) || failure.position === undefined) return failure;
  const position = originalPosition(failure.position, edits);
  return new Failure(failure.code, failure.message, { position, cause: error });
}

/** Where a character of the rewritten text stands in the statement as it was sent; both count from 1. */
function originalPosition(position: number, edits: readonly TextEdit[]): number {
  let shift = 0;
  for (const { at, removed, inserted } of edits) {
    const offset = position - 1 - (at + shift);
    if (offset < 0) break;
    if (offset < inserted) return at + 1;
    shift += inserted - removed;
  }
  return position - shift;
}
