// The columns of the tables that a bound statement reads, with what must be known of their types to show them safely.

import { fetchRows } from "../connection/fetch-rows.ts";
import type { Wire } from "../connection/wire.ts";
import { quoteTable } from "../sql-text.ts";
import type { TextRow } from "../../row-collector.ts";
import type { FilterType } from "../../../../../kernel/access/filter-constants.ts";
import { isOfServer, OWN_OBJECTS_FORMAT, OWN_OBJECTS_QUERY, toOwnObjects, type OwnObject } from "./own-objects.ts";

/**
 * How a column's values are shown. `type`: as they are. `text`: as text, for its type would read names of database
 * objects, or run a check, on what a statement compares it with. `hidden`: not at all, for it is of a type of the
 * database's own of which a cast runs code of the database's, which may read any table.
 */
export type ShownAs = "type" | "text" | "hidden";

export type RelationColumn = {
  key: number;
  name: string;
  shownAs: ShownAs;
  /** Where it is shown as it is: its type in SQL, of a domain the type beneath. */
  type: string;
  typeOid: string;
  isDomain: boolean;
  isEnum: boolean;
  filterType: FilterType;
  /** Texts are equal only to themselves. */
  isDeterministic: boolean;
};

export type RelationDescription = {
  /** A view through which a condition may be evaluated on rows that it does not show. */
  isLeakyView: boolean;
  /** Reading it runs expressions of the database's own: its errors may tell of what it hides. */
  isComputed: boolean;
  /** A row of it can be cast by a function of the database's own, which may read any table. */
  isRowCast: boolean;
  /** The tables that it inherits from, or is a partition of; the nearest first. */
  ancestors: { schema: string; name: string }[];
  columns: RelationColumn[];
};

export type DescribedDatabase = {
  /** By OID. */
  relations: ReadonlyMap<string, RelationDescription>;
  /** By which a statement could run code of the database's own. */
  objects: OwnObject[];
};

export async function describeRelations(wire: Wire, oids: readonly string[]): Promise<DescribedDatabase> {
  const queries = oids.length === 0 ? OWN_OBJECTS_QUERY : `${OWN_OBJECTS_QUERY}; ${describeQuery(oids)}`;
  const rows = await fetchRows(wire, queries, OWN_OBJECTS_FORMAT);
  const objects = toOwnObjects(rows);
  return { relations: toDescriptions(rows, objects), objects };
}

function toDescriptions(rows: readonly TextRow[], objects: readonly OwnObject[]): Map<string, RelationDescription> {
  const casts = new Set(objects.flatMap((object) => (object.kind === "cast" ? [object.from] : [])));
  const types = new Types(rows, casts);
  const described = new Map<string, RelationDescription>();
  for (const [kind, oid, ...cells] of rows) {
    if (kind !== "relation") continue;
    const [relkind, isBarrier, isComputed, rowType] = cells;
    described.set(oid!, {
      isLeakyView: relkind === "v" && isBarrier !== "true",
      isComputed: relkind === "v" || relkind === "f" || isComputed === "true",
      isRowCast: casts.has(rowType!),
      ancestors: [],
      columns: [],
    });
  }
  for (const [, oid, , schema, name] of inOrder(rows, "ancestor"))
    described.get(oid!)?.ancestors.push({ schema: schema!, name: name! });
  for (const [, oid, key, name, type, isDeterministic] of inOrder(rows, "column"))
    described
      .get(oid!)
      ?.columns.push({
        key: Number(key),
        name: name!,
        isDeterministic: isDeterministic === "true",
        ...types.describe(type!),
      });
  return described;
}

/** The rows of a kind, by their third cell. */
const inOrder = (rows: readonly TextRow[], kind: string): TextRow[] =>
  rows.filter(([each]) => each === kind).toSorted((a, b) => Number(a[2]) - Number(b[2]));

type Type = {
  schema: string;
  name: string;
  kind: string;
  base: string;
  element: string;
  category: string;
  /** A type of the database's own, of which a cast runs code of the database's. */
  isCast: boolean;
};
type TypeDescription = Pick<RelationColumn, "shownAs" | "type" | "typeOid" | "isDomain" | "isEnum" | "filterType">;

const DEPTH_MAX = 100;
const isOwn = ({ schema }: Type): boolean => schema === "pg_catalog";
const NAMES_OBJECTS = /^_?(reg|pg_)/;

class Types {
  readonly #types = new Map<string, Type>();
  readonly #isAnyCast: boolean;

  /** `casts`: the OIDs of types of which a cast runs code of the database's own. */
  constructor(rows: readonly TextRow[], casts: ReadonlySet<string>) {
    const ownCasts = new Set([...casts].filter((oid) => !isOfServer(oid)));
    this.#isAnyCast = ownCasts.size > 0;
    for (const [rowKind, oid, schema, name, kind, base, element, category] of rows)
      if (rowKind === "type")
        this.#types.set(oid!, {
          schema: schema!,
          name: name!,
          kind: kind!,
          base: base!,
          element: element!,
          category: category!,
          isCast: ownCasts.has(oid!),
        });
  }

  describe(oid: string): TypeDescription {
    const outer = this.#types.get(oid);
    let [type, typeOid] = [outer, oid];
    for (let depth = 0; type?.kind === "d" && depth < DEPTH_MAX; depth++) {
      typeOid = type.base;
      type = this.#types.get(typeOid);
    }
    if (!outer || !type) return { ...HIDDEN, shownAs: "hidden" };
    const shownAs = this.#shownAs(type, outer);
    return {
      shownAs,
      type: shownAs === "type" ? quoteTable(type) : "pg_catalog.text",
      typeOid: shownAs === "type" ? typeOid : TEXT_OID,
      isDomain: outer !== type,
      isEnum: type.kind === "e",
      filterType: shownAs === "hidden" ? { kind: "other" } : filterTypeOf(type),
    };
  }

  #shownAs(type: Type, outer: Type): ShownAs {
    if (type.isCast || outer.isCast) return "hidden";
    if (type.category === "A") return this.#arrayShownAs(type);
    // Where any type has such a cast, what may hold values of it inside is not told apart.
    if (this.#isAnyCast && !isOwn(type) && /^[crm]$/.test(type.kind)) return "hidden";
    if (isOwn(type)) return NAMES_OBJECTS.test(type.name) || !/^[brm]$/.test(type.kind) ? "text" : "type";
    return type.kind === "e" || type.kind === "b" ? "type" : "text";
  }

  #arrayShownAs({ element: oid }: Type): ShownAs {
    const element = this.#types.get(oid);
    const { shownAs } = this.describe(oid);
    return element && isOwn(element) ? shownAs : shownAs === "hidden" ? "hidden" : "text";
  }
}

const TEXT_OID = "25";

const HIDDEN: Omit<TypeDescription, "shownAs"> = {
  type: "pg_catalog.text",
  typeOid: TEXT_OID,
  isDomain: false,
  isEnum: false,
  filterType: { kind: "other" },
};

const INTEGER_BITS: Readonly<Record<string, number>> = { int2: 16, int4: 32, int8: 64 };

function filterTypeOf(type: Type): FilterType {
  if (type.kind === "e" || type.category === "S") return { kind: "text" };
  if (!isOwn(type)) return { kind: "other" };
  const bits = INTEGER_BITS[type.name];
  if (bits !== undefined) {
    const end = 1n << BigInt(bits - 1);
    return { kind: "number", scale: 0, min: -end, max: end - 1n };
  }
  if (type.name === "numeric") return { kind: "number", scale: "any" };
  if (type.name === "float4") return { kind: "number", scale: "float" };
  if (type.name === "float8") return { kind: "number", scale: "double" };
  if (type.name === "bool") return { kind: "boolean" };
  if (type.name === "uuid" || type.name === "date") return { kind: type.name };
  return { kind: /^timestamp(tz)?$/.test(type.name) ? "instant" : "other" };
}

/**
 * Cells by kind of row: see {@link describeRelations} and {@link Types}. Numbers are formatted, for a cast of them to
 * text may be the database's own.
 */
const describeQuery = (oids: readonly string[]): string => `
  WITH RECURSIVE asked(oid) AS (SELECT unnest(ARRAY[${oids.map(Number).join(", ")}])::oid),
  up(oid, ancestor, distance) AS (
    SELECT oid, oid, 0 FROM asked
    UNION
    SELECT up.oid, i.inhparent, up.distance + 1 FROM up JOIN pg_catalog.pg_inherits i ON i.inhrelid = up.ancestor
    WHERE up.distance < ${DEPTH_MAX}
  ), columns AS (
    SELECT a.attrelid, a.attnum, a.attname, a.atttypid, to_jsonb(a) ->> 'attgenerated' AS generated,
      coalesce((to_jsonb(l) ->> 'collisdeterministic')::boolean, true) AS deterministic
    FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
    WHERE a.attrelid IN (SELECT oid FROM asked) AND a.attnum > 0 AND NOT a.attisdropped
  ), types(oid) AS (
    SELECT atttypid FROM columns
    UNION
    SELECT v.next FROM types JOIN pg_catalog.pg_type t ON t.oid = types.oid,
      LATERAL (VALUES (t.typbasetype), (t.typelem)) v(next)
    WHERE v.next <> 0
  )
  SELECT 'relation', format('%s', c.oid), c.relkind::text,
    coalesce(c.reloptions @> '{security_barrier=true}' OR c.reloptions @> '{security_barrier=on}', false)::text,
    (c.relrowsecurity OR EXISTS (SELECT FROM columns WHERE attrelid = c.oid AND generated = 'v'))::text,
    format('%s', c.reltype), NULL, NULL, NULL
  FROM asked JOIN pg_catalog.pg_class c ON c.oid = asked.oid
  UNION ALL
  SELECT 'ancestor', format('%s', up.oid), format('%s', up.distance), n.nspname::text, c.relname::text,
    NULL, NULL, NULL, NULL
  FROM up JOIN pg_catalog.pg_class c ON c.oid = up.ancestor JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE up.distance > 0
  UNION ALL
  SELECT 'column', format('%s', attrelid), format('%s', attnum), attname::text, format('%s', atttypid),
    deterministic::text, NULL, NULL, NULL
  FROM columns
  UNION ALL
  SELECT 'type', format('%s', t.oid), n.nspname::text, t.typname::text, t.typtype::text, format('%s', t.typbasetype),
    format('%s', t.typelem), t.typcategory::text, NULL
  FROM types JOIN pg_catalog.pg_type t ON t.oid = types.oid JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace`;
