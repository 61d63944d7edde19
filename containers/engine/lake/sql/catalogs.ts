// The names of the catalogs that a statement's tables are in while it runs.

/** The catalog that statements name. */
export const CATALOG_NAME = "LAKE";

/** The folded name of that catalog, and the schema that statements mean where they name none. */
export const CATALOG = "lake";
export const DEFAULT_SCHEMA = "main";

/**
 * The catalog that holds tables as of an earlier snapshot, a number or an instant. Short, so that a name with it takes
 * no more space than one with its AT clause.
 */
export const catalogAt = (at: string): string => `LAKE@${/^\d+$/.test(at) ? at : Date.parse(at).toString(36)}`;

/** DuckDB's message or plan, with the lake's one name in the place of those of our own catalogs. */
export const withoutCatalogs = (text: string): string =>
  text.replaceAll(
    /"LAKE(?:@[\w-]+| rows| inbox| before| staged)"|\bLAKE(?:@[\w-]+| rows\b| inbox\b| before\b| staged\b)/g,
    "LAKE",
  );
