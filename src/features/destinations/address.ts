// A destination's address, and the secrets that sign what is sent there. They are sealed as one text.

import { z } from "@hono/zod-openapi";
import { invalidAt } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import { flawOfUrl } from "../../platform/webhooks/flaw-of-url.ts";
import type { DestinationRow } from "./destination.ts";

/** `secrets`: the newest first; none where messages are not signed. */
const Address = z.strictObject({ url: z.string(), secrets: z.array(z.string()) });
export type Address = z.infer<typeof Address>;

type Named = Pick<DestinationRow, "teamId" | "id">;

export const ownerOf = ({ teamId, id }: Named) => ({ teamId, destinationId: id });

export const sealAddress = ({ vault }: Needs<"vault">, named: Named, address: Address): Promise<Sealed> =>
  vault.seal(ownerOf(named), JSON.stringify(address));

export const openAddress = async ({ vault }: Needs<"vault">, row: DestinationRow): Promise<Address> =>
  Address.parse(JSON.parse(await vault.unseal(ownerOf(row), row.sealed)));

/** Throws `validation_failed` for a URL that nothing is sent to. */
export function requireUrl(deps: Needs<"settings">, url: string): void {
  const flaw = flawOfUrl(deps, url);
  if (flaw !== undefined) throw invalidAt("/url", flaw, `Nothing can be sent to this URL. ${flaw}`);
}
