// A statement's pieces through the gate, and its work into a jail.

import { join } from "node:path";
import { Failure } from "../../failure.ts";
import type { LakeTable, TablePlan } from "../../lake-protocol.ts";
import type { Brought } from "../drive-files.ts";
import type { Analysis } from "../query-messages.ts";
import { openPast, openTables, type OpenTables } from "../reads.ts";
import { resolveTables } from "../relations.ts";
import { PLACES_CATALOG } from "./compose-cells.ts";
import type { Task } from "./task.ts";
import { refuseWrite } from "./cursor.ts";
import { same } from "./table-names.ts";
import type { LocalFile, ShapeColumn, WorkDone, WriteWork } from "./write-work.ts";

/** A jail that is furnished for one statement. */
export type Session = {
  shape(sql: string): Promise<ShapeColumn[]>;
  /** The files it answers lie in the task's folder, by whole paths. */
  write(work: Omit<WriteWork, "directory" | "bytesMax">): Promise<WorkDone>;
  /** The files of the table whose rows have places, as they were when the jail was furnished. */
  target: { plan: TablePlan; paths: Map<number, string> } | undefined;
};

/** Each of `selects` is one SELECT that the gate lets pass; the tables they read are put in place for `use`. `target`: the table they may find rows of by place. */
export async function inJail<T>(task: Task, selects: readonly string[], target: LakeTable | undefined, use: (session: Session, bodies: string[]) => Promise<T>): Promise<T> {
  const { lake, grant, description, signal, sql } = task;
  const analyses: Analysis[] = [];
  for (const select of selects) analyses.push(await analyse(task, select));
  const named = analyses.flatMap(({ tables }) => tables);
  const isTarget = ({ catalog, schema, name }: (typeof named)[number]): boolean => target !== undefined && catalog === PLACES_CATALOG && same(schema, target.schema) && same(name, target.name);
  const now = resolveTables(named.filter((name) => name.at === undefined && !isTarget(name)), description);
  const open: OpenTables[] = [];
  const brought: Brought[] = [];
  try {
    for (const { body, driveFiles } of analyses) brought.push(await lake.drive.bring(body, driveFiles, grant, signal));
    open.push(await openTables(lake, { grant, description, tables: now, readsMetadata: analyses.some((analysis) => analysis.readsMetadata) }, signal));
    if (target) open.push(await openTables(lake, { grant, description, tables: [target], readsMetadata: false, options: { catalog: PLACES_CATALOG, places: true } }, signal));
    const places = target && open.at(-1)!;
    open.push(...(await openPast(lake, grant, named, signal)));
    const furnish = { do: "furnish" as const, setup: open.flatMap(({ setup }) => setup), paths: [...new Set([...open, ...brought].flatMap(({ paths }) => [...paths.values()]))] };
    return await lake.pool.withJail(signal, async (process) => {
      try {
        await process.ask(furnish, signal);
        const session: Session = {
          shape: (body) => process.ask({ do: "shape", sql: body }, signal),
          write: async (work) => {
            const done = await process.ask<WorkDone>({ do: "write", work: { ...work, directory: task.directory, bytesMax: lake.settings.writeMb * 1024 * 1024 } }, signal);
            const whole = <Taken extends Pick<LocalFile, "file">>(written: Taken): Taken => ({ ...written, file: join(lake.settings.cacheDirectory, written.file) });
            return { ...done, files: done.files.map(whole), deletes: done.deletes.map(({ dataFileId, file }) => ({ dataFileId, file: whole(file) })) };
          },
          target: places && { plan: places.plans[0]!, paths: places.paths },
        };
        return await use(session, brought.map(({ body }) => body));
      } finally {
        process.leave();
      }
    });
  } catch (error) {
    throw lake.told(brought.reduce((failure: unknown, { told }) => told(failure), error), sql, undefined, open);
  } finally {
    for (const { release } of [...open, ...brought]) release();
  }
}

/** Places in a text of ours are none in the caller's, unless it is a part of it. */
async function analyse({ lake, sql, signal }: Task, select: string): Promise<Analysis> {
  const isOwn = sql.includes(select);
  const analysis = await lake.analyse(select, signal).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const position = isOwn && error.position !== undefined ? error.position + sql.indexOf(select) : undefined;
    throw new Failure(error.code, error.message, { position, cause: error.cause });
  });
  return analysis.explain ? refuseWrite("EXPLAIN can't be part of a statement that writes.") : analysis;
}
