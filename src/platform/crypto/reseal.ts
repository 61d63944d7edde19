// Key rotation: what is sealed under a retired key moves to the vault's first key; then the old key may leave the
// vault.

import type { Owner, Sealed, Vault } from "./vault.ts";

const ROWS_MAX = 50;

/** What a kind of rows needs for it. `save` answers the row, or nothing where it has changed since it was read. */
export type SealedRows<Row> = {
  select(keyIds: string[], rowsMax: number): Promise<Row[]>;
  ownerOf(row: Row): Owner;
  save(row: Row, sealed: Sealed): PromiseLike<unknown[]>;
};

/**
 * Re-seals a bounded number of rows and answers how many. A row that changes meanwhile is left to the change, which
 * seals anew; one that can't be opened is logged, and keeps no other from its turn.
 */
export async function resealRows<Row extends { sealed: string }>(
  vault: Vault,
  { select, ownerOf, save }: SealedRows<Row>,
): Promise<number> {
  const keyIds = vault.retiredKeyIds();
  if (keyIds.length === 0) return 0;
  let resealed = 0;
  for (const row of await select(keyIds, ROWS_MAX)) {
    const owner = ownerOf(row);
    try {
      const sealed = await vault.seal(owner, await vault.unseal(owner, row.sealed));
      resealed += (await save(row, sealed)).length;
    } catch (error) {
      console.error(JSON.stringify({ event: "reseal_failed", ...owner, cause: String(error) }));
    }
  }
  return resealed;
}
