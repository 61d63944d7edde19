// A lake's tables as roles let them be seen: what the platform describes to the engine.

import { columnsRead, decideTable, indexAccess } from "../../../../kernel/access/decide-table.ts";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import { foldName } from "../../../../containers/engine/duckdb/names.ts";

/** Undefined where the table is not there for the caller. */
export function seenTable(table: LakeTable, roles: AccessRoles): LakeTable | undefined {
  const { tableId, schema, name, version, columns } = table;
  const access = decideTable(indexAccess(roles, foldName), {
    names: [{ schema, name }],
    columns: columns.map((column) => ({ key: column.id, names: [column.name] })),
  });
  if (access === undefined) return undefined;
  if (access === "whole") return { tableId, schema, name, version, columns, view: access };
  const shown = new Set(access.cells.map(({ column }) => column));
  const read = new Set(access.grants.flatMap(columnsRead));
  return {
    tableId,
    schema,
    name,
    version,
    columns: columns.filter(({ id }) => shown.has(id)),
    view: { ...access, beneath: columns.filter(({ id }) => read.has(id) && !shown.has(id)) },
  };
}
