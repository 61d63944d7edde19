// The engine's requests to the platform for an export of a lake's catalog.

import { z } from "zod";

/**
 * POST /internal/lakes/{lakeId}/outline: what an export at the token's snapshot is made of. `mark` is the same before
 * and after the rows were read unless something was taken out of the catalog in between; then the rows may not fit
 * together.
 */
export const CatalogOutline = z.object({
  mark: z.string(),
  /** DuckLake's tables, with their columns in order and SQLite's types for them. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) })),
});
export type CatalogOutline = z.infer<typeof CatalogOutline>;

/**
 * POST /internal/lakes/{lakeId}/rows: a page of a table's rows as of the token's snapshot, after the position at which
 * the last page ended.
 */
export const RowsRequest = z.strictObject({ table: z.string(), after: z.number().int().nonnegative().nullable() });
export const RowsAnswer = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  /** Null: that was the last page. */
  next: z.number().int().nullable(),
});
export type RowsAnswer = z.infer<typeof RowsAnswer>;
