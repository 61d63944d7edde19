import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { KvStore } from "./kv-store.ts";
import { findKvStore } from "./store.ts";

/** The whole store. Clients take a 404 as a store that is empty and new. */
export async function getKvStore({ scope, db }: Needs<"scope" | "db">, name: string): Promise<KvStore> {
  const found = await findKvStore(db, scope.teamId, name);
  if (!found) throw notFound("Store", name);
  return { data: JSON.parse(found.data) as KvStore["data"], version_id: found.versionId };
}
