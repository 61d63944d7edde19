import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { shownDelivery, type AlertDelivery } from "./delivery.ts";
import { selectDeliveries, type DeliveryFilter } from "./store.ts";

/** A page of what was sent to the team's webhook, or is on its way; newest first. */
export async function listAlertDeliveries(
  { scope, db }: Needs<"scope" | "db">,
  filter: DeliveryFilter,
  asked: Page,
): Promise<PageOf<AlertDelivery>> {
  const page = await selectDeliveries(db, scope.teamId, filter, asked);
  return { ...page, items: page.items.map(shownDelivery) };
}
