import { resealRows } from "../../platform/crypto/reseal.ts";
import type { Needs } from "../../clients/context.ts";
import { ownerOf } from "./address.ts";
import { sealedDestinations } from "./store.ts";

/** Key rotation of destinations' addresses and secrets, a bounded batch a tick. */
export const resealDestinations = async ({ db, vault }: Needs<"db" | "vault">) => ({
  destinationsResealed: await resealRows(vault, { ...sealedDestinations(db), ownerOf: (row) => ownerOf(row) }),
});
