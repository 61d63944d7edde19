// Reads an object of the bucket into local files, with a bound on how many requests are under way at once.

import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { ByteRange, ObjectStore } from "../../../program/object-store.ts";
import type { Semaphore } from "../../../program/semaphore.ts";
import type { RangeWriter } from "./range-writers.ts";

/** Requests at once: the number of connections. */
export const REQUESTS_MAX = 16;
/** Time for one request: a large file's whole length, over a slow line. */
const READ_MS_MAX = 10 * 60_000;

export class ObjectReader {
  readonly #url: string;
  readonly #store: ObjectStore;
  readonly #requests: Semaphore;
  readonly #signal: AbortSignal | undefined;

  /** `signal` ends requests early; without it they end well or by their own time limit, whoever waits for them. */
  constructor(url: string, store: ObjectStore, requests: Semaphore, signal?: AbortSignal) {
    this.#url = url;
    this.#store = store;
    this.#requests = requests;
    this.#signal = signal;
  }

  /**
   * Hands a range's bytes to a writer on `file`, made where it is missing; one that broke off is read anew from its
   * start, by another writer. With `etag` the object must still be that one. Answers the object's ETag, where it has
   * one.
   */
  async read(
    range: ByteRange,
    etag: string | undefined,
    writerOn: (handle: FileHandle) => RangeWriter,
    file: string,
  ): Promise<string | undefined> {
    return this.#requests.run(async () => {
      const handle = await open(file, constants.O_RDWR | constants.O_CREAT);
      try {
        let writer: RangeWriter | undefined;
        const begin = (): ((piece: Buffer) => Promise<void>) => (writer = writerOn(handle)).take;
        const timeout = AbortSignal.timeout(READ_MS_MAX);
        const found = await this.#store.readRange({
          url: this.#url,
          range,
          etag,
          begin,
          signal: this.#signal ? AbortSignal.any([this.#signal, timeout]) : timeout,
        });
        await writer?.end();
        return found;
      } finally {
        await handle.close();
      }
    }, this.#signal);
  }
}
