// The files that a statement holds in place, and what of them is brought in for it.

import { untilAborted } from "../../core/until-aborted.ts";
import { retryOnFullDisk } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import type { Phases } from "../../core/phases.ts";
import type { ColumnChunk } from "../../parquet/column-chunks.ts";
import type { CachedFile } from "./cached-file.ts";
import type { ObjectReader } from "./object-reader.ts";

/** The most URLs that one signing request answers. */
const SIGNED_MAX = 500;

/** GET URLs of some files, by their ids. */
export type Sign = (fileIds: number[], signal: AbortSignal) => Promise<Record<string, string>>;

type PinnedFilesParts = {
  held: Map<number, CachedFile>;
  objectOf: (fileId: number) => ObjectReader;
  urls: SignedUrls;
  /** Drops a file that can't be completed. */
  giveUp: (fileId: number, file: CachedFile) => void;
  /** Does a fetch that others wait for. */
  giveWay: (fetch: () => Promise<void>) => Promise<void>;
  release: () => void;
  /**
   * Holds all of them once more, released or not, where each is here whole: answers how to release that. Their paths
   * are as they were.
   */
  holdWhole: () => (() => void) | undefined;
};

/** Files held in place for a statement. */
export class PinnedFiles {
  /** The path of each file by its id, relative to the cache's directory. */
  readonly paths: Map<number, string>;
  readonly release: PinnedFilesParts["release"];
  readonly holdWhole: PinnedFilesParts["holdWhole"];
  readonly #parts: PinnedFilesParts;

  constructor(parts: PinnedFilesParts) {
    this.#parts = parts;
    this.paths = new Map([...parts.held].map(([id, { path }]) => [id, path]));
    this.release = parts.release;
    this.holdWhole = parts.holdWhole;
  }

  /** Whether a part of any file may be missing. */
  get isPartial(): boolean {
    return [...this.#parts.held.values()].some(({ isComplete }) => !isComplete);
  }

  /** The files whose chunks must be known before any chunk can be fetched. */
  withoutLayout(): CachedFile[] {
    return [...this.#parts.held.values()].filter(({ needsLayout }) => needsLayout);
  }

  /** Whether a chunk that `wants` says is not here yet. */
  lacks(fileId: number, wants: (chunk: ColumnChunk) => boolean): boolean {
    return this.#parts.held.get(fileId)!.lacks(wants);
  }

  /** Brings in all chunks that `wants` says. */
  async fetch(wants: (fileId: number, chunk: ColumnChunk) => boolean, signal: AbortSignal): Promise<void> {
    const lacking = [...this.#parts.held].filter(([id, file]) => file.lacks((chunk) => wants(id, chunk)));
    if (lacking.length === 0) return;
    const ids = lacking.map(([id]) => id);
    await this.#parts.giveWay(async () => {
      await this.#parts.urls.add(ids, signal);
      const arrivals = lacking.map(([id, file]) => this.#fetchChunks(id, file, (chunk) => wants(id, chunk)));
      await untilAborted(Promise.all(arrivals), signal);
    });
  }

  async #fetchChunks(id: number, file: CachedFile, wants: (chunk: ColumnChunk) => boolean): Promise<void> {
    try {
      await retryOnFullDisk(() => file.fetchChunks(() => this.#parts.objectOf(id), wants));
    } catch (error) {
      // The object may have changed since its footer was read: the next statement begins anew, with another file.
      this.#parts.giveUp(id, file);
      throw error;
    }
  }
}

/** URLs signed for one statement, each once. */
export class SignedUrls {
  readonly #sign: Sign;
  readonly #phases: Phases;
  readonly #urls = new Map<number, string>();

  constructor(sign: Sign, phases: Phases) {
    this.#sign = sign;
    this.#phases = phases;
  }

  async add(fileIds: readonly number[], signal: AbortSignal): Promise<void> {
    const missing = fileIds.filter((id) => !this.#urls.has(id));
    for (let i = 0; i < missing.length; i += SIGNED_MAX) {
      const some = missing.slice(i, i + SIGNED_MAX);
      const signed = await this.#phases.time("sign", () => this.#sign(some, signal));
      for (const [id, url] of Object.entries(signed)) this.#urls.set(Number(id), url);
    }
  }

  get(fileId: number): string {
    const url = this.#urls.get(fileId);
    if (!url) throw new Failure("platform_unavailable", "The lake's storage could not be read; try again.");
    return url;
  }
}
