import type { Needs } from "../../../platform/context.ts";
import { getUser } from "../users/get.ts";
import type { ApiKey } from "./key.ts";
import { selectKeys, type Listed, type Window } from "../store.ts";

/** A user's keys that are not revoked, oldest first; expired ones are among them. */
export async function listKeys(
  { scope, db }: Needs<"scope" | "db">,
  userId: string,
  window: Window,
): Promise<Listed<ApiKey> & Window> {
  const user = await getUser({ scope, db }, userId);
  return { ...(await selectKeys(db, scope.teamId, user.id, window)), ...window };
}
