// The team's drive on this disk: what changed since the last look is fetched, what is gone is removed.

import { chmod, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { DriveListAnswer, DriveSignAnswer, type DriveEntry } from "../../../kernel/wire/drive.ts";
import type { ObjectStore } from "../../program/object-store.ts";
import { Semaphore } from "../../program/semaphore.ts";
import { isPlain, type Ask, type Drive, type DriveFolder } from "./drive.ts";

/** Fewer than may be signed in one call: the URLs are to be used while they are fresh. */
const SIGNED_AT_ONCE = 100;
const PAGES_MAX = 1_000;
const DOWNLOADS_AT_ONCE = 8;
const REFRESH_MS = 10 * 60_000;
/** A file that is removed or overwritten between its listing and its fetching is right at the next look. */
const LOOKS_MAX = 3;

export type MirrorOptions = {
  directory: string;
  scratchDirectory: string;
  store: ObjectStore;
  bytesMax: number;
  filesMax: number;
};

export class DriveMirror implements Drive {
  readonly kind = "mirror";
  readonly #options: MirrorOptions;
  /** path → ETag of what lies on the disk. */
  readonly #downloads = new Semaphore(DOWNLOADS_AT_ONCE);
  readonly #held = new Map<string, string>();
  #refreshing: Promise<string | null> | undefined;
  #next: Promise<string | null> | undefined;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /**
   * Brings the mirror up to what the drive holds at the time of the call. Answers what is wrong with it, for a doc's
   * author, or null. Callers that come while one refresh runs share the next.
   */
  refresh(ask: Ask): Promise<string | null> {
    if (!this.#refreshing) return (this.#refreshing = this.#refresh(ask).finally(() => (this.#refreshing = undefined)));
    this.#next ??= this.#refreshing.then(() => {
      this.#next = undefined;
      return this.refresh(ask);
    });
    return this.#next;
  }

  /** The folder that all workers share. */
  place(): DriveFolder {
    const { directory } = this.#options;
    return { directory, isCurrent: () => true, open: () => undefined, problem: () => null, close: () => undefined };
  }

  async stop(): Promise<void> {
    await this.#refreshing;
  }

  async #refresh(ask: Ask): Promise<string | null> {
    const signal = AbortSignal.timeout(REFRESH_MS);
    for (let looks = 1; ; looks++) {
      const { problem, failed } = await this.#look(ask, signal);
      if (failed === 0 || looks === LOOKS_MAX) return problem;
    }
  }

  /** `failed`: how many files were listed and could not be fetched. */
  async #look(ask: Ask, signal: AbortSignal): Promise<{ problem: string | null; failed: number }> {
    const { bytesMax, filesMax } = this.#options;
    try {
      const listed = await list(ask, filesMax);
      const bytes = listed.reduce((sum, file) => sum + file.bytes, 0);
      if (listed.length > filesMax || bytes > bytesMax) {
        const problem =
          "The team's drive is larger than this sandbox can show at /home/user/drive: " +
          `more than ${filesMax} files or ${bytesMax} bytes. Remove files, or read them by their gcs_path with SQL.`;
        return { problem, failed: 0 };
      }
      const plain = listed.filter(({ path }) => isPlain(path));
      const folders = foldersOf(plain);
      // Where a file and a folder have one name, the folder is shown, as it leads on to others.
      const files = plain.filter(({ path }) => !folders.has(path));
      const wanted = new Set(files.map(({ path }) => path));
      for (const path of [...this.#held.keys()]) if (!wanted.has(path)) await this.#remove(path);
      const changed = files.filter(({ path, etag }) => this.#held.get(path) !== etag);
      let failed = 0;
      for (let at = 0; at < changed.length; at += SIGNED_AT_ONCE)
        failed += await this.#fetch(ask, changed.slice(at, at + SIGNED_AT_ONCE), signal);
      // A file without a name here could be found by nobody; only a file that should be there and is missing makes the
      // rest doubtful.
      const problem = `${failed} of the drive's ${listed.length} files could not be shown at /home/user/drive. Try again.`;
      return { problem: failed === 0 ? null : problem, failed };
    } catch (error) {
      console.error(JSON.stringify({ event: "sandbox.drive_failed", cause: String(error) }));
      const problem = "The team's drive could not be read just now, so /home/user/drive may be out of date. Try again.";
      return { problem, failed: 0 };
    }
  }

  /** Fetches files. Answers how many could not be fetched. */
  async #fetch(ask: Ask, files: DriveEntry[], signal: AbortSignal): Promise<number> {
    const paths = files.filter(({ bytes }) => bytes > 0).map(({ path }) => path);
    let urls: Record<string, string> = {};
    if (paths.length > 0) ({ urls } = await ask("/internal/drive/sign", { paths }, DriveSignAnswer));
    let failed = 0;
    const place = (file: DriveEntry) => this.#place(file, urls[file.path], signal);
    await Promise.all(files.map((file) => this.#downloads.run(() => place(file), signal).catch(() => void failed++)));
    return failed;
  }

  /** The file appears whole, or stays as it was; who has it open keeps what they opened. */
  async #place({ path, etag, bytes }: DriveEntry, url: string | undefined, signal: AbortSignal): Promise<void> {
    if (url === undefined && bytes > 0) throw new Error("It is gone.");
    const { directory, scratchDirectory, store } = this.#options;
    const target = join(directory, path);
    const scratch = join(scratchDirectory, crypto.randomUUID());
    try {
      if (url === undefined) await writeFile(scratch, "");
      else await store.download({ url, file: scratch, bytes, signal });
      await chmod(scratch, 0o444);
      await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      await rename(scratch, target);
      this.#held.set(path, etag);
    } finally {
      await rm(scratch, { force: true });
    }
  }

  async #remove(path: string): Promise<void> {
    this.#held.delete(path);
    await rm(join(this.#options.directory, path), { force: true });
    // Folders exist only by what lies in them.
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      const full = join(this.#options.directory, folder);
      if ((await readdir(full).catch(() => ["?"])).length > 0) return;
      await rmdir(full).catch(() => undefined);
    }
  }
}

function foldersOf(files: DriveEntry[]): Set<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  return folders;
}

async function list(ask: Ask, filesMax: number): Promise<DriveEntry[]> {
  const files: DriveEntry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX && files.length <= filesMax; page++) {
    const answer: z.infer<typeof DriveListAnswer> = await ask("/internal/drive/list", { cursor }, DriveListAnswer);
    files.push(...answer.files);
    cursor = answer.cursor;
    if (cursor === null) return files;
  }
  return files;
}
