import type { Db } from "../../../platform/db/client.ts";
import type { SyncFacts } from "./facts.ts";
import { selectSyncFacts, type FactsQuery } from "./store.ts";

/** How the syncs of these teams go, a page by team and id: for the sweep of alerts, which has no scope. */
export const listSyncFacts = (db: Db, query: FactsQuery): Promise<SyncFacts[]> => selectSyncFacts(db, query);
