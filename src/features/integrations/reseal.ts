import { resealRows } from "../../platform/crypto/reseal.ts";
import { sealedCredentials } from "./store.ts";
import type { Needs } from "../../clients/context.ts";

/** Key rotation of credentials, a bounded batch a tick. */
export async function resealCredentials({ db, vault }: Needs<"db" | "vault">): Promise<{ resealed: number }> {
  const resealed = await resealRows(vault, {
    ...sealedCredentials(db),
    ownerOf: ({ teamId, id }) => ({ teamId, integrationId: id }),
  });
  return { resealed };
}
