// Lake files on the local disk, each as far as statements needed it. Files never change, so what is here is right for
// ever.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onDiskFull, retryOnFullDisk } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import type { PlannedFile } from "../../contract/lake.ts";
import { CachedFile } from "./cached-file.ts";
import type { ColumnChunk } from "../../parquet/column-chunks.ts";
import { Semaphore } from "../../../program/semaphore.ts";
import { openObjectStore } from "../../platform/object-store.ts";
import type { ObjectStore } from "../../../program/object-store.ts";
import { ObjectReader, REQUESTS_MAX } from "./object-reader.ts";

/** As many URLs as one signing answers. */
const SIGNED_MAX = 500;
/** A file up to this size comes whole: its footer alone would take as long. */
export const SMALL_BYTES_MAX = 1024 * 1024;

/** GET URLs of some files, by their ids. */
export type Sign = (fileIds: number[], signal: AbortSignal) => Promise<Record<string, string>>;

/** `whole`: all of it is needed, whatever its size. */
export type WantedFile = PlannedFile & { whole: boolean };

export class FileCache {
  readonly #directory: string;
  readonly #bytesMax: number;
  readonly #store: ObjectStore;
  readonly #requests = new Semaphore(REQUESTS_MAX);
  /** Least recently used first. */
  readonly #files = new Map<string, CachedFile>();
  #bytes = 0;
  #created = 0;
  /** To be called when it is of no use any more. */
  readonly close: () => void;

  /**
   * `bytesMax` bounds what was fetched and is kept, not the size of sparse files. Empties `directory`'s files of an
   * earlier boot.
   */
  constructor(directory: string, bytesMax: number, dial: string) {
    this.#directory = directory;
    this.#bytesMax = bytesMax;
    this.#store = openObjectStore(dial);
    rmSync(join(directory, "files"), { recursive: true, force: true });
    mkdirSync(join(directory, "files"), { recursive: true });
    this.close = onDiskFull(() => this.#evict(0));
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
  async pin(lakeId: string, files: readonly WantedFile[], sign: Sign, signal: AbortSignal): Promise<PinnedFiles> {
    const held = new Map<number, CachedFile>();
    const keys = new Map(files.map((file) => [file.id, keyOf(lakeId, file)]));
    const urls = new SignedUrls(sign);
    const objectOf = (fileId: number): ObjectReader => new ObjectReader(urls.get(fileId), this.#store, this.#requests);
    const release = (): void => {
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
      await urls.add(
        missing.map(({ id }) => id),
        signal,
      );
      for (const file of missing) {
        const key = keys.get(file.id)!;
        held.set(file.id, this.#hold(this.#files.get(key) ?? this.#add(key, file, objectOf(file.id)), key));
      }
      await untilAborted(Promise.all([...held.values()].map(({ ready }) => ready)), signal);
      const giveUp = (id: number, file: CachedFile): void => this.#forget(keys.get(id)!, file);
      const all = [...held].map(([id, file]) => ({ key: keys.get(id)!, file }));
      return new PinnedFiles({ held, objectOf, urls, giveUp, release, holdWhole: () => this.#holdWhole(all) });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Answers how to release them; undefined where one is not here whole, or no more. */
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
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  #add(key: string, { bytes, whole }: WantedFile, object: ObjectReader): CachedFile {
    const file = new CachedFile(this.#directory, `files/${key}-${++this.#created}.parquet`, bytes, (grown) => {
      // Of a file that was let go meanwhile the bytes are no longer counted.
      if (this.#files.get(key) !== file) return;
      this.#bytes += grown;
      this.#evict();
    });
    this.#files.set(key, file);
    // Held until then for itself: whoever asked for it may be gone.
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

  /** Files in use stay, whatever the budget: a statement may need more than it. Answers whether any went. */
  #evict(bytesMax = this.#bytesMax): boolean {
    const before = this.#files.size;
    for (const [key, file] of this.#files) {
      if (this.#bytes <= bytesMax) break;
      if (file.pins === 0) this.#forget(key, file);
    }
    return this.#files.size < before;
  }
}

type PinnedFilesParts = {
  held: Map<number, CachedFile>;
  objectOf: (fileId: number) => ObjectReader;
  urls: SignedUrls;
  /** Forgets a file that can't be completed. */
  giveUp: (fileId: number, file: CachedFile) => void;
  release: () => void;
  holdWhole: () => (() => void) | undefined;
};

/** Files held in place for a statement. */
export class PinnedFiles {
  /** Where each is, by its id, relative to the cache's directory. */
  readonly paths: Map<number, string>;
  readonly release: () => void;
  /**
   * Holds all of them once more, released or not, where each is here whole: answers how to release that. Their paths
   * are as they were.
   */
  readonly holdWhole: () => (() => void) | undefined;
  readonly #held: Map<number, CachedFile>;
  readonly #objectOf: (fileId: number) => ObjectReader;
  readonly #urls: SignedUrls;
  readonly #giveUp: (fileId: number, file: CachedFile) => void;

  constructor({ held, objectOf, urls, giveUp, release, holdWhole }: PinnedFilesParts) {
    this.paths = new Map([...held].map(([id, { path }]) => [id, path]));
    this.#held = held;
    this.#objectOf = objectOf;
    this.#urls = urls;
    this.#giveUp = giveUp;
    this.release = release;
    this.holdWhole = holdWhole;
  }

  /** Whether a statement could meet a hole. */
  get isPartial(): boolean {
    return [...this.#held.values()].some(({ isComplete }) => !isComplete);
  }

  /** Those whose chunks must be known before any can be fetched. */
  withoutLayout(): CachedFile[] {
    return [...this.#held.values()].filter(({ needsLayout }) => needsLayout);
  }

  /** Whether a chunk that `wants` says is not here yet. */
  lacks(fileId: number, wants: (chunk: ColumnChunk) => boolean): boolean {
    return this.#held.get(fileId)!.lacks(wants);
  }

  /** Brings in all chunks that `wants` says. */
  async fetch(wants: (fileId: number, chunk: ColumnChunk) => boolean, signal: AbortSignal): Promise<void> {
    const lacking = [...this.#held].filter(([id, file]) => file.lacks((chunk) => wants(id, chunk)));
    await this.#urls.add(
      lacking.map(([id]) => id),
      signal,
    );
    const arrivals = lacking.map(async ([id, file]) => {
      try {
        await retryOnFullDisk(() =>
          file.fetchChunks(
            () => this.#objectOf(id),
            (chunk) => wants(id, chunk),
          ),
        );
      } catch (error) {
        // It may not be the object any more whose footer is here: the next statement begins anew, with another file.
        this.#giveUp(id, file);
        throw error;
      }
    });
    await untilAborted(Promise.all(arrivals), signal);
  }
}

/** URLs signed for one statement, each once. */
class SignedUrls {
  readonly #sign: Sign;
  readonly #urls = new Map<number, string>();

  constructor(sign: Sign) {
    this.#sign = sign;
  }

  async add(fileIds: readonly number[], signal: AbortSignal): Promise<void> {
    const missing = fileIds.filter((id) => !this.#urls.has(id));
    for (let i = 0; i < missing.length; i += SIGNED_MAX) {
      const signed = await this.#sign(missing.slice(i, i + SIGNED_MAX), signal);
      for (const [id, url] of Object.entries(signed)) this.#urls.set(Number(id), url);
    }
  }

  get(fileId: number): string {
    const url = this.#urls.get(fileId);
    if (!url) throw new Failure("platform_unavailable", "The lake's storage could not be read; try again.");
    return url;
  }
}

function keyOf(lakeId: string, { id }: PlannedFile): string {
  if (!/^[\w-]+$/.test(lakeId)) throw new Error("a lake's id has only letters, digits and dashes");
  return `${lakeId}/${id}`;
}

/** The promise, or the signal's reason as soon as it aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}
