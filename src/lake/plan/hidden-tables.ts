// Tables that a reader does not see are listed by name. The list is for the platform itself, never for the reader.

import { accept, type Answer } from "../../core/answer.ts";
import { describeCatalog } from "./describe.ts";
import { describeFor, type Reader } from "../access/readers.ts";

/** A table that is not there for the reader, or columns of one that is. */
export type HiddenTable = { schema: string; name: string; columns: string[] | null };

export function hiddenFrom(reader: Reader, sql: SqlStorage, snapshotId: number): Answer<HiddenTable[]> {
  const described = describeCatalog(sql, snapshotId, "everything");
  if (!described.ok) return described;
  const description = described.value;
  const seen = new Map(describeFor(reader, sql, description).tables.map((table) => [table.tableId, table]));
  const hidden = description.tables.flatMap(({ tableId, schema, name, columns }): HiddenTable[] => {
    const table = seen.get(tableId);
    if (!table) return [{ schema, name, columns: null }];
    const shown = new Set(table.columns.map(({ id }) => id));
    const gone = columns.filter(({ id }) => !shown.has(id)).map((column) => column.name);
    return gone.length > 0 ? [{ schema, name, columns: gone }] : [];
  });
  return accept(hidden);
}
