// The drive as one dataset sees it: folders are listed when they are looked into, files read where they are asked for,
// and each file stays the one that was listed, or can't be read.

import type { z } from "zod";
import { DriveListAnswer, DriveSignAnswer, type DriveEntry } from "../../../kernel/wire/drive.ts";
import { ObjectStoreError, type ObjectStore } from "../../program/object-store.ts";
import { isPlainName, type DriveReader } from "./drive.ts";

const ENTRIES_MAX = 500_000;
const PAGES_MAX = 1_000;
/** The platform signs for an hour. */
const SIGNED_MS = 30 * 60_000;
/** URLs that are signed at once for a folder that is read file by file. */
const SIGNED_AHEAD = 100;
const URLS_MAX = 10_000;
const READ_MS = 20_000;
/**
 * The tool that mounts this view asks ten times for what it can't have; the dataset must get the error of the first
 * time.
 */
const FAILED_MS = 3_000;
const REPORTS_MAX = 20;

/** A folder's entries by name; null stands for a folder. */
export type Folder = Map<string, DriveEntry | null>;

/** A request that can't be served, with the status that says so. */
export class Unreadable extends Error {
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export class DriveView {
  readonly #store: ObjectStore;
  readonly #folders = new Map<string, Promise<Folder>>();
  readonly #urls = new Map<string, { url: string; until: number }>();
  readonly #closed = new AbortController();
  #reader: DriveReader | undefined;
  /** Folders in which a file was read. */
  readonly #readFolders = new Set<string>();
  /** folder → why it could not be listed, the last time. */
  readonly #unlisted = new Map<string, string>();
  #failed: { path: string; until: number; error: Unreadable } | undefined;
  #entries = 0;
  #reported = 0;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  open(reader: DriveReader): void {
    this.#reader = reader;
  }

  /** Why a result is not to be trusted: much code takes a folder that could not be listed for an empty one. */
  problem(): string | null {
    return [...this.#unlisted.values()][0] ?? null;
  }

  close(): void {
    this.#reader = undefined;
    this.#closed.abort(new Error("The run has ended."));
    this.#folders.clear();
    this.#urls.clear();
  }

  /**
   * The entries of a folder ("" or "a/b/"), as they were when it was first looked into. Rejects with {@link
   * Unreadable}.
   */
  list(folder: string): Promise<Folder> {
    const known = this.#folders.get(folder);
    if (known) return known;
    const listed = this.#list(folder);
    this.#folders.set(folder, listed);
    // A look that failed is tried again when the folder is asked for again.
    listed.catch(() => this.#folders.delete(folder));
    return listed;
  }

  /** Null: a folder. Rejects with {@link Unreadable}. */
  async find(path: string): Promise<DriveEntry | null> {
    const at = path.lastIndexOf("/") + 1;
    const found = (await this.list(path.slice(0, at))).get(path.slice(at));
    if (found === undefined) throw new Unreadable(404, "There is no such file.");
    return found;
  }

  /** Bytes from `start` up to `end`, of the very content that was listed. Rejects with {@link Unreadable}. */
  async read({ path, etag, bytes }: DriveEntry, start: number, end: number): Promise<Buffer> {
    if (end <= start) return Buffer.alloc(0);
    if (this.#failed && this.#failed.path === path && this.#failed.until > Date.now()) throw this.#failed.error;
    const pieces: Buffer[] = [];
    const begin = () => {
      pieces.length = 0;
      return (piece: Buffer) => {
        pieces.push(piece);
        return Promise.resolve();
      };
    };
    try {
      const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(READ_MS)]);
      const range = { start, end, size: bytes };
      await this.#store.readRange({ url: await this.#urlOf(path), range, etag: `"${etag}"`, begin, signal });
      return Buffer.concat(pieces);
    } catch (error) {
      const isGone =
        error instanceof Unreadable || (error instanceof ObjectStoreError && [404, 412].includes(error.status ?? 0));
      const failure = this.#fail(
        path,
        isGone
          ? "was replaced or removed after this dataset had seen it; run it again"
          : "could not be read from the store just now; try again",
        error,
      );
      this.#failed = { path, until: Date.now() + FAILED_MS, error: failure };
      throw failure;
    }
  }

  async #list(folder: string): Promise<Folder> {
    if (!this.#reader) throw new Unreadable(403, "Nobody reads the drive here.");
    const entries: Folder = new Map();
    let cursor: string | null = null;
    let unnamed = 0;
    try {
      for (let page = 0; page === 0 || cursor !== null; page++) {
        const answer: DriveListAnswer = await this.#ask(
          "/internal/drive/list",
          { cursor, prefix: folder, delimiter: "/" },
          DriveListAnswer,
        );
        const { files, folders = [] } = answer;
        this.#entries += files.length + folders.length;
        if (page >= PAGES_MAX || this.#entries > ENTRIES_MAX)
          throw new Error(`One dataset may look at ${ENTRIES_MAX} files and folders of the drive.`);
        this.#closed.signal.throwIfAborted();
        const found: [path: string, entry: DriveEntry | null][] = [
          ...files.map((file) => [file.path, file] as [string, DriveEntry]),
          ...folders.map((path) => [path.slice(0, -1), null] as [string, null]),
        ];
        for (const [path, entry] of found) {
          const name = path.slice(folder.length);
          // Where a file and a folder have one name, the folder is what leads on to others.
          if (!isPlainName(name)) unnamed++;
          else if (entry === null || !entries.has(name)) entries.set(name, entry);
        }
        cursor = answer.cursor;
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const failure = this.#fail(folder, `could not be listed: ${why}`, error);
      this.#unlisted.set(folder, failure.message);
      throw failure;
    }
    this.#unlisted.delete(folder);
    if (unnamed > 0)
      this.#report(
        `${unnamed} of the drive's files in /home/user/drive/${folder} are not shown: ` +
          "their paths are no file names here.",
      );
    return entries;
  }

  async #urlOf(path: string): Promise<string> {
    const known = this.#urls.get(path);
    if (known && known.until > Date.now()) return known.url;
    const { urls } = await this.#ask("/internal/drive/sign", { paths: await this.#toSign(path) }, DriveSignAnswer);
    const url = urls[path];
    if (url === undefined) throw new Unreadable(404, "There is no such file.");
    if (this.#urls.size > URLS_MAX) this.#urls.clear();
    const until = Date.now() + SIGNED_MS;
    for (const [signed, its] of Object.entries(urls)) this.#urls.set(signed, { url: its, until });
    return url;
  }

  /** The file; and once a second one of its folder is read, those that are listed behind it. */
  async #toSign(path: string): Promise<string[]> {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (!this.#readFolders.has(folder)) {
      this.#readFolders.add(folder);
      return [path];
    }
    const files = [...(await this.list(folder)).values()].flatMap((entry) => (entry ? [entry.path] : []));
    const at = files.indexOf(path);
    return at < 0 ? [path] : files.slice(at, at + SIGNED_AHEAD);
  }

  /** An answer that the platform owes is not waited for once nobody wants it. */
  #ask<T>(path: string, body: unknown, answer: z.ZodType<T>): Promise<T> {
    if (!this.#reader) throw new Unreadable(403, "Nobody reads the drive here.");
    const { promise, reject } = Promise.withResolvers<never>();
    const { signal } = this.#closed;
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    return Promise.race([this.#reader.ask(path, body, answer), promise]).finally(() =>
      signal.removeEventListener("abort", leave),
    );
  }

  #fail(path: string, why: string, cause: unknown): Unreadable {
    const message = `/home/user/drive/${path} ${why}`;
    if (!this.#closed.signal.aborted) this.#report(`${message}.`.replace(/\.\.$/, "."));
    return new Unreadable(409, message, cause);
  }

  #report(text: string): void {
    if (this.#reported++ < REPORTS_MAX) this.#reader?.report(text);
  }
}
