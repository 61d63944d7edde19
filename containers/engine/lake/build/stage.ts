// Stages a dataset: its rows are written as files of the table that it builds, and uploaded. Nothing names the files
// until the run publishes them, so a stage that broke off leaves orphans alone, which the lake collects.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import type {
  ColumnLineage,
  StageAnswer,
  StageRequest,
  StagedTable,
  Watermark,
} from "../../../../kernel/wire/builds.ts";
import { retryOnFullDisk } from "../../core/disk.ts";
import { Phases } from "../../core/phases.ts";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import { openObjectStore } from "../../platform/object-store.ts";
import { WRITES, type Lake } from "../read/lake.ts";
import { columnLineage, serialiseSql } from "../sql/lineage/column-lineage.ts";
import { cell, type QueryColumn, type Text, WRITTEN } from "../process/write-work.ts";
import { findTable, needColumn, sqlError } from "../write/table-names.ts";
import type { WriteTask } from "../write/task.ts";
import { withLockedDatabase, type DatabaseSetup, type LockedSession } from "../write/with-locked-database.ts";
import { Writer } from "../write/writer.ts";
import { describeBuilt, fetchStages, filesSql, hasColumns, type LocalStage } from "./built-tables.ts";
import { fitColumns } from "./fit-columns.ts";
import { watermarkOfTable } from "./table-watermark.ts";
import { askWatermark, readWatermark, watermarkColumn } from "./watermark.ts";

let directories = 0;

/** A dataset's SQL with a place for each value. */
type BoundSql = { sql: string; values: readonly BoundValue[] };

/** The SQL by how far its table has read: null at the first run. */
type BindSql = (since: Watermark | null) => BoundSql;

/** `bind` is undefined where the rows are a frame. Rejects with a Failure. */
export async function stageTable(
  request: StageRequest,
  bind: BindSql | undefined,
  lake: Lake,
  signal: AbortSignal,
): Promise<StageAnswer> {
  const directory = join(WRITES, `stage-${++directories}`);
  const folder = join(lake.settings.cacheDirectory, directory);
  const attempt = async (): Promise<StageAnswer> => {
    await mkdir(folder, { recursive: true });
    try {
      return await new Stage(request, bind, { lake, directory, signal }).run();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return retryOnFullDisk(attempt);
}

type Place = { lake: Lake; directory: string; signal: AbortSignal };

/** The rows to write, where they are read from, and how far the table has read before. `isSql`: they are no frame. */
type Source = { select: string; isSql: boolean; setup: DatabaseSetup; since: Watermark | null };

const FRAME_CATALOG = "LAKE staged";
const FRAME = [FRAME_CATALOG, "main", "frame"].map(quoteIdentifier).join(".");

class Stage {
  readonly #request: StageRequest;
  readonly #bind: BindSql | undefined;
  readonly #place: Place;

  constructor(request: StageRequest, bind: BindSql | undefined, place: Place) {
    this.#request = request;
    this.#bind = bind;
    this.#place = place;
  }

  async run(): Promise<StageAnswer> {
    const { lake, directory, signal } = this.#place;
    const { target, lake: given, earlier } = this.#request;
    const phases = new Phases();
    const { schema, name } = target;
    const writer = await Writer.open(lake.env, given, { table: { schema, name }, adds: true }, { phases, signal });
    const { grant } = writer;
    const present = await lake.catalog.describe(grant, signal);
    const built = await fetchStages(earlier, present, this.#place);
    const description = describeBuilt(present, built);
    const unbound = { lake, sql: "", values: undefined, writer, grant, description, directory, phases, signal };
    const table = findTable(present, target);
    const since = await this.#sinceOf(unbound, table);
    const bound = this.#bind?.(since);
    const task: WriteTask = { ...unbound, ...bound };
    const source = await this.#sourceOf(bound, built);
    const { reads, ...made } = await this.#write(task, table, { ...source, since });
    const isStaged = (table: LakeTable): boolean => built.some((each) => each.table === table);
    return {
      ...made,
      reads: reads.map((table) => ({
        schema: table.schema,
        name: table.name,
        version: isStaged(table) ? null : table.version,
      })),
    };
  }

  /** Rows beside those of a table that has no watermark would be there twice: its own rows say how far it has read. */
  async #sinceOf(task: WriteTask, table: LakeTable | undefined): Promise<Watermark | null> {
    const { target, watermark } = this.#request;
    if (!watermark || watermark.since || target.mode !== "append" || !table) return watermark?.since ?? null;
    return watermarkOfTable(task, table, watermark.column);
  }

  async #sourceOf(bound: BoundSql | undefined, built: readonly LocalStage[]): Promise<Omit<Source, "since">> {
    const { rows } = this.#request;
    if (!("frame" in rows)) return { select: bound!.sql, isSql: true, setup: { built } };
    const { lake, directory, signal } = this.#place;
    const path = join(directory, "frame.parquet");
    const file = join(lake.settings.cacheDirectory, path);
    await openObjectStore(lake.env.s3Dial).download({ ...rows.frame, file, signal });
    const setup = [
      `ATTACH IF NOT EXISTS ':memory:' AS ${quoteIdentifier(FRAME_CATALOG)}`,
      `CREATE VIEW ${FRAME} AS SELECT * FROM ${filesSql([path])}`,
    ];
    return {
      select: `SELECT * FROM ${FRAME}`,
      isSql: false,
      setup: { own: { catalog: FRAME_CATALOG, setup, empty: [], paths: [path] } },
    };
  }

  async #write(task: WriteTask, table: LakeTable | undefined, { select, isSql, setup, since }: Source) {
    const { target, watermark, dataset } = this.#request;
    const done = await withLockedDatabase(task, select, setup, async (session, body) => {
      const shape = await session.shape(body);
      const lineage = isSql && (await lineageOf(session, body, shape));
      const { cells, ...fit } = fitColumns(shape, target, { table, columnIdLast: task.writer.columnIdLast });
      const { columns } = fit;
      const key = target.key.map((name) => needColumn({ ...target, columns }, name).name);
      const followed = watermark && watermarkColumn(watermark.column, columns);
      const values = shape.map((_, i) => `v${i}`).join(", ");
      const named = cells.map((value, i) => `${value} AS ${cell(i)}`).join(", ");
      const written = await session.write({
        select: `SELECT ${named} FROM (\n${body}\n) AS q(${values})`,
        columns,
        once: false,
        asks: [askKeys(key), followed ? askWatermark(followed, since) : ASK_NOTHING],
      });
      refuseKeys(key, written.answers[0]!);
      const after = followed && readWatermark(followed, written.answers[1]!, since);
      return { ...fit, key, written, after, lineage, reads: session.reads };
    });
    const { written, after, reads, lineage, key, ...fit } = done;
    const isNew = !table || (target.mode === "replace" && !hasColumns(table, fit.columns));
    const files = await task.writer.upload({ ...target, isNew }, written.files, task.signal);
    const { count: rows } = written;
    const staged: StagedTable = {
      ...{ dataset, target: { ...target, key }, tableId: table?.tableId ?? null, isNew },
      ...{ ...fit, files, rows, watermark: after },
    };
    return { staged, reads, ...(lineage && { lineage }) };
  }
}

/** Where each column of the SELECT comes from. A part of its text that was put right by the gate changes no column. */
async function lineageOf(
  session: LockedSession,
  body: string,
  shape: readonly QueryColumn[],
): Promise<ColumnLineage[]> {
  const [[tree = null] = []] = await session.rows(serialiseSql(body));
  const names = shape.map(({ name }) => name);
  const sources = columnLineage(JSON.parse(tree ?? "{}"), session.reads, names);
  return names.map((column, i) => ({ column, sources: sources[i]! }));
}

const ASK_NOTHING = "SELECT NULL";
const KEYS_SHOWN_MAX = 5;
const KEY_CHARACTERS_MAX = 100;

/** Asks how many rows have a part of the key that is NULL, how many keys occur twice, and which. */
function askKeys(key: readonly string[]): string {
  if (key.length === 0) return ASK_NOTHING;
  const parts = key.map(quoteIdentifier);
  const isNull = parts.map((part) => `${part} IS NULL`).join(" OR ");
  const twice = `SELECT ${parts.join(", ")} FROM ${WRITTEN} WHERE NOT (${isNull}) GROUP BY ALL HAVING count(*) > 1`;
  const shown = `left(concat_ws(', ', ${parts.map((part) => `CAST(${part} AS VARCHAR)`).join(", ")}), ${KEY_CHARACTERS_MAX})`;
  return (
    `SELECT (SELECT CAST(count(*) AS VARCHAR) FROM ${WRITTEN} WHERE ${isNull}), ` +
    `(SELECT CAST(count(*) AS VARCHAR) FROM (${twice})), ` +
    `(SELECT string_agg(shown, '; ') FROM (SELECT ${shown} AS shown FROM (${twice}) LIMIT ${KEYS_SHOWN_MAX}))`
  );
}

/** Which of several rows of one key would stay is chance, and a key that is NULL would never be found again. */
function refuseKeys(key: readonly string[], [withNull = "0", twice = "0", shown = ""]: readonly Text[]): void {
  if (key.length === 0) return;
  const names = key.join(", ");
  if (withNull !== "0") throw sqlError(`${withNull} rows have no value in the key (${names}).`);
  if (twice !== "0") throw sqlError(`${twice} keys (${names}) occur in more than one row: ${shown}.`);
}
