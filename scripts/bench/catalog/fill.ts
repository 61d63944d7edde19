// A catalog is filled by commits, as many files in each as a commit takes.

import { COMMIT_FILES_MAX } from "../../../kernel/lake/commit.ts";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { typeOf } from "./worker/new-files.ts";
import { tableOf, type Holder } from "./call.ts";
import type { Measured, ServedCatalog } from "./served-catalog.ts";

export type Shape = { files: number; tables: number; columns: number };

/** The last commit, and what the catalog takes after it. */
export type Filled = { commit: { files: number; measured: Measured }; databaseBytes: number };

export async function fillCatalog(
  catalog: ServedCatalog,
  { files, tables, columns }: Shape,
  holder: Holder,
): Promise<Filled> {
  for (let table = 0; table < tables; table++)
    await catalog.commit({ kind: "create_table", ...tableOf(table), columns: columnsOf(columns) }, holder);
  const perCommit = Math.min(COMMIT_FILES_MAX, Math.ceil(files / tables));
  let last: Filled | undefined;
  for (let table = 0; table < tables; table++) {
    const ofTable = Math.ceil(files / tables);
    for (let firstFile = 0; firstFile < ofTable; firstFile += perCommit) {
      const append = { table: tableOf(table).name, files: perCommit, columns, firstFile, ...holder };
      const measured = await catalog.append(append);
      if (measured.error ?? measured.refused) throw new Error(`A commit failed: ${measured.error ?? measured.refused}`);
      last = { commit: { files: perCommit, measured }, databaseBytes: measured.databaseBytes };
    }
  }
  if (!last) throw new Error("There is nothing to fill a catalog with.");
  return last;
}

const columnsOf = (columns: number): LakeColumn[] =>
  Array.from({ length: columns }, (_, at) => ({
    id: at + 1,
    name: `c${at}`,
    type: typeOf(at),
    nullable: true,
    children: [],
  }));
