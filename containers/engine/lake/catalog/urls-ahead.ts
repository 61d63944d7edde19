// URLs that came with a plan, until the files are fetched: shortly after, or never.

import { LruMap } from "../../../../kernel/text/lru-map.ts";

const URLS_MAX = 2_000;
/** The time for which a URL is kept: far less than it is valid, as a fetch needs it for longer. */
const KEPT_MS = 60_000;

export class UrlsAhead {
  /** URLs by reader and file. */
  readonly #urls = new LruMap<{ url: string; until: number }>(URLS_MAX);

  add(reader: string, urls: Readonly<Record<string, string>>): void {
    const until = Date.now() + KEPT_MS;
    for (const [fileId, url] of Object.entries(urls)) this.#urls.set(`${reader} ${fileId}`, { url, until });
  }

  /** Takes out the known URLs of these files. */
  take(reader: string, fileIds: readonly number[]): Record<string, string> {
    const found = fileIds.flatMap((fileId) => {
      const key = `${reader} ${fileId}`;
      const known = this.#urls.get(key);
      this.#urls.delete(key);
      return known && known.until > Date.now() ? [[fileId, known.url]] : [];
    });
    return Object.fromEntries(found);
  }
}
