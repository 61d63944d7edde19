// The database is asked which of its tables a statement's references are, in the transaction that will run the
// statement.

import { isGranted, type AccessIndex } from "../../../../../kernel/access/decide-table.ts";
import { fetchRows } from "../connection/fetch-rows.ts";
import { protocolViolation } from "../connection/messages.ts";
import type { Wire } from "../connection/wire.ts";
import { quoteLiteral } from "../sql-text.ts";
import { ALLOWED_FUNCTIONS } from "./allowed-names.ts";
import { notAllowed, type BoundStatement, type RelationReference } from "./bound-statement.ts";
import { refused } from "../gate/check-statement.ts";

export type ResolvedRelation = { oid: string; schema: string; name: string };

/** From it on the server has `WITH ORDINALITY`, `set_config` and the catalog that is read here. */
const SERVER_VERSION_MIN = 100_000;

/**
 * For each reference the granted table that it names, or undefined: among several in the session's search path the
 * first, as though those that are not granted were not there. Throws `statement_refused` for a server that is not
 * PostgreSQL itself, and for a name after a dot that may be a function.
 */
export async function resolveRelations(
  wire: Wire,
  statement: BoundStatement,
  access: AccessIndex,
): Promise<(ResolvedRelation | undefined)[]> {
  const notations = [...new Set(statement.notations.map(({ name }) => name))].filter(
    (name) => !ALLOWED_FUNCTIONS.has(name),
  );
  const rows = await fetchRows(wire, resolveQuery(statement.references, notations), "tTTT");
  const resolved: (ResolvedRelation | undefined)[] = statement.references.map(() => undefined);
  for (const [kind, first, second, oid] of rows) {
    if (kind === "function") throw notAllowed(`The name ${first} after a dot`);
    if (kind === "server") checkServer(first ?? "", Number(second));
    else if (first !== null && second !== null && oid !== null) {
      const index = Number(kind);
      if (!(index < resolved.length)) protocolViolation("it resolves what was not asked for");
      if (isGranted(access, { schema: first!, name: second! }))
        resolved[index] ??= { oid: oid!, schema: first!, name: second! };
    }
  }
  return resolved;
}

/** Others speak its protocol, and keep none of its rules about what is evaluated when. */
function checkServer(version: string, number: number): void {
  if (number >= SERVER_VERSION_MIN && /^PostgreSQL \d/.test(version) && !/redshift|greenplum|yugabyte/i.test(version))
    return;
  throw refused("Data-access roles bind statements on PostgreSQL 10 and later alone, and this server is another.");
}

/** The schemas whose names begin with `pg_` are the server's own, and sessions' temporary ones. */
const resolveQuery = (references: readonly RelationReference[], notations: readonly string[]): string => `
  WITH asked(i, catalog, schema, name) AS (VALUES
    (-1, NULL::name, NULL::name, NULL::name)${references.map((reference, i) => `, ${toSqlRow(reference, i)}`).join("")}
  ), path(schema, place) AS (
    SELECT * FROM unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY
  )
  SELECT * FROM (
    SELECT format('%s', asked.i), n.nspname::text, c.relname::text, format('%s', c.oid)
    FROM asked JOIN pg_catalog.pg_class c ON c.relname = asked.name
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN path ON path.schema = n.nspname
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND coalesce(asked.catalog = pg_catalog.current_database(), true)
      AND coalesce(asked.schema = n.nspname, path.place IS NOT NULL)
    ORDER BY asked.i, path.place
  ) relations
  UNION ALL
  SELECT DISTINCT 'function', p.proname::text, NULL, NULL FROM pg_catalog.pg_proc p
  WHERE p.pronamespace = 'pg_catalog'::regnamespace
    AND p.proname::text IN (${["", ...notations].map(quoteLiteral).join(", ")})
    AND (1 BETWEEN p.pronargs - p.pronargdefaults AND p.pronargs OR p.provariadic <> 0)
    AND 'internal'::regtype <> ALL (p.proargtypes::oid[])
  UNION ALL
  SELECT 'server', pg_catalog.version(), pg_catalog.current_setting('server_version_num'), NULL`;

const toSqlRow = ({ catalog, schema, name }: RelationReference, i: number): string =>
  `(${i}, ${[catalog, schema, name].map((each) => (each === undefined ? "NULL" : quoteLiteral(each))).join(", ")})`;
