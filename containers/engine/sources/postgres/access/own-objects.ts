// The objects of a database by which a statement that names only what is PostgreSQL's own would run code of the
// database's: casts are found by their types alone, orders of types too, and `pg_catalog` may hold what somebody added.
// This code may read any table, so a bound statement that could run it is refused (`check-uses.ts`).

import type { Hindrance } from "../../../../../kernel/wire/source.ts";
import { fetchRows } from "../connection/fetch-rows.ts";
import type { Wire } from "../connection/wire.ts";
import type { TextRow } from "../../row-collector.ts";
import { ALLOWED_FUNCTIONS } from "./allowed-names.ts";

/** Types are OIDs, names are as the database writes them. */
export type OwnObject =
  | { kind: "cast"; from: string; to: string; context: string; fromName: string; toName: string; code: string }
  | { kind: "order"; type: string; typeName: string; code: string }
  | { kind: "function" | "operator"; name: string; code: string };

/** The OIDs below it are those of what the server is born with. */
const FIRST_OID_OF_DATABASE = 16_384;

export const isOfServer = (oid: string): boolean => Number(oid) < FIRST_OID_OF_DATABASE;

/**
 * Whether a function's code may be anybody's. An extension's code in C is no more the database's own than the server
 * is; the server's own functions are judged by their names.
 */
const IS_DOUBTFUL = `(p.oid < ${FIRST_OID_OF_DATABASE} OR l.lanname NOT IN ('c', 'internal') OR NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend d
    WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))`;
const FUNCTION = "pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang";
const SERVERS_NAME = `CASE WHEN p.oid < ${FIRST_OID_OF_DATABASE} THEN p.proname::text END`;
const CODE = "format('%s', p.oid::regprocedure)";
const IS_ADDED = `IN (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'pg_catalog')`;
/** Only B-trees and hashes count: no other order is used where a statement names none of its operators. */
const IS_DEFAULT = `EXISTS (SELECT FROM pg_catalog.pg_opclass c
    WHERE c.opcfamily = f.oid AND c.opcdefault AND f.opfmethod IN (SELECT oid FROM pg_catalog.pg_am
      WHERE amname IN ('btree', 'hash')))`;

/** Rows of kind, OID, name of the function where it is the server's, then cells by kind: {@link toOwnObjects}. */
export const OWN_OBJECTS_QUERY = `
  SELECT 'cast', format('%s', k.oid), ${SERVERS_NAME}, ${CODE},
    format('%s', k.castsource), format('%s', k.casttarget),
    k.castcontext::text, format_type(k.castsource, NULL), format_type(k.casttarget, NULL)
  FROM pg_catalog.pg_cast k JOIN ${FUNCTION} ON p.oid = k.castfunc
  WHERE k.oid >= ${FIRST_OID_OF_DATABASE} AND ${IS_DOUBTFUL}
  UNION ALL
  SELECT 'order', format('%s', f.oid), ${SERVERS_NAME}, ${CODE}, format('%s', m.type),
    format_type(m.type, NULL), NULL, NULL, NULL
  FROM (
    SELECT amprocfamily, amproclefttype, amproc::oid FROM pg_catalog.pg_amproc WHERE oid >= ${FIRST_OID_OF_DATABASE}
    UNION
    SELECT a.amopfamily, a.amoplefttype, o.oprcode::oid FROM pg_catalog.pg_amop a
      JOIN pg_catalog.pg_operator o ON o.oid = a.amopopr WHERE a.oid >= ${FIRST_OID_OF_DATABASE}
  ) m(family, type, code) JOIN pg_catalog.pg_opfamily f ON f.oid = m.family JOIN ${FUNCTION} ON p.oid = m.code
  WHERE ${IS_DEFAULT} AND ${IS_DOUBTFUL}
  UNION ALL
  SELECT 'operator', format('%s', o.oid), ${SERVERS_NAME}, ${CODE}, o.oprname::text, NULL, NULL, NULL, NULL
  FROM pg_catalog.pg_operator o JOIN ${FUNCTION} ON p.oid = o.oprcode
  WHERE o.oid >= ${FIRST_OID_OF_DATABASE} AND o.oprnamespace ${IS_ADDED} AND ${IS_DOUBTFUL}
  UNION ALL
  SELECT 'function', format('%s', p.oid), NULL, ${CODE}, p.proname::text, NULL, NULL, NULL, NULL
  FROM ${FUNCTION} WHERE p.oid >= ${FIRST_OID_OF_DATABASE} AND p.pronamespace ${IS_ADDED} AND ${IS_DOUBTFUL}`;

export const OWN_OBJECTS_FORMAT = "tnTTTTTTT";

/** Reads the objects from the rows of {@link OWN_OBJECTS_QUERY}, and passes over rows of other kinds. */
export function toOwnObjects(rows: readonly TextRow[]): OwnObject[] {
  return rows.flatMap(([kind, , serversName, code, first, second, context, fromName, toName]): OwnObject[] => {
    if (serversName !== null && ALLOWED_FUNCTIONS.has(serversName!)) return [];
    const of = { code: code! };
    if (kind === "cast")
      return [{ kind, ...of, from: first!, to: second!, context: context!, fromName: fromName!, toName: toName! }];
    if (kind === "order") return [{ kind, ...of, type: first!, typeName: second! }];
    return kind === "function" || kind === "operator" ? [{ kind, ...of, name: first! }] : [];
  });
}

const HINDRANCES_MAX = 100;

/** For people: what an admin would have to change. An order is named once, whatever it has of functions. */
export async function findHindrances(wire: Wire): Promise<Hindrance[]> {
  const objects = toOwnObjects(await fetchRows(wire, OWN_OBJECTS_QUERY, OWN_OBJECTS_FORMAT));
  const hindrances = objects.map((object): Hindrance => {
    const { kind, code } = object;
    if (kind === "cast")
      return { kind, name: `${object.fromName} AS ${object.toName}`, code, effect: castEffect(object) };
    if (kind === "order") return { kind, name: object.typeName, code, effect: orderEffect(object.typeName) };
    return { kind, name: object.name, code, effect: `Statements that use ${object.name} are refused.` };
  });
  const named = new Map(hindrances.map((each) => [`${each.kind} ${each.name}`, each]));
  return [...named.values()].slice(0, HINDRANCES_MAX);
}

type OwnCast = Extract<OwnObject, { kind: "cast" }>;

function castEffect({ from, fromName, toName, context }: OwnCast): string {
  if (!isOfServer(from)) return `Columns of the type ${fromName} are not there.`;
  const explicit = `Statements that cast ${fromName} to ${toName} are refused`;
  if (context === "e") return `${explicit}.`;
  if (context === "a") return `${explicit}, also where a condition or a limit would.`;
  return (
    `${explicit}, also those that may read a column of the type ${fromName}, or compute a value of it, and use a ` +
    `function or an operator that takes ${toName}, on whatever values, or bring values to one type.`
  );
}

const orderEffect = (typeName: string): string =>
  `Statements that sort, group or compare values are refused where values of the type ${typeName} are in play.`;
