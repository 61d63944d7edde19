// Lake files on the local disk, each as far as statements needed it. Files never change, so what is here is right for
// ever.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onDiskFull, retryOnFullDisk } from "../../core/disk.ts";
import type { Phases } from "../../core/phases.ts";
import type { PlannedFile } from "../../../../kernel/lake/lake.ts";
import { CachedFile } from "./cached-file.ts";
import { FileCompleter } from "./file-completer.ts";
import { Semaphore } from "../../../program/semaphore.ts";
import { openObjectStore } from "../../platform/object-store.ts";
import { ObjectReader, REQUESTS_MAX } from "./object-reader.ts";
import { PinnedFiles, SignedUrls, type Sign } from "./pinned-files.ts";
import { untilAborted } from "../../core/until-aborted.ts";

/** A file up to this size comes whole: its footer alone would take as long. */
export const SMALL_BYTES_MAX = 1024 * 1024;
/** The share of the budget for bytes that no statement has asked for. */
const COMPLETED_SHARE = 0.75;
/** A file that was not read for this long makes way for files that are read. */
const STALE_MS = 10 * 60_000;

/** `whole`: all of the file is needed, whatever its size. */
export type WantedFile = PlannedFile & { whole: boolean };

/** The lake that files are of, and how a statement's reader has their URLs signed. */
export type FileSource = { lakeId: string; sign: Sign; phases: Phases };

export class FileCache {
  readonly #directory: string;
  readonly #bytesMax: number;
  readonly #readerOf: (url: string, signal?: AbortSignal) => ObjectReader;
  /** Least recently used first. */
  readonly #files = new Map<string, CachedFile>();
  #bytes = 0;
  #created = 0;
  readonly #completer: FileCompleter;
  readonly #leaveDisk: () => void;

  /**
   * `bytesMax` bounds what was fetched and is kept, not the size of sparse files. Empties `directory`'s files of an
   * earlier boot.
   */
  constructor(directory: string, bytesMax: number, dial: string) {
    this.#directory = directory;
    this.#bytesMax = bytesMax;
    const store = openObjectStore(dial);
    const requests = new Semaphore(REQUESTS_MAX);
    this.#readerOf = (url, signal) => new ObjectReader(url, store, requests, signal);
    this.#completer = new FileCompleter({
      readerOf: this.#readerOf,
      makeSpace: (file, bytes) => this.#makeSpace(file, bytes),
    });
    rmSync(join(directory, "files"), { recursive: true, force: true });
    mkdirSync(join(directory, "files"), { recursive: true });
    this.#leaveDisk = onDiskFull(() => this.#evict(0));
  }

  /** Ends the cache's use. */
  async close(): Promise<void> {
    this.#leaveDisk();
    await this.#completer.close();
  }

  /** Bytes of these files that may be missing here. */
  missing(lakeId: string, files: readonly PlannedFile[]): number {
    return files.reduce((sum, file) => (this.#files.get(keyOf(lakeId, file))?.isComplete ? sum : sum + file.bytes), 0);
  }

  /**
   * Brings in small files and those wanted whole, and the footers of the others, and keeps them all until released.
   * Signs only what is fetched. Concurrent callers share a download; each waits under its own signal, and a download
   * once begun ends well or by its own time limit.
   */
  async pin(
    { lakeId, sign, phases }: FileSource,
    files: readonly WantedFile[],
    signal: AbortSignal,
  ): Promise<PinnedFiles> {
    const held = new Map<number, CachedFile>();
    const keys = new Map(files.map((file) => [file.id, keyOf(lakeId, file)]));
    const urls = new SignedUrls(sign, phases);
    const objectOf = (fileId: number): ObjectReader => this.#readerOf(urls.get(fileId));
    const release = (): void => {
      const partial = [...held].filter(([, file]) => file.missingBytes > 0);
      this.#completer.noteReads(partial.map(([fileId, file]) => ({ file, fileId, sign })));
      for (const file of held.values()) file.unpin();
      held.clear();
      this.#evict();
    };
    try {
      const missing: WantedFile[] = [];
      for (const file of files) {
        const key = keys.get(file.id)!;
        const known = this.#files.get(key);
        if (known) held.set(file.id, this.#hold(known, key));
        else missing.push(file);
      }
      const ids = missing.map(({ id }) => id);
      const begin = async (): Promise<void> => {
        await urls.add(ids, signal);
        for (const file of missing) {
          const key = keys.get(file.id)!;
          held.set(file.id, this.#hold(this.#files.get(key) ?? this.#add(key, file, objectOf(file.id)), key));
        }
        await untilAborted(Promise.all([...held.values()].map(({ ready }) => ready)), signal);
      };
      await (ids.length > 0 ? this.#completer.giveWay(begin) : begin());
      const giveUp = (id: number, file: CachedFile): void => this.#forget(keys.get(id)!, file);
      const all = [...held].map(([id, file]) => ({ key: keys.get(id)!, file }));
      const giveWay = <T>(fetch: () => Promise<T>): Promise<T> => this.#completer.giveWay(fetch);
      return new PinnedFiles({ held, objectOf, urls, giveUp, giveWay, release, holdWhole: () => this.#holdWhole(all) });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Holds all of the files, and answers how to release them; undefined where a file is not here, or not whole. */
  #holdWhole(files: readonly { key: string; file: CachedFile }[]): (() => void) | undefined {
    if (!files.every(({ key, file }) => this.#files.get(key) === file && file.isComplete)) return undefined;
    const held = files.map(({ key, file }) => this.#hold(file, key));
    return () => {
      for (const file of held.splice(0)) file.unpin();
      this.#evict();
    };
  }

  #hold(file: CachedFile, key: string): CachedFile {
    file.pins++;
    file.usedAt = Date.now();
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  #add(key: string, { bytes, whole }: WantedFile, object: ObjectReader): CachedFile {
    const file = new CachedFile(this.#directory, `files/${key}-${++this.#created}.parquet`, bytes, (grown) => {
      // The bytes of a file that was evicted meanwhile are no longer counted.
      if (this.#files.get(key) !== file) return;
      this.#bytes += grown;
      this.#evict();
    });
    this.#files.set(key, file);
    // The download itself holds the file until then: the statement that asked for it may be gone.
    file.pins++;
    file.ready = retryOnFullDisk(() =>
      whole || bytes <= SMALL_BYTES_MAX ? file.fetchWhole(object) : file.fetchFooter(object),
    ).finally(() => file.unpin());
    file.ready.catch(() => this.#forget(key, file));
    return file;
  }

  #forget(key: string, file: CachedFile): void {
    if (this.#files.get(key) !== file) return;
    this.#files.delete(key);
    this.#bytes -= file.bytes;
    file.forget();
  }

  /** Whether so many bytes of `file` may be brought in that no statement has asked for. */
  #makeSpace(file: CachedFile, bytes: number): boolean {
    const completed = [...this.#files.values()].reduce((sum, { completedBytes }) => sum + completedBytes, bytes);
    if (completed > this.#bytesMax * COMPLETED_SHARE) return false;
    this.#evict(this.#bytesMax - bytes, Date.now() - STALE_MS);
    return this.#bytes + bytes <= this.#bytesMax && [...this.#files.values()].includes(file);
  }

  /**
   * Files in use stay, whatever the budget: a statement may need more than it. Answers whether any went; none goes that
   * was used since `usedBefore`.
   */
  #evict(bytesMax = this.#bytesMax, usedBefore = Infinity): boolean {
    const before = this.#files.size;
    for (const [key, file] of this.#files) {
      if (this.#bytes <= bytesMax || file.usedAt >= usedBefore) break;
      if (file.pins === 0) this.#forget(key, file);
    }
    return this.#files.size < before;
  }
}

function keyOf(lakeId: string, { id }: PlannedFile): string {
  if (!/^[\w-]+$/.test(lakeId)) throw new Error("a lake's id has only letters, digits and dashes");
  return `${lakeId}/${id}`;
}
