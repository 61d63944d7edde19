// A lake's catalog as the platform tells it: what it is made of, and its rows page by page.

import { CatalogOutline, RowsAnswer } from "../contract/export.ts";
import { askPlatform } from "../platform/ask-platform.ts";
import type { ExportRequest } from "../contract/protocol.ts";

export class CatalogRows {
  readonly #platformUrl: string;
  readonly #lake: ExportRequest["lake"];
  readonly #signal: AbortSignal;

  constructor(platformUrl: string, lake: ExportRequest["lake"], signal: AbortSignal) {
    this.#platformUrl = platformUrl;
    this.#lake = lake;
    this.#signal = signal;
  }

  outline(): Promise<CatalogOutline> {
    return askPlatform(this.#platformUrl, this.#path("outline"), this.#lake.token, {}, CatalogOutline, this.#signal);
  }

  /** Every row of a table, in pages. */
  async *pages(table: string): AsyncGenerator<RowsAnswer["rows"]> {
    let after: number | null = null;
    do {
      const page: RowsAnswer = await askPlatform(
        this.#platformUrl,
        this.#path("rows"),
        this.#lake.token,
        { table, after },
        RowsAnswer,
        this.#signal,
      );
      yield page.rows;
      after = page.next;
    } while (after !== null);
  }

  #path(verb: string): string {
    return `/internal/lakes/${encodeURIComponent(this.#lake.lakeId)}/${verb}`;
  }
}
