import type { Db } from "../../../platform/db/client.ts";
import type { JobFacts } from "./job-facts.ts";
import { selectJobFacts, type FactsQuery } from "./store.ts";

/** How the jobs of these teams go, a page by team and id: for what looks across teams, and has no scope. */
export const listJobFacts = (db: Db, query: FactsQuery): Promise<JobFacts[]> => selectJobFacts(db, query);
