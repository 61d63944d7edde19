import { resealRows } from "../../platform/crypto/reseal.ts";
import type { Needs } from "../../clients/context.ts";
import { ownerOf } from "./address.ts";
import { sealedDestinations } from "./store.ts";

/** Key rotation of destinations' addresses and secrets, a bounded batch a tick. */
export async function resealDestinations({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ destinationsResealed: number }> {
  const destinationsResealed = await resealRows(vault, { ...sealedDestinations(db), ownerOf: (row) => ownerOf(row) });
  return { destinationsResealed };
}
