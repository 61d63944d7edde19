// The lake side of an engine: catalog answers, local files and query processes, shared by its statements.

import { mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freeDiskSpace } from "../../core/disk.ts";
import { Failure, isDiskFull } from "../../core/failure.ts";
import type { LakeGrant, Statement } from "../../contract/protocol.ts";
import type { ByteSink } from "../../core/sink.ts";
import { FileCache } from "../files/file-cache.ts";
import { DriveFiles, noDriveFiles } from "../files/drive-files.ts";
import { ResultAnswer } from "./result-answer.ts";
import type { MovedTable } from "../sql/moved-tables.ts";
import { CatalogClient } from "../catalog/catalog-client.ts";
import { QueryPool } from "../process/pool.ts";
import { rowsTaken, type Analysis } from "../process/messages.ts";
import { withoutCatalogs } from "../sql/catalogs.ts";
import { openPast, openTables, type OpenTables } from "./open-tables.ts";
import { NOT_FETCHED, resolveTables } from "../sql/relations.ts";
import type { LakeSettings } from "../../core/settings.ts";
import { TableFilesOpener } from "../files/table-files.ts";

/** Where the platform is, and where its bucket is dialled. */
export type LakeEnvironment = { platformUrl: string; s3Dial: string };

/** The folder of files that statements have written and the engine sends; below the cache's. */
export const WRITES = "writes";

export class Lake {
  readonly settings: LakeSettings;
  readonly pool: QueryPool;
  readonly catalog: CatalogClient;
  readonly drive: DriveFiles;
  readonly files: TableFilesOpener;
  readonly env: LakeEnvironment;
  readonly #cache: FileCache;

  constructor(env: LakeEnvironment, settings: LakeSettings) {
    const { platformUrl, s3Dial } = env;
    this.env = env;
    this.settings = settings;
    rmSync(join(settings.cacheDirectory, WRITES), { recursive: true, force: true });
    mkdirSync(settings.cacheDirectory, { recursive: true });
    this.catalog = new CatalogClient(platformUrl);
    this.drive = new DriveFiles(platformUrl, s3Dial, settings);
    this.#cache = new FileCache(settings.cacheDirectory, settings.cacheBytesMax, s3Dial);
    this.pool = new QueryPool(settings);
    this.files = new TableFilesOpener(this.catalog, this.#cache, this.pool);
  }

  /**
   * Runs one statement as `grant` allows. Rejects with a Failure (or the signal's reason) as long as nothing was
   * written; later a JSON document ends with its failure and this resolves, other formats reject.
   */
  async run(statement: Statement, grant: LakeGrant, signal: AbortSignal, sink: ByteSink): Promise<void> {
    const answer = new ResultAnswer(statement, sink, performance.now());
    // Read and described in turn, so that a process is not held while the platform is asked.
    const [analysis, description] = await Promise.all([
      this.analyse(statement.sql, signal),
      this.catalog.describe(grant, signal),
    ]);
    const { body, explain, tables: names, readsMetadata, driveFiles } = analysis;
    const tables = resolveTables(
      names.filter(({ at }) => at === undefined),
      description,
    );
    const { format, numbers, rowsMax, bytesMax, id } = statement;
    const open = (): Promise<OpenTables> =>
      openTables(this, { grant, description, tables, readsMetadata, analysis, rowsMax: rowsTaken(statement) }, signal);
    let now = await open();
    let drive = noDriveFiles(body);
    let past: OpenTables[] = [];
    let ran = false;
    try {
      past = await openPast(this, grant, names, signal);
      drive = await this.drive.fetch(body, driveFiles, grant, signal);
      const run = (): Promise<{ truncated: boolean }> => {
        const all = [now, ...past];
        const setup = all.flatMap((each) => each.setup);
        const paths = [...all.flatMap(({ paths }) => [...paths.values()]), ...drive.paths];
        const order = { body: drive.body, explain, setup, paths, format, numbers, rowsMax, bytesMax, requestId: id };
        ran = true;
        return this.pool.withDatabase(signal, (process) => process.run(order, signal, (frame) => answer.take(frame)));
      };
      const roomier = (error: unknown): Promise<{ truncated: boolean }> => {
        if (!isDiskFull(error) || !freeDiskSpace() || answer.hasStarted) throw error;
        return run();
      };
      const { truncated } = await run()
        .catch(roomier)
        .catch(async (error: unknown) => {
          if (!now.isPartial() || !mayBeHole(error)) throw error;
          now.reportHole();
          if (answer.hasStarted)
            throw new Failure("internal", "The statement met data that had not been fetched; run it again.", {
              cause: error,
            });
          now.release();
          now = await open();
          return run();
        });
      await answer.end(truncated);
    } catch (error) {
      answer.fail(this.rewriteError(drive.rewriteError(error), ran ? analysis.offset : 0, [now, ...past]));
    } finally {
      for (const { release } of [now, ...past, drive]) release();
    }
  }

  /**
   * A process that dies while it reads a statement may have been spent by the one before, so another is asked; once.
   */
  async analyse(sql: string, signal: AbortSignal, moved: readonly MovedTable[] = []): Promise<Analysis> {
    const ask = (): Promise<Analysis> =>
      this.pool.withProcess(signal, (process) => process.analyse(sql, moved, signal));
    return ask().catch((error: unknown) => {
      if (error instanceof Failure && error.code === "resources_exceeded") return ask();
      throw error;
    });
  }

  /** Ends the query processes and removes the cache. */
  async stop(): Promise<void> {
    await this.pool.stop();
    this.#cache.close();
    this.drive.close();
    emptyDirectory(this.settings.cacheDirectory);
  }

  /**
   * A failure with positions in the text as it was sent, and tables where DuckDB named files. `offset`: where in that
   * text what failed begins; without it, that was another text.
   */
  rewriteError(
    error: unknown,
    offset: number | undefined,
    open: ReadonlyArray<Pick<OpenTables, "plans" | "paths" | "tables">>,
  ): unknown {
    if (!(error instanceof Failure)) return error;
    let { message } = error;
    for (const { plans: catalog, paths, tables } of open) {
      catalog.forEach(({ files }, i) => {
        for (const id of files.flatMap((file) => [file.id, file.deletes?.id ?? file.id]))
          message = message.replaceAll(paths.get(id)!, `a file of LAKE.${tables[i]!.schema}.${tables[i]!.name}`);
      });
    }
    message = message.replaceAll(this.settings.cacheDirectory, "").replace(/\btmp\/\d+-\d+\S*/g, "temporary storage");
    // Columns of ours that DuckDB offers in place of one it does not find.
    message = withoutCatalogs(message.replace(/(?:, )?"fjord [a-z]+"/g, ""));
    const position = error.position === undefined || offset === undefined ? undefined : error.position + offset;
    return new Failure(error.code, message, { position, cause: error.cause });
  }
}

/**
 * Whether DuckDB may have met a part of a file that was not fetched, rather than something wrong with the statement.
 */
export const mayBeHole = (error: unknown): boolean =>
  error instanceof Failure &&
  (error.code === "internal" ||
    (error.code === "sql_error" &&
      (/^(Invalid|IO|Serialization) Error|TProtocol|parquet/i.test(error.message) ||
        error.message.includes(NOT_FETCHED))));

/** Removes what is in it, and itself where that is allowed: an image's folder belongs to its parent's owner. */
function emptyDirectory(directory: string): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true });
  try {
    rmdirSync(directory);
  } catch {
    // The folder stays, empty.
  }
}
