import { resealRows } from "../../../platform/crypto/reseal.ts";
import type { Needs } from "../../../clients/context.ts";
import { resealPublicationRow, selectPublicationsSealedUnder } from "../store.ts";
import { ownerOf } from "./secrets.ts";

/** Key rotation of the secrets that sign publications' tokens, a bounded batch a tick. */
export async function resealPublicationSecrets({
  db,
  vault,
}: Needs<"db" | "vault">): Promise<{ publicationSecretsResealed: number }> {
  const publicationSecretsResealed = await resealRows(vault, {
    select: (keyIds, rowsMax) => selectPublicationsSealedUnder(db, keyIds, rowsMax),
    ownerOf: (row) => ownerOf(row),
    save: (row, sealed) => resealPublicationRow(db, row, sealed),
  });
  return { publicationSecretsResealed };
}
