// A row of the catalog is visible at a snapshot between its begin and its end.

/** `row` exists at the snapshot; its id is to be bound twice. */
export const visible = (row: string): string =>
  `${row}.begin_snapshot <= ? AND (${row}.end_snapshot IS NULL OR ${row}.end_snapshot > ?)`;
