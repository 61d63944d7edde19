// The bounds of a plan.

/** What one plan takes: so many lists, each of so many predicates. */
export const PLANNED = { listsMax: 16, predicatesMax: 100 } as const;

/**
 * What is answered at once of tables that a statement may name: names, tables, files of their plans, and signed URLs of
 * these, or none of more. A signature costs the platform a tenth of a millisecond.
 */
export const FORESEEN = { namesMax: 200, tablesMax: 50, filesMax: 1_000, urlsMax: 64 } as const;
