import { resealRows } from "../../../platform/crypto/reseal.ts";
import type { Needs } from "../../../clients/context.ts";
import { resealEndpointRow, selectEndpointsSealedUnder } from "../store.ts";
import { ownerOf } from "./secrets.ts";

/** Key rotation of the secrets that sign endpoints' tokens, a bounded batch a tick. */
export async function resealEndpointSecrets({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ endpointSecretsResealed: number }> {
  const endpointSecretsResealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectEndpointsSealedUnder(db, keyIds, rowsMax),
    ownerOf: (row) => ownerOf(row),
    save: (row, sealed) => resealEndpointRow(db, row, sealed),
  });
  return { endpointSecretsResealed };
}
