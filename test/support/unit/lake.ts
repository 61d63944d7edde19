// A lake of a test's own, and a writer that commits to it as a job would.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type {
  ColumnChange,
  ColumnStatistics,
  LakeChange,
  LakeCommit,
  NewDataFile,
  NewDeleteFile,
} from "../../../kernel/lake/commit.ts";
import { newId } from "../../../src/core/ids.ts";
import { valueOf } from "../../../src/core/answer.ts";
import type { CatalogObject } from "../../../src/lake/catalog/catalog-object.ts";
import { openLake } from "../../../src/lake/lake.ts";
import { tableFolder, uploadPath } from "../../../src/lake/format/names.ts";
import type { JobToken } from "../../../src/platform/crypto/token.ts";
import { addTeamRow } from "./team.ts";

export type TestLake = { teamId: string; lakeId: string; catalog: DurableObjectStub<CatalogObject> };

export function newLake(): TestLake {
  const lakeId = newId();
  return { teamId: newId(), lakeId, catalog: openLake(env, lakeId) };
}

/** Runs inside the lake's object; SQL is whatever a test wants to see or break. */
export const inside = <Value>(
  { catalog }: Pick<TestLake, "catalog">,
  work: (state: DurableObjectState) => Value,
): Promise<Value> => runInDurableObject(catalog, (_, state) => work(state));

export const rowsOf = (lake: TestLake, query: string): Promise<Record<string, SqlStorageValue>[]> =>
  inside(lake, ({ storage }) => storage.sql.exec(query).toArray());

export const column = (id: number, name: string, type = "int64", children: LakeColumn[] = []): LakeColumn => ({
  id,
  name,
  type,
  nullable: true,
  children,
});

export const statistics = (
  columnId: number,
  values: number,
  rest: Partial<ColumnStatistics> = {},
): ColumnStatistics => ({
  columnId,
  bytes: values * 8,
  values,
  nulls: 0,
  min: null,
  max: null,
  containsNan: null,
  ...rest,
});

export const createTable = (schema: string, name: string, columns = [column(1, "id")]): LakeChange => ({
  kind: "create_table",
  schema,
  name,
  columns,
});

export const append = (schema: string, name: string, ...files: NewDataFile[]): LakeChange => ({
  kind: "append",
  schema,
  name,
  files,
});

export const overwrite = (schema: string, name: string, ...files: NewDataFile[]): LakeChange => ({
  kind: "overwrite",
  schema,
  name,
  files,
});

export const deleteRows = (
  schema: string,
  name: string,
  ...deletes: { dataFileId: number; file: NewDeleteFile }[]
): LakeChange => ({ kind: "delete", schema, name, deletes });

export const alter = (schema: string, name: string, ...changes: ColumnChange[]): LakeChange => ({
  kind: "alter_table",
  schema,
  name,
  changes,
});

export const compact = (
  schema: string,
  name: string,
  { data, deletes = [] }: { data: number[]; deletes?: number[] },
  ...files: NewDataFile[]
): LakeChange => ({ kind: "compact", schema, name, dataFileIds: data, deleteFileIds: deletes, files });

/** Holds a lease of the lake; everything it commits is under its fence. */
export async function newWriter(lake: TestLake, lease = "test") {
  const jobId = newId();
  await addTeamRow(lake.teamId);
  const { fence } = valueOf(await lake.catalog.acquireLease(lease, jobId, 60_000));
  const token: JobToken = {
    use: "job",
    teamId: lake.teamId,
    lakeId: lake.lakeId,
    jobId,
    lease,
    fence,
    expiresAt: Date.now() + 60_000,
  };
  return {
    token,
    file: (schema: string, table: string, rows: number, rest: Partial<NewDataFile> = {}): NewDataFile => ({
      path: uploadPath(jobId, tableFolder(schema, table), newId()),
      bytes: 1_000 + rows,
      footerBytes: 100,
      rows,
      statistics: [],
      ...rest,
    }),
    deletes: (schema: string, table: string, rows: number): NewDeleteFile => ({
      path: uploadPath(jobId, tableFolder(schema, table), newId()),
      bytes: 500 + rows,
      footerBytes: 50,
      rows,
    }),
    commit: (changes: LakeChange[], rest: Partial<LakeCommit> = {}, nowMs?: number) => {
      const commit: LakeCommit = { key: newId(), author: null, message: null, changes, ...rest };
      return nowMs === undefined
        ? lake.catalog.commit({ lease, fence, jobId, commit })
        : lake.catalog.commit({ lease, fence, jobId, commit }, nowMs);
    },
  };
}
