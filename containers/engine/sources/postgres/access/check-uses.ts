// Refuses a bound statement that could run code of the database's own though it names only what is PostgreSQL's: by the
// types that can be in play in it. The cast that the server will choose is not computed here; where it could choose one
// of the database's own, the statement is refused.

import { fetchRows } from "../connection/fetch-rows.ts";
import type { Wire } from "../connection/wire.ts";
import { refused } from "../gate/check-statement.ts";
import { quoteLiteral } from "../sql-text.ts";
import type { BoundStatement } from "./bound-statement.ts";
import type { RelationColumn } from "./describe-relations.ts";
import { columnsInPlay } from "./named-columns.ts";
import { isOfServer, type OwnObject } from "./own-objects.ts";
import type { ExplicitCast, StatementUses } from "./statement-uses.ts";

/** A table that a statement reads. */
export type ReadTable = {
  columns: readonly RelationColumn[];
  /** The columns that the statement's caller may see. */
  visible: readonly RelationColumn[];
  /** Whether a SELECT of ours stands in its place. */
  isView: boolean;
};

/** Throws `statement_refused`. */
export async function checkUses(
  wire: Wire,
  statement: BoundStatement,
  { objects, tables }: { objects: readonly OwnObject[]; tables: readonly ReadTable[] },
): Promise<void> {
  if (objects.length === 0) return;
  const viewed = tables.filter(({ isView }) => isView);
  const uses = viewed.length > 0 ? withTypesOfViews(statement.uses) : statement.uses;
  const columns = viewed.flatMap((table) => table.columns);
  const inView = objects.find((object) => viewed.length > 0 && couldRunInView(object, columns));
  if (inView) throw refusal(inView);
  const visible = tables.map((table) => table.visible);
  const [orders, others] = [
    objects.filter(({ kind }) => kind === "order"),
    objects.filter(({ kind }) => kind !== "order"),
  ];
  for (const [some, named] of [
    [orders, [uses.columns, uses.shown]],
    [others, [uses.columns]],
  ] as const) {
    if (some.length === 0) continue;
    const oids = columnsInPlay(statement, named, visible).map(({ typeOid }) => typeOid);
    const types = new TypesInPlay(uses, await fetchRows(wire, typesQuery(uses, oids), "ttT"));
    const run = some.find((object) => types.couldRun(object));
    if (run) throw refusal(run);
  }
}

/** A mask may show a column of a view as a value of one of these types. */
const withTypesOfViews = (uses: StatementUses): StatementUses => ({
  ...uses,
  types: both(uses.types, ["bool", "numeric", "text"]),
});

const VIEW_FUNCTIONS = new Set(["format", "left", "length", "lower", "num_nonnulls", "right", "strpos"]);
const VIEW_OPERATORS = new Set(["=", "<>", "<", ">", "<=", ">="]);
const [INT4_OID, TEXT_OID] = ["23", "25"];

/**
 * Whether the text of a view (`relation-view.ts`) could run an object. Each operand in this text has the type that its
 * function or operator takes, so the server looks for no implicit cast. The only cast between two types is that of a
 * filter's column to text. Filters compare texts as `text`, and values of the other types that a filter can be about.
 */
function couldRunInView(object: OwnObject, columns: readonly RelationColumn[]): boolean {
  const filtered = columns.filter(({ filterType }) => filterType.kind !== "other");
  switch (object.kind) {
    case "function":
      return VIEW_FUNCTIONS.has(object.name);
    case "operator":
      return VIEW_OPERATORS.has(object.name);
    case "order":
      return [INT4_OID, TEXT_OID, ...filtered.map(({ typeOid }) => typeOid)].includes(object.type);
    case "cast":
      return (
        object.to === TEXT_OID &&
        filtered.some(({ filterType, typeOid }) => filterType.kind === "text" && typeOid === object.from)
      );
  }
}

/** PostgreSQL's own functions and operators that cast any value to text by any cast there is. */
const CASTS_TO_TEXT = { functions: ["quote_literal", "quote_nullable"], operators: ["||"] };

class TypesInPlay {
  readonly #uses: StatementUses;
  /** OIDs of the types that an expression of the statement may have. */
  readonly #played: ReadonlySet<string>;
  /** The types in play that something in the statement takes. */
  readonly #wanted: ReadonlySet<string>;
  readonly #assigned: ReadonlySet<string>;
  /** OIDs of a type and of its arrays, by name. */
  readonly #named: ReadonlyMap<string, readonly string[]>;
  readonly #orders: boolean;

  constructor(uses: StatementUses, rows: readonly (readonly (string | null)[])[]) {
    const of = (kind: string) => new Set(rows.flatMap(([each, oid]) => (each === kind ? [oid!] : [])));
    this.#uses = uses;
    this.#named = new Map(
      [
        ...Map.groupBy(
          rows.filter(([kind]) => kind === "named"),
          ([, , name]) => name!,
        ),
      ].map(([name, oids]) => [name, oids.map(([, oid]) => oid!)]),
    );
    const wanted = of("wanted");
    this.#played = uses.adapts ? both(of("played"), wanted) : of("played");
    this.#assigned = new Set([...uses.assigned].flatMap((name) => this.#oidsOf(name)));
    const taken = both(wanted, this.#assigned);
    this.#wanted = uses.unites ? both(taken, this.#played) : taken;
    this.#orders = uses.orders || of("compares").size > 0;
  }

  couldRun(object: OwnObject): boolean {
    switch (object.kind) {
      case "function":
        return this.#uses.functions.has(object.name);
      case "operator":
        return this.#uses.operators.has(object.name);
      case "order":
        return this.#orders && this.#played.has(object.type);
      case "cast":
        return this.#couldCast(object);
    }
  }

  #couldCast({ from, to, context }: Extract<OwnObject, { kind: "cast" }>): boolean {
    if (this.#casts().some((cast) => this.#isOf(cast, from, to))) return true;
    if (context === "e" || !this.#played.has(from)) return false;
    return (context === "i" ? this.#wanted : this.#assigned).has(to);
  }

  #isOf({ from, to }: ExplicitCast, source: string, target: string): boolean {
    const isSource = from === undefined ? this.#played.has(source) : this.#oidsOf(from).includes(source);
    return isSource && this.#oidsOf(to).includes(target);
  }

  #casts(): ExplicitCast[] {
    const { functions, operators } = this.#uses;
    const toText =
      CASTS_TO_TEXT.functions.some((name) => functions.has(name)) ||
      CASTS_TO_TEXT.operators.some((name) => operators.has(name));
    return toText ? [...this.#uses.casts, { to: "text" }] : this.#uses.casts;
  }

  #oidsOf(name: string): readonly string[] {
    return this.#named.get(name) ?? [];
  }
}

const both = (some: Iterable<string>, more: Iterable<string>): Set<string> => new Set([...some, ...more]);

const ADVICE = "An admin is told which it is by a test of the integration.";

function refusal(object: OwnObject): Error {
  if (object.kind === "cast") {
    // A bound caller does not learn the names of the database's own types.
    const names =
      isOfServer(object.from) && isOfServer(object.to) ? ` from ${object.fromName} to ${object.toName}` : "";
    return refused(
      `A cast${names} is not allowed to callers who are bound by data-access roles: a function of the database's own ` +
        "makes it, and the statement might run it. Where the value is of another type, or can be, name that first, " +
        `as in x::text::json. ${ADVICE}`,
    );
  }
  const what =
    object.kind === "order" ? "Comparing or sorting values of one of its types" : `The ${object.kind} ${object.name}`;
  return refused(
    `${what} is not allowed to callers who are bound by data-access roles: a function of the database's own does it. ` +
      ADVICE,
  );
}

const listed = (names: Iterable<string>): string => `(${["", ...names].map(quoteLiteral).join(", ")})`;

/**
 * Rows of a kind and an OID: `played`, `wanted`, `compares`; and `named` with a name, for a type and its arrays. The
 * result of a function of any type is made of the types that it takes: their elements, arrays and ranges.
 */
const typesQuery = (
  { functions, operators, types, casts, assigned }: StatementUses,
  columns: readonly string[],
): string => `
  WITH RECURSIVE calls AS (
    SELECT p.* FROM pg_catalog.pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ${listed(functions)}
    UNION ALL
    SELECT p.* FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
    WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprname IN ${listed(operators)}
  ), takes(oid) AS (
    SELECT DISTINCT t.oid FROM calls, unnest(calls.proargtypes) t(oid)
  ), named(name, oid) AS (
    SELECT t.typname::text, v.oid FROM pg_catalog.pg_type t, LATERAL (VALUES (t.oid), (t.typarray)) v(oid)
    WHERE t.typnamespace = 'pg_catalog'::regnamespace
      AND t.typname IN ${listed(both(types, [...assigned, ...casts.flatMap(({ from = "text", to }) => [from, to]), "text"]))}
  ), ranges(oid, subtype, multirange) AS (
    SELECT rngtypid, rngsubtype, (to_jsonb(r) ->> 'rngmultitypid')::oid FROM pg_catalog.pg_range r
  ), played(oid) AS (
    (
      SELECT n.oid FROM named n WHERE n.name IN ${listed(types)}
      UNION SELECT c.oid FROM unnest(ARRAY[${columns.map(Number).join(", ")}]::oid[]) c(oid)
      UNION SELECT prorettype FROM calls
      UNION SELECT o.type FROM calls, unnest(calls.proallargtypes, calls.proargmodes) o(type, mode) WHERE o.mode <> 'i'
    )
    UNION
    SELECT v.next FROM played JOIN pg_catalog.pg_type t ON t.oid = played.oid
      LEFT JOIN ranges r ON t.oid IN (r.oid, r.multirange),
      LATERAL (VALUES (t.typelem), (t.typbasetype), (t.typarray), (r.oid), (r.subtype), (r.multirange)) v(next)
    WHERE v.next <> 0
  ), wanted(oid) AS (
    SELECT oid FROM takes
    UNION
    SELECT t.typelem FROM wanted JOIN pg_catalog.pg_type t ON t.oid = wanted.oid WHERE t.typelem <> 0
  )
  SELECT 'played', format('%s', oid), NULL FROM played
  UNION ALL SELECT 'wanted', format('%s', oid), NULL FROM wanted
  UNION ALL SELECT 'named', format('%s', oid), name FROM named
  UNION ALL
  SELECT 'compares', format('%s', t.oid), NULL FROM takes JOIN pg_catalog.pg_type t ON t.oid = takes.oid
  WHERE t.typtype = 'p' AND t.typname NOT IN ('any', 'internal', 'void')`;
