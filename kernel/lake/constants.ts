// The bounds of a plan.

/**
 * Bounds of one plan: the number of lists of predicates, of predicates in each, and of columns whose size is asked for.
 */
export const PLANNED = { listsMax: 16, predicatesMax: 100, columnsMax: 10_000 } as const;

/**
 * Bounds of what `describe` answers in advance for tables that a statement may name: names, tables, files of their
 * plans, and signed URLs of these. Past `urlsMax` no URL is signed: a signature costs the platform a tenth of a
 * millisecond.
 */
export const FORESEEN = { namesMax: 200, tablesMax: 50, filesMax: 1_000, urlsMax: 64 } as const;
