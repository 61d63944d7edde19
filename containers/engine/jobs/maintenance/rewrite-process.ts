// The process in which a maintenance reads data files and writes them anew: the lake's files hold what tenants wrote,
// and one that is damaged, or that unpacks to more than there is memory for, must not take the engine and its syncs
// with it.

import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { ownFolder } from "../../../program/leftovers.ts";
import type { LakeSettings } from "../../core/settings.ts";
import { QueryProcess } from "../../lake/process/query-process.ts";
import type { LocalFile, WriteWork, WriteWorkDone } from "../../lake/process/write-work.ts";
import { FileShapes, type FileField } from "../../parquet/footers.ts";

/** The process's memory above its idle use: what COPY needs for row groups of the usual size on every thread. */
const MEMORY_MB_MAX = 768;
/** Footers read at a time: their content comes back in one message. */
const INSPECTED_MAX = 256;

/** A write of rows into a folder below {@link RewriteProcess.directory}. */
export type RewriteOrder = Pick<WriteWork, "select" | "columns" | "directory" | "bytesMax" | "form"> & {
  /** The files that are read, by paths below the directory. */
  paths: string[];
  /** One thread, and row groups that end early: for rows so wide that a usual row group does not fit. */
  isCareful: boolean;
};

/** Nothing may run beside it: one order at a time. */
export class RewriteProcess {
  /** The folder whose files the process reads and writes; {@link close} removes it. */
  readonly directory: string;
  readonly #settings: LakeSettings;
  readonly #shapes = new FileShapes();
  #process: QueryProcess | undefined;

  private constructor(directory: string, settings: LakeSettings) {
    this.directory = directory;
    const queryMemoryMb = Math.min(MEMORY_MB_MAX, settings.queryMemoryMb);
    this.#settings = { ...settings, queryMemoryMb, cacheDirectory: directory };
  }

  /** The process itself starts with {@link begin} or the first order. */
  static async open(settings: LakeSettings): Promise<RewriteProcess> {
    const folder = ownFolder(tmpdir(), "maintenance");
    await mkdir(folder, { recursive: true });
    return new RewriteProcess(await mkdtemp(join(folder, "job-")), settings);
  }

  /** Starts the process while files are fetched. A failure to start is reported by the next order. */
  begin(): void {
    void this.#alive().catch(() => undefined);
  }

  /** The columns of each file, by path; one object for equal ones. */
  async shapes(paths: readonly string[], signal: AbortSignal): Promise<Map<string, FileField[]>> {
    return this.#shapes.of(paths, async (missing) => {
      const process = await this.#alive();
      const shapes: FileField[][] = [];
      for (let i = 0; i < missing.length; i += INSPECTED_MAX)
        shapes.push(...(await process.inspect(missing.slice(i, i + INSPECTED_MAX), [], signal)).shapes);
      return shapes;
    });
  }

  /** The files written, by whole paths. */
  async write({ paths, isCareful, ...work }: RewriteOrder, signal: AbortSignal): Promise<LocalFile[]> {
    const process = await this.#alive();
    const setup = isCareful ? ["SET threads = 1", "SET preserve_insertion_order = false"] : [];
    try {
      await process.runWriteOrder({ do: "setUp", setup, paths, values: [] }, signal);
      const order = { do: "write" as const, work: { ...work, once: false } };
      const { files } = await process.runWriteOrder<WriteWorkDone>(order, signal);
      return files.map((file) => ({ ...file, file: join(this.directory, file.file) }));
    } finally {
      process.leave();
      // A process that can't go on is replaced by the next order.
      await process.settled().catch(() => process.kill());
    }
  }

  async close(): Promise<void> {
    this.#process?.kill();
    await this.#process?.exited;
    await rm(this.directory, { recursive: true, force: true });
  }

  async #alive(): Promise<QueryProcess> {
    if (!this.#process?.alive) {
      // The folder is made synchronously, so that no other call starts a second process.
      mkdirSync(join(this.directory, "tmp"), { recursive: true });
      this.#process = new QueryProcess(this.#settings, constants.priority.PRIORITY_BELOW_NORMAL);
    }
    await this.#process.ready;
    return this.#process;
  }
}
