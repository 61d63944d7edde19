import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../users/get.ts";
import type { ApiKey } from "./key.ts";
import { findKey } from "./store.ts";

/** A user's key that is not revoked; it may have expired. */
export async function getKey({ scope, db }: Needs<"scope" | "db">, userId: string, id: string): Promise<ApiKey> {
  const user = await getUser({ scope, db }, userId);
  const key = await findKey(db, scope.teamId, { userId: user.id, id });
  if (!key) throw notFound("Key", id);
  return key;
}
