// SQL Server's catalog as far as a bound caller's statement asks it: which objects have the names that it could mean.

import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import type { FetchRows } from "../../../../containers/engine/sources/row-collector.ts";
import { BoundStatement } from "../../../../containers/engine/sources/sqlserver/access/bound-statement.ts";
import { checkSqlserverStatement } from "../../../../containers/engine/sources/sqlserver/gate/check-statement.ts";

/** `type`: `U` of a table, `V` of a view, and others. */
export type CatalogObject = { schema: string; name: string; type: string };

const SYSTEM: CatalogObject[] = [
  { schema: "sys", name: "sysobjects", type: "V" },
  { schema: "sys", name: "objects", type: "V" },
];

/** Answers as a database would whose names are one in capitals and small letters, where `isFolding`. */
export const catalogOf =
  (objects: readonly CatalogObject[], isFolding = true): FetchRows =>
  (sql) => {
    if (/AS accents/.test(sql)) return Promise.resolve([[isFolding ? "1" : "0", "0"]]);
    const fold = (name: string) => (isFolding ? name.toLowerCase() : name);
    const asked = [...sql.matchAll(/\((\d+), (NULL|N'(?:[^']|'')*'), N'((?:[^']|'')*)'\)/g)];
    const unquoted = (text: string) => text.replaceAll("''", "'");
    const rows = asked.flatMap(([, index, schema, name]) =>
      [...objects, ...SYSTEM]
        .filter((each) => fold(each.name) === fold(unquoted(name!)))
        .filter(
          (each) =>
            schema === "NULL" || each.schema === "sys" || fold(each.schema) === fold(unquoted(schema!.slice(2, -1))),
        )
        .filter((each) => each.schema !== "sys" || each.name.startsWith("sys"))
        .map((each) => [index!, each.schema, each.name, `${each.type} `]),
    );
    return Promise.resolve(rows);
  };

export type Restricted = { sent: string; bound: BoundStatement };

/** What is sent of a statement of a caller with these roles. */
export async function restrict(sql: string, roles: AccessRoles, fetchRows: FetchRows): Promise<Restricted> {
  const bound = new BoundStatement(checkSqlserverStatement(sql), new CallerAccess(roles));
  return { sent: await bound.restrict(fetchRows), bound };
}
