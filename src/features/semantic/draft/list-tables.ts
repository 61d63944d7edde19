// The parts of a draft: the tables of a database or a lake, as the caller sees them, with their keys.

import { INTEGRATION_LIMITS } from "../../integrations/limits.ts";
import { valueOf } from "../../../core/answer.ts";
import { openReader } from "../../../lake/lake.ts";
import { resolveAccess } from "../../access/resolve.ts";
import type { Base } from "../../integrations/cube/base.ts";
import { isSource, openSource } from "../../integrations/open-source.ts";
import type { DraftDeps, Table } from "./draft-deps.ts";
import { findLakeKeys } from "./find-lake-keys.ts";

/** A lake's are without keys. */
export async function listTables(ctx: DraftDeps, base: Base): Promise<Table[]> {
  if (!isSource(base)) return listTablesOfLake(ctx, base);
  const source = await openSource(ctx, base);
  const { schemas } = await ctx
    .openEngine(ctx.scope.teamId)
    .introspect({ source, deadlineMs: INTEGRATION_LIMITS.introspectMs });
  return schemas.flatMap(({ name: schema, tables }) =>
    tables.map(({ name, columns, primaryKey, foreignKeys = [] }) => ({
      schema,
      name,
      columns,
      primaryKey,
      foreignKeys: foreignKeys.map(({ columns: own, schema: toSchema, table, references }) => ({
        columns: own,
        table: { schema: toSchema, name: table },
        references,
      })),
    })),
  );
}

async function listTablesOfLake(ctx: DraftDeps, { id }: Base): Promise<Table[]> {
  const lake = ctx.openLake(id);
  const { snapshotId, reader } = await openReader(lake, await resolveAccess(ctx, { id }));
  const { tables } = valueOf(await lake.describe(snapshotId, reader));
  return tables.map(({ schema, name, columns }) => ({ schema, name, columns, primaryKey: [] }));
}

/** Adds a lake's keys that hold by now; a note says which column was taken for one. */
export async function withKeys(
  ctx: DraftDeps,
  base: Base,
  tables: Table[],
): Promise<{ tables: Table[]; warnings: string[] }> {
  if (isSource(base)) return { tables, warnings: [] };
  const keys = await findLakeKeys(ctx, base.id, tables);
  if (!keys) return { tables, warnings: [NOT_COUNTED] };
  return {
    tables: tables.map((table, i) => ({ ...table, primaryKey: keys[i] ?? [] })),
    warnings: tables.flatMap(({ schema, name }, i) =>
      keys[i] ? [`${schema}.${name}: ${keys[i].join(", ")} is taken for its key. ${HELD}`] : [],
    ),
  };
}

const HELD = "No two rows have the same by now; a lake does not see to it that this stays so.";
const NOT_COUNTED =
  "Whether columns are keys could not be counted in time, so the tables are drafted without keys and joins.";
