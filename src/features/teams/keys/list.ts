import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../users/get.ts";
import type { ApiKey } from "./key.ts";
import { selectKeys } from "./store.ts";

/** A user's keys that are not revoked, oldest first; expired ones are among them. */
export async function listKeys(
  { scope, db }: Needs<"scope" | "db">,
  userId: string,
  page: Page,
): Promise<PageOf<ApiKey>> {
  const user = await getUser({ scope, db }, userId);
  return selectKeys(db, scope.teamId, user.id, page);
}
