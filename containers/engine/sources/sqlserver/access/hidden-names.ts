// Finds the names in a bound caller's statement that the server could take for an object that is not open to the
// caller, by the server's own rules of comparing names.

import type { AccessIndex } from "../../../../../kernel/access/decide-table.ts";
import { hiddenTables } from "../../access/whole-tables.ts";
import { protocolViolation } from "../connection/tokens.ts";
import type { FetchRows } from "../../row-collector.ts";
import { quoteText } from "../sql-text.ts";
import type { WrittenName } from "./written-names.ts";

/** Tables, views and external tables; nothing else can be granted: functions and synonyms read what they like. */
const GRANTABLE = new Set(["U", "V", "ET"]);
/** Constraints, triggers, plans and the server's internal tables, which no statement names. */
const NAMELESS = ["PK", "UQ", "F", "C", "D", "EC", "TR", "TA", "PG", "IT"];

type NamedObject = { schema: string; name: string; type: string; written: number };

/** The hidden names among `names`, and whether any of the others is a view. */
export type NamedObjects = { hidden: WrittenName[]; hasView: boolean };

export async function findHiddenNames(
  names: readonly WrittenName[],
  index: AccessIndex,
  fetchRows: FetchRows,
): Promise<NamedObjects> {
  const distinct = [...Map.groupBy(names, ({ schema, name }) => JSON.stringify([schema ?? null, name])).values()];
  if (distinct.length === 0) return { hidden: [], hasView: false };
  const rows = await fetchRows(objectsQuery(distinct.map(([first]) => first!)), "nttt");
  const found = rows.map(
    ([written, schema, name, type]): NamedObject => ({
      schema: schema!,
      name: name!,
      type: type!.trim(),
      written: Number(written),
    }),
  );
  const grantable = found.filter(({ type }) => GRANTABLE.has(type));
  const hidden = new Set([...found.filter(({ type }) => !GRANTABLE.has(type)), ...hiddenTables(index, grantable)]);
  const indexes = new Set([...hidden].map(({ written }) => written));
  if ([...indexes].some((written) => !distinct[written]))
    protocolViolation("it tells of a name that nobody asked about");
  return {
    hidden: [...indexes].flatMap((written) => distinct[written]!),
    hasView: found.some((each) => each.type === "V" && !hidden.has(each)),
  };
}

/** A name alone could be found in any schema; some of the server's own views are found in every schema. */
const objectsQuery = (names: readonly WrittenName[]): string => `
  SELECT asked.n, s.name, o.name, o.type
  FROM (VALUES ${names.map(({ schema, name }, i) => `(${i}, ${schema === undefined ? "NULL" : quoteText(schema)}, ${quoteText(name)})`).join(", ")})
    AS asked(n, schema_name, object_name)
  JOIN sys.all_objects AS o ON o.name = asked.object_name COLLATE CATALOG_DEFAULT
  JOIN sys.schemas AS s ON s.schema_id = o.schema_id
    AND (asked.schema_name IS NULL OR s.name = N'sys' OR s.name = asked.schema_name COLLATE CATALOG_DEFAULT)
  WHERE o.type NOT IN (${NAMELESS.map(quoteText).join(", ")})
    AND (s.name NOT IN (N'sys', N'INFORMATION_SCHEMA') OR o.name LIKE N'sys%')`;
