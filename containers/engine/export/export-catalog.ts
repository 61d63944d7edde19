// A lake's catalog as an SQLite file that DuckDB attaches with its `ducklake` extension: built whole, then handed over.

import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Semaphore } from "../../program/semaphore.ts";
import { retryOnFullDisk } from "../core/disk.ts";
import { Failure } from "../core/failure.ts";
import type { ExportRequest } from "../../../kernel/wire/engine.ts";
import { translationOf, type Cell, type Column } from "./older-format.ts";
import { CatalogRows } from "./catalog-rows.ts";

/** Each holds a file on this machine's disk. */
const EXPORTS_MAX = 2;
const ATTEMPTS = 3;
const PAGE_BYTES = 4_096;
const FILE_BYTES_MAX = 4 * 1024 ** 3;

const exports = new Semaphore(EXPORTS_MAX, {
  waitingMax: 0,
  refuse: () =>
    new Failure("busy", `This engine writes ${EXPORTS_MAX} exports at once, and they are taken; try again.`),
});

/**
 * Builds the file and gives it to `use`, after which it is gone. Rejects with a Failure: `busy` when too many are being
 * built, `conflict` where the format has no words for the catalog or the catalog does not hold still,
 * `platform_unavailable`.
 */
export function exportCatalog<T>(
  request: ExportRequest,
  platformUrl: string,
  signal: AbortSignal,
  use: (file: string) => Promise<T>,
): Promise<T> {
  return exports.run(() => buildAndUse(request, platformUrl, signal, use), signal);
}

async function buildAndUse<T>(
  request: ExportRequest,
  platformUrl: string,
  signal: AbortSignal,
  use: (file: string) => Promise<T>,
): Promise<T> {
  let directory: string | undefined;
  const clear = async (): Promise<void> => {
    if (directory) await rm(directory, { recursive: true, force: true });
  };
  try {
    const file = await retryOnFullDisk(async () => {
      await clear();
      directory = await mkdtemp(join(tmpdir(), "fjord-export-"));
      return build(request, new CatalogRows(platformUrl, request.lake, signal), directory, signal);
    });
    return await use(file);
  } finally {
    await clear();
  }
}

/** Builds the file, again from the start when maintenance took rows away while they were read. */
async function build(
  request: ExportRequest,
  catalog: CatalogRows,
  directory: string,
  signal: AbortSignal,
): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { mark, tables } = await catalog.outline();
    const file = join(directory, `${attempt}.sqlite`);
    await write({ file, request, tables, catalog, signal });
    if ((await catalog.outline()).mark === mark) return file;
    await rm(file, { force: true });
  }
  throw new Failure(
    "conflict",
    "The catalog was being compacted or expired all the while it was read. Try again when its maintenance has ended.",
  );
}

type Export = {
  file: string;
  request: ExportRequest;
  tables: readonly { name: string; columns: Column[] }[];
  catalog: CatalogRows;
  signal: AbortSignal;
};

async function write({ file, request, tables, catalog, signal }: Export): Promise<void> {
  const database = new DatabaseSync(file);
  try {
    // Nobody reads the file before it is whole, and a broken one is thrown away.
    database.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA max_page_count = ${FILE_BYTES_MAX / PAGE_BYTES};
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN`,
    );
    for (const { name, columns } of tables) {
      const translation =
        request.format === "1.0"
          ? { columns, translate: (row: readonly Cell[]) => [...row] }
          : translationOf(name, columns);
      if (!translation) continue;
      const insert = createTable(database, name, translation.columns);
      for await (const rows of catalog.pages(name)) {
        signal.throwIfAborted();
        for (const row of rows) insert.run(...translation.translate(row).map(wholeNumber));
      }
    }
    database
      .prepare("UPDATE ducklake_metadata SET value = ? WHERE key = 'data_path' AND scope IS NULL")
      .run(request.dataPath);
    if (request.format === "0.3") writeSchemaVersions(database);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Answers the statement that takes its rows. */
function createTable(database: DatabaseSync, name: string, columns: readonly Column[]): StatementSync {
  const definitions = columns.map((column) => `${quote(column.name)} ${column.type}`);
  database.exec(`CREATE TABLE ${quote(name)} (${definitions.join(", ")})`);
  return database.prepare(`INSERT INTO ${quote(name)} VALUES (${columns.map(() => "?").join(", ")})`);
}

/** SQLite would store a JavaScript number as REAL, which DuckDB does not take for a BIGINT. */
const wholeNumber = (cell: Cell): string | bigint | null => (typeof cell === "number" ? BigInt(cell) : cell);

/** Format 0.3 has one row for each version of the whole lake's schema, where 1.0 has rows by table. */
function writeSchemaVersions(database: DatabaseSync): void {
  database.exec("DELETE FROM ducklake_schema_versions");
  database.exec(
    `INSERT INTO ducklake_schema_versions
    SELECT min(snapshot_id), schema_version FROM ducklake_snapshot GROUP BY schema_version ORDER BY schema_version`,
  );
}
