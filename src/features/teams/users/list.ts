import type { Needs } from "../../../platform/context.ts";
import { selectUsers, type Listed, type Window } from "../store.ts";
import type { User } from "./user.ts";

/** The team's users, oldest first. */
export async function listUsers({ scope, db }: Needs<"scope" | "db">, window: Window): Promise<Listed<User> & Window> {
  return { ...(await selectUsers(db, scope.teamId, window)), ...window };
}
