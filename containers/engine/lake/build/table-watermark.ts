// A table that has no watermark, because another mode or somebody else has built it, gets one from its rows.

import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import type { Watermark } from "../../../../kernel/wire/builds.ts";
import { sameName } from "../../duckdb/names.ts";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import { CATALOG_NAME } from "../sql/catalogs.ts";
import { spelled, sqlError } from "../write/table-names.ts";
import type { WriteTask } from "../write/task.ts";
import { withLockedDatabase } from "../write/with-locked-database.ts";
import { askWatermark, readWatermark, watermarkColumn } from "./watermark.ts";

/** The greatest value among the table's rows; null of an empty one. Rejects where its rows do not tell any. */
export async function watermarkOfTable(task: WriteTask, table: LakeTable, name: string): Promise<Watermark | null> {
  const from = [CATALOG_NAME, table.schema, table.name].map(quoteIdentifier).join(".");
  const ask = (sql: string) =>
    withLockedDatabase({ ...task, sql, values: undefined }, sql, {}, async ({ rows }, body) => (await rows(body))[0]!);
  if (!table.columns.some((column) => sameName(column.name, name))) {
    const [count] = await ask(`SELECT CAST(count(*) AS VARCHAR) FROM ${from}`);
    if (count === "0") return null;
    throw untold(table, name);
  }
  const followed = watermarkColumn(name, table.columns);
  const answer = await ask(askWatermark(followed, null, from));
  const watermark = readWatermark(followed, answer, null);
  if (watermark === null && answer[2] !== "0") throw untold(table, name);
  return watermark;
}

const untold = (table: LakeTable, name: string): Error =>
  sqlError(
    `The table ${spelled(table)} has rows, and none of them has a value of ${name}: how far it has read is not known, ` +
      "and rows would be there twice. Build it once with mode replace and that column, or with mode merge.",
  );
