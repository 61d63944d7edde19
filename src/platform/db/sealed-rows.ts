// The rows of a table that hold a sealed text are re-sealed by key rotation, whichever team they are of.

import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { SealedRows } from "../crypto/reseal.ts";
import type { Db } from "./client.ts";

type SealedTable = SQLiteTable & Record<"id" | "teamId" | "vaultKeyId", SQLiteColumn>;
type SealedRow = { id: string; teamId: string; sealed: string };

/**
 * `column` holds what is sealed, or null. A row is saved only while the column is as it was read. `more` are columns
 * that the owner is made of, besides the row's id and team.
 */
export function sealedRowsOf<Table extends SealedTable, More extends string = never>(
  db: Db,
  table: Table,
  column: keyof Table["_"]["columns"] & keyof Table & string,
  more?: Record<More, SQLiteColumn>,
): Omit<SealedRows<SealedRow & Record<More, string>>, "ownerOf"> {
  const sealed = table[column] as SQLiteColumn;
  return {
    select: async (keyIds, rowsMax) => {
      const rows = await db
        .select({ ...more, id: table.id, teamId: table.teamId, sealed })
        .from(table as SQLiteTable)
        .where(and(isNotNull(sealed), inArray(table.vaultKeyId, keyIds)))
        .limit(rowsMax);
      return rows as (SealedRow & Record<More, string>)[];
    },
    save: ({ id, teamId, sealed: before }, after) =>
      db
        .update(table)
        .set({ [column]: after.text, vaultKeyId: after.keyId } as SQLiteUpdateSetSource<Table>)
        .where(and(eq(table.teamId, teamId), eq(table.id, id), eq(sealed, before)))
        .returning({ id: table.id }),
  };
}
