// A lake's catalog as the platform answers it: its outline, and its rows page by page.

import type { ZodType } from "zod";
import { CatalogOutline, RowsAnswer } from "../../../kernel/lake/export.ts";
import { askPlatform } from "../platform/ask-platform.ts";
import type { ExportRequest } from "../../../kernel/wire/engine.ts";

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
    return this.#ask("outline", {}, CatalogOutline);
  }

  /** Every row of a table, in pages. */
  async *pages(table: string): AsyncGenerator<RowsAnswer["rows"]> {
    let after: number | null = null;
    do {
      const page: RowsAnswer = await this.#ask("rows", { table, after }, RowsAnswer);
      yield page.rows;
      after = page.next;
    } while (after !== null);
  }

  #ask<T>(verb: string, body: object, answer: ZodType<T>): Promise<T> {
    const { lakeId, token } = this.#lake;
    const path = `/internal/lakes/${encodeURIComponent(lakeId)}/${verb}`;
    return askPlatform({ platformUrl: this.#platformUrl, token }, { path, body, answer, signal: this.#signal });
  }
}
