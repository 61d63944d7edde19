// A lake as one reader sees it: the roles kept under a digest, and what the catalog answers to it.

import type { AccessGrant, AccessRoles } from "../../../../kernel/access/access.ts";
import type { Predicate } from "../../../../kernel/lake/lake.ts";
import { newId } from "../../../../src/core/ids.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import type { TestLake } from "../../../support/unit/lake.ts";

/** All of a table, unless `rest` says otherwise. */
export const grantOf = (schema: string, table: string, rest: Partial<AccessGrant> = {}): AccessGrant => ({
  schema,
  table,
  excludes: [],
  masks: {},
  filters: [],
  ...rest,
});

export async function readerOf({ catalog }: TestLake, roles: AccessRoles) {
  const digest = newId();
  await catalog.keepAccess(digest, roles);
  const describe = async (snapshotId: number) => valueOf(await catalog.describe(snapshotId, digest));
  return {
    digest,
    describe,
    /** Names of tables, each with its columns' names. */
    async tablesAt(snapshotId: number): Promise<Record<string, string[]>> {
      const { tables } = await describe(snapshotId);
      return Object.fromEntries(
        tables.map(({ schema, name, columns }) => [`${schema}.${name}`, columns.map((column) => column.name)]),
      );
    },
    /** Ids of the files of each planned table. */
    async plan(snapshotId: number, tableIds: number[], anyOf?: Predicate[][]): Promise<Record<number, number[]>> {
      const plans = valueOf(await catalog.plan(snapshotId, tableIds, digest, { anyOf }));
      return Object.fromEntries(plans.map(({ tableId, files }) => [tableId, files.map(({ id }) => id)]));
    },
    async sign(snapshotId: number, fileIds: number[]): Promise<number[]> {
      return Object.keys(valueOf(await catalog.pathsOf(snapshotId, fileIds, digest))).map(Number);
    },
  };
}
