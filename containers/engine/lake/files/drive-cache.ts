// Files of the drive on the local disk. A path can change its content, so what lies here is named by path and ETag.

import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DriveEntry } from "../../../../kernel/wire/drive.ts";
import { onDiskFull, retryOnFullDisk } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { Semaphore } from "../../../program/semaphore.ts";
import type { ObjectStore } from "../../../program/object-store.ts";
import { openObjectStore } from "../../platform/object-store.ts";

const DOWNLOADS_MAX = 8;
const DOWNLOAD_MS_MAX = 15 * 60_000;

type Entry = {
  path: string;
  bytes: number;
  pins: number;
  arrived: boolean;
  arrival: Promise<void>;
  stop: AbortController;
};

/** GET URLs by path. */
export type SignPaths = (paths: string[]) => Promise<Record<string, string>>;

/** Files held in place; `paths` are relative to the cache's directory, in the order asked for. */
export type PinnedDriveFiles = { paths: string[]; release(): void };

export class DriveCache {
  readonly #directory: string;
  readonly #bytesMax: number;
  readonly #store: ObjectStore;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #downloads = new Semaphore(DOWNLOADS_MAX);
  #bytes = 0;
  #attempts = 0;
  /** Ends the cache's use. */
  readonly close: () => void;

  /** Empties `directory`'s drive of an earlier boot. */
  constructor(directory: string, bytesMax: number, dial: string) {
    this.#directory = directory;
    this.#bytesMax = bytesMax;
    this.#store = openObjectStore(dial);
    rmSync(join(directory, "drive"), { recursive: true, force: true });
    this.close = onDiskFull(() => this.#evict(0));
  }

  /**
   * Brings files in and keeps them until released. Statements that want the same file share its download, which ends
   * when nobody waits for it. Never holds more than its bound: rejects with `busy` where others hold too much of it.
   */
  async pin(
    teamId: string,
    files: readonly DriveEntry[],
    sign: SignPaths,
    signal: AbortSignal,
  ): Promise<PinnedDriveFiles> {
    const held: Entry[] = [];
    const release = (): void => {
      for (const entry of held.splice(0)) this.#letGo(entry);
    };
    try {
      const missing: { file: DriveEntry; entry: Entry }[] = [];
      for (const file of files) {
        const path = localPath(teamId, file);
        const known = this.#entries.get(path);
        held.push(this.#hold(known ?? this.#reserve(path, file.bytes)));
        if (!known) missing.push({ file, entry: held.at(-1)! });
      }
      if (missing.length > 0) this.#begin(missing, sign);
      await untilAborted(Promise.all(held.map(({ arrival }) => arrival)), signal);
      return { paths: held.map(({ path }) => path), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #hold(entry: Entry): Entry {
    entry.pins++;
    this.#entries.delete(entry.path);
    this.#entries.set(entry.path, entry);
    return entry;
  }

  #letGo(entry: Entry): void {
    entry.pins--;
    if (entry.pins > 0 || entry.arrived) return;
    this.#forget(entry);
    entry.stop.abort(new Error("nobody waits for it any more"));
  }

  #reserve(path: string, bytes: number): Entry {
    this.#evict(this.#bytesMax - bytes);
    if (this.#bytes + bytes > this.#bytesMax)
      throw new Failure(
        "busy",
        "The statements that run read as much of the drive as this engine holds; try again shortly.",
      );
    const entry: Entry = {
      path,
      bytes,
      pins: 0,
      arrived: false,
      arrival: Promise.resolve(),
      stop: new AbortController(),
    };
    this.#entries.set(path, entry);
    this.#bytes += bytes;
    return entry;
  }

  /** Makes space. Answers whether any file was removed. */
  #evict(bytesMax: number): boolean {
    const before = this.#entries.size;
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= bytesMax) break;
      if (entry.pins > 0) continue;
      this.#forget(entry);
      rmSync(join(this.#directory, folderOf(entry.path)), { recursive: true, force: true });
    }
    return this.#entries.size < before;
  }

  #begin(missing: readonly { file: DriveEntry; entry: Entry }[], sign: SignPaths): void {
    const urls = sign(missing.map(({ file }) => file.path));
    for (const { file, entry } of missing) {
      entry.arrival = urls.then((signed) => retryOnFullDisk(() => this.#fetch(entry, file, signed[file.path])));
      entry.arrival.then(
        () => (entry.arrived = true),
        () => this.#forget(entry),
      );
    }
  }

  async #fetch(entry: Entry, file: DriveEntry, url: string | undefined): Promise<void> {
    if (!url) throw new Failure("platform_unavailable", "The drive could not be read; try again.");
    await this.#downloads.run(() => this.#download(entry, file, url), entry.stop.signal);
  }

  async #download(entry: Entry, { etag, bytes }: DriveEntry, url: string): Promise<void> {
    const target = join(this.#directory, entry.path);
    const temporary = join(this.#directory, "drive", `${++this.#attempts}.part`);
    try {
      mkdirSync(dirname(target), { recursive: true });
      // The bucket refuses content that differs from what was listed.
      const signal = AbortSignal.any([entry.stop.signal, AbortSignal.timeout(DOWNLOAD_MS_MAX)]);
      const headers = { "if-match": `"${etag}"` };
      await this.#store.download({ url, file: temporary, bytes, headers, signal });
      entry.stop.signal.throwIfAborted();
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  #forget(entry: Entry): void {
    if (this.#entries.get(entry.path) !== entry) return;
    this.#entries.delete(entry.path);
    this.#bytes -= entry.bytes;
  }
}

const SEGMENT_BYTES_MAX = 200;
const PATH_BYTES_MAX = 2_000;

/**
 * A folder of its own, and below it the path as it is: DuckDB reads partitions, compression and formats from names.
 * Names that are too long for a disk, or that DuckDB could take for globs, lose their middle.
 */
function localPath(teamId: string, { path, etag }: DriveEntry): string {
  const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
  const plain = (segment: string): string =>
    Buffer.byteLength(segment) > SEGMENT_BYTES_MAX || /[*?[\]{}]/.test(segment)
      ? digest(segment) + (/(\.[A-Za-z0-9]{1,8}){1,2}$/.exec(segment)?.[0] ?? "")
      : segment;
  const segments = path.split("/").map(plain);
  const kept = Buffer.byteLength(segments.join("/")) > PATH_BYTES_MAX ? segments.slice(-1) : segments;
  return ["drive", digest(`${teamId}/${path} ${etag}`), ...kept].join("/");
}

/** The folder that holds this one file, and nothing else. */
const folderOf = (path: string): string => path.split("/").slice(0, 2).join("/");
