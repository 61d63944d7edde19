import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { shownEndpoint, type Endpoint } from "./endpoint.ts";
import { selectEndpoints } from "./store.ts";

/** A page of the team's endpoints, by name. */
export async function listEndpoints({ scope, db }: Needs<"scope" | "db">, page: Page): Promise<PageOf<Endpoint>> {
  const found = await selectEndpoints(db, scope.teamId, page);
  return { ...found, items: found.items.map(shownEndpoint) };
}
