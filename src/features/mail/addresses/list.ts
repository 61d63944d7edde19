import type { Needs } from "../../../clients/context.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import { selectAddresses } from "../store.ts";
import { shownAddress, type MailAddress } from "./address.ts";

/** A page of the addresses that were asked, in alphabetical order. */
export async function listMailAddresses(
  { scope, db }: Needs<"scope" | "db">,
  page: Page,
): Promise<PageOf<MailAddress>> {
  const { items, ...rest } = await selectAddresses(db, scope.teamId, page);
  return { ...rest, items: items.map((row) => shownAddress(row, scope.now)) };
}
