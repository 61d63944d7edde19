// A lake on this machine for the benchmark of its maintenance: the real catalog, files in a folder behind HTTP, and the
// engine's own jobs in this process.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { MaintenanceLevel } from "../../../containers/engine/contract/maintenance.ts";
import { CatalogPlatform } from "../../../test/support/node/lake/catalog-platform.ts";
import { column } from "../../../test/support/node/lake/test-lake.ts";
import { MaintenancePlatform } from "../../../test/support/node/maintenance/maintenance-platform.ts";
import { memoryMb } from "../support/measure.ts";

const WATCH_MS = 20;
/** What one commit may bring. */
const COMMIT_FILES_MAX = 10_000;
const TABLE = { schema: "main", name: "measured" };

/** Twelve columns as a fact table has them. */
const CELLS: Array<[type: string, sql: string]> = [
  ["int64", "range"],
  ["int32", "(hash(range) % 10000)::INTEGER"],
  ["date", "DATE '2020-01-01' + (range % 2000)::INTEGER"],
  ["decimal(15,2)", "(hash(range, 1) % 10000000)::DECIMAL(15,2) / 100"],
  ["varchar", "'customer-' || (hash(range, 2) % 100000)"],
  ["varchar", "['new', 'paid', 'sent', 'back'][1 + (range % 4)::INTEGER]"],
  ["float64", "(hash(range, 3) % 1000000) / 7.0"],
  ["int64", "(hash(range, 4) >> 24)::BIGINT"],
  ["timestamp", "TIMESTAMP '2024-01-01' + INTERVAL (range % 10000000) SECOND"],
  ["varchar", "substr(md5(range::VARCHAR), 1, 20)"],
  ["boolean", "range % 3 = 0"],
  ["int32", "(range % 100)::INTEGER"],
];
const COLUMNS = CELLS.map(([type], i) => column(i + 1, `c${i}`, type));

export type Maintained = {
  ms: number;
  /** Live files of the table afterwards. */
  files: number;
  /** Of the process that wrote. */
  peakMb: number;
  /** By which this process's memory grew at its peak, so far. */
  engineMb: number;
  expired: number;
  scheduled: number;
};

export class MaintainedLake {
  readonly catalog: CatalogPlatform;
  readonly #maintenance: MaintenancePlatform;

  private constructor(catalog: CatalogPlatform, maintenance: MaintenancePlatform) {
    this.catalog = catalog;
    this.#maintenance = maintenance;
  }

  static async open(): Promise<MaintainedLake> {
    const catalog = await CatalogPlatform.start();
    return new MaintainedLake(catalog, await MaintenancePlatform.start(catalog));
  }

  async close(): Promise<void> {
    await this.#maintenance.stop();
    await this.catalog.stop();
  }

  get directory(): string {
    return this.catalog.bucket;
  }

  /** Of the table's live files. */
  bytes(): number {
    return this.#maintenance
      .groupOf("main.measured")
      .files.reduce((sum, { bytes, deletes }) => sum + bytes + (deletes?.bytes ?? 0), 0);
  }

  /** Where the table's live files lie on the disk. */
  paths(): { data: string[]; deletes: string[] } {
    const { files } = this.#maintenance.groupOf("main.measured");
    const whole = (path: string): string => join(this.directory, path);
    return {
      data: files.map(({ path }) => whole(path)),
      deletes: files.flatMap(({ deletes }) => (deletes ? [whole(deletes.path)] : [])),
    };
  }

  /** One whole job, from its start to its outcome. */
  async maintain(level: MaintenanceLevel = "daily"): Promise<Maintained> {
    const before = await memoryMb(process.pid);
    let peakMb = 0;
    const watch = setInterval(() => {
      for (const pid of rewriters())
        void memoryMb(pid).then((memory) => (peakMb = Math.max(peakMb, memory?.peak ?? 0)));
    }, WATCH_MS);
    const startedAt = performance.now();
    const outcome = await this.#maintenance.run(level, `run-${startedAt}`);
    const ms = performance.now() - startedAt;
    clearInterval(watch);
    if (outcome.outcome !== "succeeded") throw new Error(outcome.error ?? "the maintenance did not succeed");
    const expire = outcome.progress.steps.find(({ step }) => step === "expire");
    const after = await memoryMb(process.pid);
    return {
      ms,
      files: this.#maintenance.pathsOf("main.measured").length,
      peakMb,
      engineMb: (after?.peak ?? 0) - (before?.now ?? 0),
      expired: expire?.done ?? 0,
      scheduled: expire?.files ?? 0,
    };
  }
}

/** Fills the table; `deletes` is the share of each file's rows, in percent, that are deleted. */
export async function addFiles(
  { catalog }: MaintainedLake,
  { files, rows, deletes }: { files: number; rows: number; deletes: number },
): Promise<void> {
  catalog.commit({ kind: "create_table", ...TABLE, columns: COLUMNS });
  const written = [];
  for (let i = 0; i < files; i++) {
    const cells = CELLS.map(([, sql], at) => `${sql} AS c${at}`).join(", ");
    const select = `SELECT ${cells} FROM range(${i * rows}, ${(i + 1) * rows})`;
    written.push(await catalog.write(TABLE.schema, TABLE.name, COLUMNS, select));
  }
  for (let i = 0; i < written.length; i += COMMIT_FILES_MAX)
    catalog.commit({ kind: "append", ...TABLE, files: written.slice(i, i + COMMIT_FILES_MAX) });
  if (deletes === 0) return;
  const ids = catalog.storage.sql.exec<{ id: number }>("SELECT data_file_id AS id FROM ducklake_data_file ORDER BY id");
  const gone = [];
  for (const [i, { id: dataFileId }] of ids.toArray().entries()) {
    const positions = `SELECT range FROM range(${rows}) WHERE hash(range) % 100 < ${deletes}`;
    const address = join(catalog.bucket, written[i]!.path);
    gone.push({ dataFileId, file: await catalog.writeDeletes(TABLE.schema, TABLE.name, address, positions) });
  }
  catalog.commit({ kind: "delete", ...TABLE, deletes: gone });
}

/** The processes in which maintenances of this process write. */
function rewriters(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return [];
      const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
      const command = parent === process.pid ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "";
      return command.includes("lake/process/program.ts") ? [pid] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}
