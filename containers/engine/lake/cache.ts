// Lake files on the local disk. They never change and never share a path, so a file here is right for ever.

import { mkdirSync, rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../failure.ts";
import type { PlannedFile } from "../lake-protocol.ts";
import { download } from "./object-store.ts";

const DOWNLOADS_MAX = 8;
/** As many URLs as one signing answers. */
const SIGNED_MAX = 500;

type Entry = { path: string; bytes: number; pins: number; arrival: Promise<void>; arrived: boolean };

/** GET URLs of some files, by their ids. */
export type Sign = (fileIds: number[], signal: AbortSignal) => Promise<Record<string, string>>;

/** Files held in place. `paths` are relative to the cache's directory. */
export type Pinned = { paths: Map<number, string>; release(): void };

export class FileCache {
  private readonly directory: string;
  private readonly bytesMax: number;
  private readonly dial: string;
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;
  private downloads = 0;
  private readonly waiting: Array<() => void> = [];
  private attempts = 0;

  /** Empties `directory`'s files of an earlier boot. */
  constructor(directory: string, bytesMax: number, dial: string) {
    this.directory = directory;
    this.bytesMax = bytesMax;
    this.dial = dial;
    rmSync(join(directory, "files"), { recursive: true, force: true });
    mkdirSync(join(directory, "files"), { recursive: true });
  }

  /**
   * Brings files in and keeps them until released. Signs only what is missing. Concurrent callers share a download; each
   * waits under its own signal, and a download once begun ends well or by its own time limit.
   */
  async pin(lakeId: string, files: readonly PlannedFile[], sign: Sign, signal: AbortSignal): Promise<Pinned> {
    const held: Entry[] = [];
    const release = (): void => {
      for (const entry of held.splice(0)) entry.pins--;
      this.evict();
    };
    try {
      const missing: PlannedFile[] = [];
      for (const file of files) {
        const known = this.entries.get(pathOf(lakeId, file));
        if (known) held.push(this.hold(known));
        else missing.push(file);
      }
      for (let i = 0; i < missing.length; i += SIGNED_MAX) {
        const some = missing.slice(i, i + SIGNED_MAX);
        const urls = await sign(
          some.map(({ id }) => id),
          signal,
        );
        for (const file of some) held.push(this.hold(this.entries.get(pathOf(lakeId, file)) ?? this.add(lakeId, file, urls[file.id])));
      }
      await untilAborted(Promise.all(held.map(({ arrival }) => arrival)), signal);
      return { paths: new Map(files.map((file) => [file.id, pathOf(lakeId, file)])), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  private hold(entry: Entry): Entry {
    entry.pins++;
    this.entries.delete(entry.path);
    this.entries.set(entry.path, entry);
    return entry;
  }

  private add(lakeId: string, file: PlannedFile, url: string | undefined): Entry {
    const entry: Entry = { path: pathOf(lakeId, file), bytes: file.bytes, pins: 0, arrived: false, arrival: Promise.resolve() };
    this.entries.set(entry.path, entry);
    this.bytes += entry.bytes;
    this.evict();
    entry.arrival = this.fetch(entry, url);
    entry.arrival.then(
      () => (entry.arrived = true),
      () => this.forget(entry),
    );
    return entry;
  }

  private async fetch(entry: Entry, url: string | undefined): Promise<void> {
    if (!url) throw new Failure("platform_unavailable", "The lake's storage could not be read; try again.");
    while (this.downloads >= DOWNLOADS_MAX) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.downloads++;
    const target = join(this.directory, entry.path);
    const temporary = `${target}.${++this.attempts}.part`;
    try {
      mkdirSync(dirname(target), { recursive: true });
      await download(url, this.dial, temporary, entry.bytes, AbortSignal.timeout(DOWNLOAD_MS_MAX));
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      this.downloads--;
      this.waiting.shift()?.();
    }
  }

  private forget(entry: Entry): void {
    if (this.entries.get(entry.path) !== entry) return;
    this.entries.delete(entry.path);
    this.bytes -= entry.bytes;
  }

  /** Files in use stay, whatever the budget: a statement may need more than it. */
  private evict(): void {
    for (const entry of this.entries.values()) {
      if (this.bytes <= this.bytesMax) return;
      if (entry.pins > 0 || !entry.arrived) continue;
      this.forget(entry);
      rmSync(join(this.directory, entry.path), { force: true });
    }
  }
}

const DOWNLOAD_MS_MAX = 10 * 60_000;

function pathOf(lakeId: string, { id }: PlannedFile): string {
  if (!/^[\w-]+$/.test(lakeId)) throw new Error("a lake's id has only letters, digits and dashes");
  return `files/${lakeId}/${id}.parquet`;
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
