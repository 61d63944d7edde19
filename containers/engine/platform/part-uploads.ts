// Parts on their way into the lake: a few upload while the next ones are read and written.

import { rename, rm } from "node:fs/promises";
import { Failure } from "../core/failure.ts";
import { COMMIT_FILES_MAX, type NewDataFile, type UploadTarget } from "../../../kernel/lake/commit.ts";
import type { WrittenFile } from "../parquet/writer.ts";
import type { JobPlatform } from "./job-platform.ts";

const UPLOADS_MAX = 2;

type LocalFile = WrittenFile & { file: string };

/**
 * Uploads the files of one table. A file that is uploaded and never committed is an orphan, which the lake collects.
 */
export class PartUploads {
  rows = 0;
  bytes = 0;

  readonly #platform: Pick<JobPlatform, "uploads" | "upload">;
  readonly #target: UploadTarget;
  readonly #onUploaded: (rows: number, bytes: number) => void;
  readonly #files: NewDataFile[] = [];
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;
  readonly #filesMax: number;
  #taken = 0;

  constructor(
    platform: Pick<JobPlatform, "uploads" | "upload">,
    target: UploadTarget,
    onUploaded: (rows: number, bytes: number) => void,
    filesMax = COMMIT_FILES_MAX,
  ) {
    this.#filesMax = filesMax;
    this.#platform = platform;
    this.#target = target;
    this.#onUploaded = onUploaded;
  }

  /**
   * Takes over a file and uploads it, while `look` reads it; settles as soon as another one may come. Rejects where an
   * earlier one failed.
   */
  async add(part: LocalFile, look?: (file: string) => Promise<void>): Promise<void> {
    // The bound is checked here, rather than by the catalog after hours of reading.
    if (this.#taken >= this.#filesMax)
      throw new Failure(
        "resources_exceeded",
        `${this.#target.schema}.${this.#target.name} would take more than ${this.#filesMax} files, which is what ` +
          "one commit holds. Write it in parts: fewer rows or columns at a time.",
      );
    const file = `${part.file}.taken`;
    await rename(part.file, file);
    const upload: Promise<void> = this.#use({ ...part, file }, this.#taken++, look)
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => this.#running.delete(upload));
    this.#running.add(upload);
    while (this.#running.size >= UPLOADS_MAX) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
  }

  /** Waits for the uploads that run, whatever becomes of them. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** All files, in the order they were added. */
  async end(): Promise<NewDataFile[]> {
    await this.settle();
    if (this.#failure) throw this.#failure.error;
    return this.#files;
  }

  async #use(part: LocalFile, index: number, look?: (file: string) => Promise<void>): Promise<void> {
    // The file is there until both are done with it.
    const ends = await Promise.allSettled([this.#upload(part, index), look?.(part.file)]);
    await rm(part.file, { force: true });
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #upload({ file, ...written }: LocalFile, index: number): Promise<void> {
    const [target] = await this.#platform.uploads([this.#target]);
    if (!target) throw new Error("the platform named no upload for a file");
    await this.#platform.upload(target.url, file, written.bytes);
    this.#files[index] = { ...written, path: target.path };
    this.rows += written.rows;
    this.bytes += written.bytes;
    this.#onUploaded(written.rows, written.bytes);
  }
}
