// A delivery's results are read as they are stored, before they are drawn.

import type { Viz } from "../../../../kernel/docs/viz.ts";

export type StoredResult = {
  /** The dataset's key; a query has one result. */
  name: string;
  bytes: number;
  /** How it is drawn where no tile says it; absent: as a table. */
  viz?: Viz | undefined;
  /** The object that holds it as an Arrow stream, or why it is no rows that could be sent. */
  at: { key: string } | { unsendable: string };
};

/** `docRunId`: of a doc, the run that made the results. */
export type ReadResults = { stored: readonly StoredResult[]; docRunId: string | null };
