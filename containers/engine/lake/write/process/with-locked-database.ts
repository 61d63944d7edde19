// A statement's SELECT through the gate, and its work into a jail.

import { join } from "node:path";
import { sameName } from "../../../duckdb/names.ts";
import { Failure } from "../../../core/failure.ts";
import type { LakeTable, TablePlan } from "../../../contract/lake.ts";
import type { FetchedDriveFiles } from "../../files/drive-files.ts";
import { mayBeHole } from "../../read/lake.ts";
import type { MovedTable } from "../../sql/moved-tables.ts";
import type { Analysis } from "../../process/messages.ts";
import { openPast, openTables, type OpenTables } from "../../read/open-tables.ts";
import { emptyRelationsSql, resolveTables } from "../../sql/relations.ts";
import { POSITIONS_CATALOG } from "../compose/compose-cells.ts";
import type { WriteTask } from "../task.ts";
import { refuseWrite } from "../parse/token-cursor.ts";
import type { LocalFile, QueryColumn, WriteWorkDone, WriteWork } from "./write-work.ts";

/** A jail that is furnished for one statement. */
export type LockedSession = {
  shape(sql: string): Promise<QueryColumn[]>;
  /** The files it answers lie in the task's folder, by whole paths. */
  write(work: Omit<WriteWork, "directory" | "bytesMax">): Promise<WriteWorkDone>;
  /** The tables of the lake that are read, as they are now. */
  reads: readonly LakeTable[];
  /** The files that may hold rows to change, as they were when the jail was furnished. */
  target: { plan: TablePlan; paths: Map<number, string> } | undefined;
};

/**
 * `target`: the table whose rows the SELECT may find by place. `moved`: tables it finds elsewhere than in the lake's
 * catalog. `inbox`: what makes a relation that takes rows.
 */
export type DatabaseSetup = { target?: LakeTable; moved?: readonly MovedTable[]; inbox?: readonly string[] };

/** `select` is one SELECT that the gate lets pass; the tables it reads are put in place for `use`. */
export async function withLockedDatabase<T>(
  task: WriteTask,
  select: string,
  furnishing: DatabaseSetup,
  use: (session: LockedSession, body: string) => Promise<T>,
): Promise<T> {
  const analysis = await analyse(task, select, furnishing.moved ?? []);
  try {
    return await attempt(task, analysis, furnishing, use);
  } catch (error) {
    if (!(error instanceof HoleMet)) throw error;
    // Nothing was sent yet; now all of the files comes.
    return await attempt(task, analysis, furnishing, use);
  }
}

/** The statement read more of its files than was brought in. */
class HoleMet extends Error {}

async function attempt<T>(
  task: WriteTask,
  analysis: Analysis,
  { target, inbox = [] }: DatabaseSetup,
  use: (session: LockedSession, body: string) => Promise<T>,
): Promise<T> {
  const { lake, grant, description, signal } = task;
  const { tables: named, readsMetadata } = analysis;
  const isTarget = ({ catalog, schema, name }: (typeof named)[number]): boolean =>
    target !== undefined &&
    catalog === POSITIONS_CATALOG &&
    sameName(schema, target.schema) &&
    sameName(name, target.name);
  const reads = resolveTables(
    named.filter((name) => name.at === undefined && !isTarget(name)),
    description,
  );
  const places = { catalog: POSITIONS_CATALOG, rowPositions: true };
  const open: OpenTables[] = [];
  let drive: FetchedDriveFiles | undefined;
  try {
    drive = await lake.drive.fetch(analysis.body, analysis.driveFiles, grant, signal);
    open.push(
      await openTables(
        lake,
        {
          grant,
          description,
          tables: reads,
          readsMetadata,
          analysis,
          otherRelations: target ? emptyRelationsSql([target], places) : [],
        },
        signal,
      ),
    );
    if (target)
      open.push(
        await openTables(
          lake,
          {
            grant,
            description,
            tables: [target],
            readsMetadata: false,
            analysis,
            options: places,
            otherRelations: emptyRelationsSql(reads, {}),
          },
          signal,
        ),
      );
    const found = target && open.at(-1)!;
    open.push(...(await openPast(lake, grant, named, signal)));
    const setup = [...open.flatMap((each) => each.setup), ...inbox];
    const paths = [...new Set([...open.flatMap((each) => [...each.paths.values()]), ...drive.paths])];
    const { body } = drive;
    return await lake.pool.withDatabase(signal, async (process) => {
      try {
        await process.runWriteOrder({ do: "setUp", setup, paths }, signal);
        const session: LockedSession = {
          shape: (each) => process.runWriteOrder({ do: "shape", sql: each }, signal),
          write: async (work) => {
            const done = await process.runWriteOrder<WriteWorkDone>(
              {
                do: "write",
                work: { ...work, directory: task.directory, bytesMax: lake.settings.writeMb * 1024 * 1024 },
              },
              signal,
            );
            const whole = <Taken extends Pick<LocalFile, "file">>(written: Taken): Taken => ({
              ...written,
              file: join(lake.settings.cacheDirectory, written.file),
            });
            return {
              ...done,
              files: done.files.map(whole),
              deletes: done.deletes.map(({ dataFileId, file }) => ({ dataFileId, file: whole(file) })),
            };
          },
          reads,
          target: found && { plan: found.plans[0]!, paths: found.paths },
        };
        return await use(session, body);
      } finally {
        process.leave();
      }
    });
  } catch (error) {
    const partial = open.filter(({ isPartial }) => isPartial());
    for (const { reportHole } of mayBeHole(error) ? partial : []) reportHole();
    if (mayBeHole(error) && partial.length > 0) throw new HoleMet("", { cause: error });
    throw lake.rewriteError(drive ? drive.rewriteError(error) : error, undefined, open);
  } finally {
    for (const { release } of open) release();
    drive?.release();
  }
}

/** Places in a text of ours are none in the caller's, unless it is a part of it. */
async function analyse(
  { lake, sql, signal }: WriteTask,
  select: string,
  moved: readonly MovedTable[],
): Promise<Analysis> {
  const isOwn = sql.includes(select);
  const analysis = await lake.analyse(select, signal, moved).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const position = isOwn && error.position !== undefined ? error.position + sql.indexOf(select) : undefined;
    throw new Failure(error.code, error.message, { position, cause: error.cause });
  });
  return analysis.explain ? refuseWrite("EXPLAIN can't be part of a statement that writes.") : analysis;
}
