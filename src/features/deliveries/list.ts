import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { shownDelivery, type Delivery } from "./delivery.ts";
import { selectDeliveries } from "./store.ts";

/** A page of the team's deliveries, oldest first. */
export async function listDeliveries({ scope, db }: Needs<"scope" | "db">, page: Page): Promise<PageOf<Delivery>> {
  const found = await selectDeliveries(db, scope.teamId, page);
  return { ...found, items: found.items.map(shownDelivery) };
}
