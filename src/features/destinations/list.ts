import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { shownDestination, type Destination } from "./destination.ts";
import { selectDestinations } from "./store.ts";

/** A page of the team's destinations, by name. */
export async function listDestinations({ scope, db }: Needs<"scope" | "db">, page: Page): Promise<PageOf<Destination>> {
  const found = await selectDestinations(db, scope.teamId, page);
  return { ...found, items: found.items.map(shownDestination) };
}
