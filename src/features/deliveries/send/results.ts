// What a delivery has read, before it is drawn: results as they are stored.

import type { Viz } from "../../../../kernel/docs/viz.ts";

export type StoredResult = {
  /** The dataset's key; a query has one result. */
  name: string;
  bytes: number;
  /** How it is drawn where no tile says it; absent: as a table. */
  viz?: Viz | undefined;
  /** An Arrow stream. */
  read(): Promise<Uint8Array>;
};
