// A lake table has an owner, the sync or doc that it belongs to: nobody else's commit may touch it. Owners are kept by
// name, so that a table is claimed before it is made.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { STATEMENT_LEASES } from "./leases.ts";

/** `owner` is `sync:<id>` or `doc:<id>`; `name` is what people call it. */
export type Owner = { owner: string; name: string };
export type OwnedTable = LakeTableName & { owner: Owner };

const DOC = "doc:";

/** The owner of the tables that a doc builds. */
export const ownerOfDoc = (docId: string): string => `${DOC}${docId}`;

export const docOfActor = (actor: string): string | undefined =>
  actor.startsWith(DOC) ? actor.slice(DOC.length) : undefined;

/** The beginning of the leases under which a doc's tables are written. */
export const buildLeases = (docId: string): string => `${STATEMENT_LEASES}doc/${docId}`;

/** What people call an owner: `the sync …`, `the doc …`. */
export const shownOwner = ({ owner, name }: Owner): string =>
  `the ${docOfActor(owner) === undefined ? "sync" : "doc"} ${name}`;

export const findOwner = (sql: SqlStorage, schema: string, name: string): Owner | undefined =>
  sql
    .exec<Owner>(
      "SELECT owner, owner_name AS name FROM fjord_owners WHERE schema_name = ? AND table_name = ?",
      schema,
      name,
    )
    .toArray()[0];

/** Claims all the tables, or, answering those that are another's, none. What the owner has already stays its own. */
export function claimTables(
  storage: DurableObjectStorage,
  owner: Owner,
  tables: readonly LakeTableName[],
): OwnedTable[] {
  return storage.transactionSync(() => {
    const conflicts = tables.flatMap(({ schema, name }) => {
      const held = findOwner(storage.sql, schema, name);
      return held && held.owner !== owner.owner ? [{ schema, name, owner: held }] : [];
    });
    if (conflicts.length > 0) return conflicts;
    for (const { schema, name } of tables) {
      storage.sql.exec(
        `INSERT INTO fjord_owners (schema_name, table_name, owner, owner_name) VALUES (?, ?, ?, ?)
         ON CONFLICT (schema_name, table_name) DO UPDATE SET owner_name = excluded.owner_name`,
        schema,
        name,
        owner.owner,
        owner.name,
      );
    }
    return [];
  });
}

/** Claims all the tables and releases what else the owner had, or, answering those that are another's, neither. */
export function keepTables(
  storage: DurableObjectStorage,
  owner: Owner,
  tables: readonly LakeTableName[],
): OwnedTable[] {
  return storage.transactionSync(() => {
    const conflicts = claimTables(storage, owner, tables);
    if (conflicts.length > 0) return conflicts;
    storage.sql.exec(
      `DELETE FROM fjord_owners WHERE owner = ? AND NOT EXISTS (
         SELECT 1 FROM json_each(?) kept WHERE fjord_owners.schema_name = kept.value ->> 'schema'
           AND fjord_owners.table_name = kept.value ->> 'name')`,
      owner.owner,
      JSON.stringify(tables),
    );
    return [];
  });
}

/** From here on the tables are anybody's. Answers how many there were. */
export const releaseOwner = (sql: SqlStorage, owner: string): number =>
  sql.exec("DELETE FROM fjord_owners WHERE owner = ? RETURNING 1", owner).toArray().length;
