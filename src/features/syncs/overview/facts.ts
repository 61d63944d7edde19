// The facts of a sync's newest runs, and the names of the tables that it reads and writes.

import type { Run } from "../runs/run.ts";
import type { Sync } from "../sync.ts";

export type NewestRun = Pick<
  Run,
  "id" | "state" | "cause" | "cancelReason" | "error" | "endedAt" | "createdAt" | "summary"
> & { startedAt: string | null };

export type SyncFacts = {
  sync: Sync;
  /** Null once the integration is gone. */
  sourceName: string | null;
  lakeName: string | null;
  newest: NewestRun | null;
  /** The newest that brought the whole of the sync: not some of its tables only. */
  success: { id: string; startedAt: string | null; endedAt: string } | null;
  failure: { id: string; endedAt: string; error: string | null } | null;
};
