// The lake side of an engine: catalog answers, local files and query processes, shared by its statements.

import { mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { Failure, isTooLarge } from "../../core/failure.ts";
import { wasKilled } from "../../core/process-end.ts";
import { FileCache } from "../files/file-cache.ts";
import { DriveFiles } from "../files/drive-files.ts";
import type { AnalysisOptions } from "../sql/gate.ts";
import { CatalogClient } from "../catalog/catalog-client.ts";
import { readerOf } from "../catalog/reader-of.ts";
import type { QueryPool } from "../process/pool/query-pool.ts";
import type { Analysis } from "../sql/analysis.ts";
import { withoutCatalogs } from "../sql/catalogs.ts";
import { KeptAnalyses } from "./kept-analyses.ts";
import { KeptTables } from "./kept-tables.ts";
import type { OpenTables } from "./open-tables.ts";
import { ResultCache } from "./cache/result-cache.ts";
import { SpoolSpace } from "./spool.ts";
import { NOT_FETCHED } from "../sql/relations.ts";
import type { LakeSettings } from "../../core/settings.ts";
import type { PlatformAddress } from "../../platform/ask-platform.ts";
import { TableFilesOpener } from "../files/table-files.ts";

/** The folder, below the cache's, of files that statements have written and the engine uploads. */
export const WRITES = "writes";
/** The folder of results that wait for their readers. */
const SPOOLED = "spooled";

export class Lake {
  readonly settings: LakeSettings;
  readonly pool: QueryPool;
  readonly catalog: CatalogClient;
  readonly drive: DriveFiles;
  readonly files: TableFilesOpener;
  readonly kept = new KeptTables();
  readonly results: ResultCache;
  readonly spoolSpace: SpoolSpace;
  readonly env: PlatformAddress;
  readonly #cache: FileCache;
  readonly #analyses = new KeptAnalyses();

  /** `pool`: whoever made it has it started. */
  constructor(env: PlatformAddress, settings: LakeSettings, pool: QueryPool) {
    const { platformUrl, s3Dial } = env;
    this.env = env;
    this.settings = settings;
    rmSync(join(settings.cacheDirectory, WRITES), { recursive: true, force: true });
    mkdirSync(settings.cacheDirectory, { recursive: true });
    this.catalog = new CatalogClient(platformUrl);
    this.drive = new DriveFiles(platformUrl, s3Dial, settings);
    this.#cache = new FileCache(settings.cacheDirectory, settings.cacheBytesMax, s3Dial);
    this.pool = pool;
    this.results = new ResultCache(settings.resultCacheBytesMax);
    this.spoolSpace = new SpoolSpace(join(settings.cacheDirectory, SPOOLED), settings.spillMb * 1024 * 1024);
    this.files = new TableFilesOpener(this.catalog, this.#cache, this.pool);
  }

  /**
   * Analyses a statement. A process that dies while it reads one may have been damaged by the statement before, so
   * another process is asked, once.
   */
  async analyse(
    { grant, sql, ...options }: AnalysisOptions & { grant: LakeGrant; sql: string },
    signal: AbortSignal,
  ): Promise<Analysis> {
    const ask = (): Promise<Analysis> =>
      this.pool.withProcess(signal, (process) => process.analyse(sql, options, signal));
    return this.#analyses.of({ reader: readerOf(grant), sql, ...options }, () =>
      ask().catch((error: unknown) => {
        if (isTooLarge(error) || wasKilled(error)) return ask();
        throw error;
      }),
    );
  }

  /** Ends the query processes and removes the cache. */
  async stop(): Promise<void> {
    await this.pool.stop();
    await this.#cache.close();
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
    for (const { plans, paths, tables } of open) {
      plans.forEach(({ files }, i) => {
        for (const id of files.flatMap((file) => [file.id, file.deletes?.id ?? file.id]))
          message = message.replaceAll(paths.get(id)!, `a file of LAKE.${tables[i]!.schema}.${tables[i]!.name}`);
      });
    }
    message = message.replaceAll(this.settings.cacheDirectory, "").replace(/\btmp\/\d+-\d+\S*/g, "temporary storage");
    const position = error.position === undefined || offset === undefined ? undefined : error.position + offset;
    return error.reworded(withoutCatalogs(message), position);
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

/** Empties a folder, and removes it where that is allowed: an image's folder belongs to its parent's owner. */
function emptyDirectory(directory: string): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true });
  try {
    rmdirSync(directory);
  } catch {
    // The empty folder stays.
  }
}
