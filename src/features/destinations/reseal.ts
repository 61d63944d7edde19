import { resealRows } from "../../platform/crypto/reseal.ts";
import type { Needs } from "../../clients/context.ts";
import { ownerOf } from "./address.ts";
import { resealDestinationRow, selectDestinationsSealedUnder } from "./store.ts";

/** Key rotation of destinations' addresses and secrets, a bounded batch a tick. */
export async function resealDestinations({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ destinationsResealed: number }> {
  const destinationsResealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectDestinationsSealedUnder(db, keyIds, rowsMax),
    ownerOf: (row) => ownerOf(row),
    save: (row, sealed) => resealDestinationRow(db, row, sealed),
  });
  return { destinationsResealed };
}
