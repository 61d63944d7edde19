// A statement's SELECT through the gate, and its work in a locked database.

import { join } from "node:path";
import { sameName } from "../../duckdb/names.ts";
import { Failure, isTooLarge } from "../../core/failure.ts";
import { wasKilled } from "../../core/process-end.ts";
import type { LakeTable, TablePlan } from "../../../../kernel/lake/lake.ts";
import type { FetchedDriveFiles } from "../files/drive-files.ts";
import { mayBeHole } from "../read/lake.ts";
import type { MovedTable } from "../sql/moved-tables.ts";
import type { QueryProcess } from "../process/query-process.ts";
import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import { estimate } from "../read/estimate-class.ts";
import type { Analysis } from "../sql/analysis.ts";
import { openPast, openTables, type OpenTables } from "../read/open-tables.ts";
import { emptyRelationsSql, resolveTables } from "../sql/relations.ts";
import { POSITIONS_CATALOG } from "./compose/compose-cells.ts";
import type { WriteTask } from "./task.ts";
import { refuseWrite } from "./parse/token-cursor.ts";
import {
  CHANGE,
  type LocalFile,
  type QueryColumn,
  type Text,
  type WriteWorkDone,
  type WriteWork,
} from "../process/write-work.ts";

/** A locked database that is set up for one statement. */
export type LockedSession = {
  shape(sql: string): Promise<QueryColumn[]>;
  /** The rows of a SELECT of texts, which bounds them itself. */
  rows(sql: string): Promise<Text[][]>;
  /** Writes files. They lie in the task's folder, and are answered by whole paths. */
  write(work: Omit<WriteWork, "directory" | "bytesMax">): Promise<WriteWorkDone>;
  /** The present tables of the lake that are read. */
  reads: readonly LakeTable[];
  /** The files that may hold rows to change, as they were when the database was set up. */
  target: { plan: TablePlan; paths: Map<number, string> } | undefined;
};

/**
 * A table of the description that is not, or not yet, in the lake so. `before`: the lake's table, which `setup` finds
 * in {@link BEFORE_CATALOG}. `paths`: the files that it reads besides.
 */
export type BuiltTable = {
  table: LakeTable;
  before: LakeTable | undefined;
  setup: readonly string[];
  paths: readonly string[];
  bytes: number;
};

/** The catalog of the lake's own tables where others stand in their place. */
export const BEFORE_CATALOG = "LAKE before";

/** Relations of our own, which only SQL of ours names: made by `setup` over `paths`, or without rows by `empty`. */
export type OwnRelations = { catalog: string; setup: readonly string[]; empty: readonly string[]; paths: string[] };

/**
 * `target`: the table whose rows the SELECT may find by their positions. `moved`: tables it finds elsewhere than in the
 * lake's catalog. `inbox`: what makes a relation that takes rows. `built`: what stands in the place of the lake's
 * tables.
 */
export type DatabaseSetup = {
  target?: LakeTable;
  moved?: readonly MovedTable[];
  inbox?: readonly string[];
  built?: readonly BuiltTable[];
  own?: OwnRelations;
};

type Use<T> = (session: LockedSession, body: string) => Promise<T>;

/** `select` is one SELECT that the gate lets pass; the tables it reads are opened for `use`. */
export async function withLockedDatabase<T>(
  task: WriteTask,
  select: string,
  setup: DatabaseSetup,
  use: Use<T>,
): Promise<T> {
  const work = { task, analysis: await analyse(task, select, setup.moved ?? []), setup, use };
  try {
    return await attemptInEither(work);
  } catch (error) {
    if (!(error instanceof HoleMet)) throw error;
    // Nothing was uploaded yet; the next attempt fetches the files as a whole.
    return await attemptInEither(work);
  }
}

/** The statement read a part of a file that had not been fetched. */
class HoleMet extends Error {}

/** The statement ran as a short one and needs more resources, or its process was killed. */
class Outgrown extends Error {}

type LockedWork<T> = { task: WriteTask; analysis: Analysis; setup: DatabaseSetup; use: Use<T> };

async function attemptInEither<T>(work: LockedWork<T>): Promise<T> {
  try {
    return await attempt(work, "short");
  } catch (error) {
    if (!(error instanceof Outgrown)) throw error;
    return await attempt(work, "long");
  }
}

/** Files and tables that are held for a statement until it has ended. */
type Opened = { tables: OpenTables[]; drive: FetchedDriveFiles | undefined };

/**
 * One attempt: opens, sets up, uses, then releases what was opened. The statement's class is estimated, and at least
 * `atLeast`.
 */
async function attempt<T>({ task, analysis, setup, use }: LockedWork<T>, atLeast: StatementClass): Promise<T> {
  const { lake, phases, signal } = task;
  const opened: Opened = { tables: [], drive: undefined };
  let statementClass = atLeast;
  try {
    const { body, reads, target, built } = await openAll(task, analysis, setup, opened);
    const sql = [
      ...opened.tables.flatMap((each) => each.setup),
      ...built.flatMap((each) => each.setup),
      ...(setup.own?.setup ?? []),
      ...(setup.inbox ?? []),
    ];
    const paths = [
      ...new Set([
        ...opened.tables.flatMap((each) => [...each.paths.values()]),
        ...(opened.drive?.paths ?? []),
        ...built.flatMap((each) => each.paths),
        ...(setup.own?.paths ?? []),
      ]),
    ];
    const besideBytes = built.reduce((sum, { bytes }) => sum + bytes, opened.drive?.bytes ?? 0);
    if (atLeast === "short") ({ statementClass } = estimate(body, opened.tables, besideBytes));
    const waitingSince = performance.now();
    return await lake.pool.withDatabase({ statementClass }, signal, async (process) => {
      phases.add("wait", performance.now() - waitingSince);
      try {
        await phases.time("setup", () =>
          process.runWriteOrder({ do: "setUp", setup: sql, paths, values: task.values ?? [] }, signal),
        );
        return await phases.time("run", () => use({ ...sessionOf(task, process), reads, target }, body));
      } finally {
        process.leave();
      }
    });
  } catch (error) {
    if (statementClass === "short" && (isTooLarge(error) || wasKilled(error))) throw new Outgrown("", { cause: error });
    throw rewriteError(task, opened, error);
  } finally {
    for (const { release } of opened.tables) release();
    opened.drive?.release();
  }
}

type AllOpened = Pick<LockedSession, "reads" | "target"> & { body: string; built: readonly BuiltTable[] };

/** Opens the drive's files, the tables that are read, the one that is changed, and those of earlier snapshots. */
async function openAll(
  { lake, values, grant, description, phases, signal }: WriteTask,
  analysis: Analysis,
  { target: changed, built = [], own }: DatabaseSetup,
  opened: Opened,
): Promise<AllOpened> {
  const { tables: names, readsMetadata } = analysis;
  const reads = resolveTables(
    names.filter((name) => !name.travel && !isTarget(name, changed) && name.catalog !== own?.catalog),
    description,
  );
  const builtReads = built.filter(({ table }) => readsMetadata || reads.includes(table));
  const builtTables = new Set(builtReads.map(({ table }) => table));
  const present = { ...description, tables: description.tables.filter((table) => !builtTables.has(table)) };
  const ofOwn = [...emptyRelationsSql([...builtTables], {}), ...(own?.empty ?? [])];
  const withPositions = { catalog: POSITIONS_CATALOG, rowPositions: true };
  opened.drive = await lake.drive.fetch(analysis.body, analysis.driveFiles, { grant, phases }, signal);
  const common = { grant, description: present, analysis, values, phases };
  const otherRelations = [...(changed ? emptyRelationsSql([changed], withPositions) : []), ...ofOwn];
  const tables = reads.filter((table) => !builtTables.has(table));
  opened.tables.push(await openTables(lake, { ...common, tables, readsMetadata, otherRelations }, signal));
  const before = builtReads.flatMap((each) => each.before ?? []);
  if (before.length > 0) {
    const options = { catalog: BEFORE_CATALOG };
    const order = { grant, description, phases, tables: before, readsMetadata: false, options };
    opened.tables.push(await openTables(lake, order, signal));
  }
  let target: LockedSession["target"];
  if (changed) {
    const others = [...emptyRelationsSql(tables, {}), ...ofOwn];
    const beside = { readsMetadata: false, options: withPositions, otherRelations: others };
    const found = await openTables(lake, { ...common, tables: [changed], ...beside }, signal);
    opened.tables.push(found);
    target = { plan: found.plans[0]!, paths: found.paths };
  }
  opened.tables.push(...(await openPast(lake, grant, { names, phases }, signal)));
  return { body: opened.drive.body, reads, target, built: builtReads };
}

const isTarget = ({ catalog, schema, name }: Analysis["tables"][number], target: LakeTable | undefined): boolean =>
  target !== undefined &&
  catalog === POSITIONS_CATALOG &&
  sameName(schema, target.schema) &&
  sameName(name, target.name);

function sessionOf(
  { lake, directory, signal }: WriteTask,
  process: QueryProcess,
): Pick<LockedSession, "shape" | "rows" | "write"> {
  const { cacheDirectory, writeMb } = lake.settings;
  const whole = <Written extends Pick<LocalFile, "file">>(written: Written): Written => ({
    ...written,
    file: join(cacheDirectory, written.file),
  });
  return {
    shape: (sql) => process.runWriteOrder({ do: "shape", sql }, signal),
    rows: (sql) => process.runWriteOrder({ do: "rows", sql }, signal),
    async write(work) {
      const order = { do: "write" as const, work: { ...work, directory, bytesMax: writeMb * 1024 * 1024 } };
      const done = await process.runWriteOrder<WriteWorkDone>(order, signal);
      const deletes = done.deletes.map(({ dataFileId, file }) => ({ dataFileId, file: whole(file) }));
      return { ...done, files: done.files.map(whole), deletes };
    },
  };
}

/** The failure; {@link HoleMet} where it may come from a file that had not been fetched as a whole. */
function rewriteError({ lake }: WriteTask, { tables, drive }: Opened, error: unknown): unknown {
  const partial = mayBeHole(error) ? tables.filter(({ isPartial }) => isPartial) : [];
  for (const { reportHole } of partial) reportHole();
  if (partial.length > 0) return new HoleMet("", { cause: error });
  const shown = error instanceof Failure ? error.reworded(withoutOwnColumns(error.message), error.position) : error;
  return lake.rewriteError(drive ? drive.rewriteError(shown) : shown, undefined, tables);
}

/** DuckDB's suggestions for a column that it does not find, without columns that we add to a table's own. */
function withoutOwnColumns(message: string): string {
  const own: readonly string[] = Object.values(CHANGE);
  return message.replace(/^(Binder Error: [\s\S]*)\nCandidate bindings: (.*)$/, (_, found: string, offered: string) => {
    const others = offered.split(", ").filter((name) => !own.includes(name));
    return others.length > 0 ? `${found}\nCandidate bindings: ${others.join(", ")}` : found;
  });
}

/**
 * Analyses a SELECT. An error's position in our own SELECT means nothing in the caller's text, unless that contains the
 * SELECT.
 */
async function analyse(
  { lake, grant, sql, values, phases, signal }: WriteTask,
  select: string,
  moved: readonly MovedTable[],
): Promise<Analysis> {
  const isOwn = sql.includes(select);
  const analyse = (): Promise<Analysis> =>
    lake.analyse({ grant, sql: select, moved, values, isNumbered: true }, signal);
  const analysis = await phases.time("gate", analyse).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const position = isOwn && error.position !== undefined ? error.position + sql.indexOf(select) : undefined;
    throw new Failure(error.code, error.message, { position, cause: error.cause });
  });
  return analysis.explain ? refuseWrite("EXPLAIN can't be part of a statement that writes.") : analysis;
}
