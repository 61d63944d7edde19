import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { findUser } from "../store.ts";
import type { User } from "./user.ts";

/** A user of another team answers exactly as one that does not exist. */
export async function getUser({ scope, db }: Needs<"scope" | "db">, id: string): Promise<User> {
  const user = await findUser(db, scope.teamId, id);
  if (!user) throw notFound("User", id);
  return user;
}
