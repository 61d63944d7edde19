import { resealRows } from "../../platform/crypto/reseal.ts";
import { resealRow, selectSealedUnder } from "./store.ts";
import type { Needs } from "../../clients/context.ts";

/** Key rotation of credentials, a bounded batch a tick. */
export async function resealCredentials({ db, vault }: Needs<"db" | "vault">): Promise<{ resealed: number }> {
  const resealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectSealedUnder(db, keyIds, rowsMax),
    ownerOf: ({ teamId, id }) => ({ teamId, integrationId: id }),
    save: (row, sealed) => resealRow(db, row, sealed),
  });
  return { resealed };
}
