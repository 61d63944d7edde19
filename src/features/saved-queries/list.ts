import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import type { SavedQuery } from "./saved-query.ts";
import { selectQueries, type QueryFilter } from "./store.ts";

/** A page of the team's saved queries, oldest first. */
export const listSavedQueries = (
  { scope, db }: Needs<"scope" | "db">,
  filter: QueryFilter,
  page: Page,
): Promise<PageOf<SavedQuery>> => selectQueries(db, scope.teamId, filter, page);
