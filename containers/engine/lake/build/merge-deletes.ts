// The rows of a table whose key comes anew, as delete files.

import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import { emptyRelationsSql } from "../sql/relations.ts";
import { CHANGE } from "../process/write-work.ts";
import { deletablesOf, uploadChanges } from "../write/changes/change-rows.ts";
import { POSITIONS_CATALOG, positionsOf } from "../write/compose/compose-cells.ts";
import type { WriteTask } from "../write/task.ts";
import { withLockedDatabase } from "../write/with-locked-database.ts";
import { equalKeys, filesSql, type LocalStage } from "./built-tables.ts";

const KEYS_CATALOG = "LAKE staged";

/** Only keys are read of both. */
export async function deletesOf(
  task: WriteTask,
  { staged, paths }: LocalStage,
  before: LakeTable,
): Promise<LakeChange[]> {
  const { key } = staged.target;
  const table = [POSITIONS_CATALOG, before.schema, before.name].map(quoteIdentifier).join(".");
  const keys = [KEYS_CATALOG, "main", "keys"].map(quoteIdentifier).join(".");
  const select =
    `SELECT ${positionsOf("b").join(", ")}, false AS ${CHANGE.comes} FROM ${table} AS b ` +
    `WHERE EXISTS (SELECT 1 FROM ${keys} AS k WHERE ${equalKeys(key)})`;
  const columns = staged.columns.filter(({ name }) => key.includes(name));
  const own = {
    catalog: KEYS_CATALOG,
    setup: [
      `ATTACH IF NOT EXISTS ':memory:' AS ${quoteIdentifier(KEYS_CATALOG)}`,
      `CREATE VIEW ${keys} AS SELECT ${columns.map(({ name }) => quoteIdentifier(name)).join(", ")} FROM ${filesSql(paths)}`,
    ],
    empty: emptyRelationsSql([{ ...before, schema: "main", name: "keys", columns }], { catalog: KEYS_CATALOG }),
    paths: [...paths],
  };
  const done = await withLockedDatabase(task, select, { target: before, own }, (session, body) =>
    session.write({ select: body, columns: [], files: deletablesOf(session, task.writer.root), once: false }),
  );
  return uploadChanges(task, before, done, false);
}
