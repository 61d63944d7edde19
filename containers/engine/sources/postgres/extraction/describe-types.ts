// Describes users' types at PostgreSQL, as far as they decide how a value reads that stays as it is in its row.

import type { FetchRows } from "../../row-collector.ts";
import { protocolViolation } from "../connection/messages.ts";

/** Types below come with the server, and are made of nothing that anybody changes. */
const FIRST_OF_USERS = 16_384;
/** Their values are written as names of objects of the database. */
const NAMES = /^_?(reg[a-z]+|aclitem)$/;

/** Types within types. */
const DEPTH_MAX = 100;

/**
 * Describes these types and all types within them: labels and fields become a text that changes with them, and a flag
 * says whether any is a name of an object.
 */
export async function describeTypes(
  ask: FetchRows,
  oids: number[],
): Promise<{ contents: string[]; isNaming: boolean }> {
  const contents = new Map<number, string>();
  let isNaming = false;
  for (let wanted = oids, depth = 0; wanted.length > 0; depth++) {
    if (depth > DEPTH_MAX) protocolViolation("a type is made of types without end");
    const found = await ask(typesQuery(wanted), "nttt");
    for (const [oid, name, content] of found) {
      contents.set(Number(oid), content ?? "");
      isNaming ||= Number(oid) < FIRST_OF_USERS && NAMES.test(name!);
    }
    const parts = found
      .filter(([oid]) => Number(oid) >= FIRST_OF_USERS)
      .flatMap(([, , , within]) => (within ?? "").split(",").filter(Boolean).map(Number));
    wanted = [...new Set(parts)].filter((oid) => !contents.has(oid));
  }
  return {
    contents: [...contents]
      .filter(([, content]) => content !== "")
      .sort(([a], [b]) => a - b)
      .map(([, content]) => content),
    isNaming,
  };
}

/** By type: its name, its labels and fields, and the types within it. The multirange's column came with version 14. */
const typesQuery = (oids: number[]): string => `
  SELECT t.oid, t.typname,
    concat_ws(';',
      (SELECT string_agg(quote_literal(enumlabel), ',' ORDER BY enumsortorder)
        FROM pg_catalog.pg_enum WHERE enumtypid = t.oid),
      (SELECT string_agg(
          concat_ws(' ', attnum, quote_literal(attname), atttypid, atttypmod, attisdropped), ',' ORDER BY attnum)
        FROM pg_catalog.pg_attribute WHERE t.typtype = 'c' AND attrelid = t.typrelid AND attnum > 0)),
    concat_ws(',', nullif(t.typbasetype, 0), nullif(t.typelem, 0),
      (SELECT min(rngsubtype) FROM pg_catalog.pg_range r
        WHERE t.oid IN (r.rngtypid, (pg_catalog.to_jsonb(r) ->> 'rngmultitypid')::oid)),
      (SELECT string_agg(atttypid::text, ',') FROM pg_catalog.pg_attribute
        WHERE t.typtype = 'c' AND attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped))
  FROM pg_catalog.pg_type t WHERE t.oid IN (${[...new Set(oids)].join(", ")})`;
