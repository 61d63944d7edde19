// The secrets that sign a publication's tokens: the newest, and the one before it for a while. Sealed as one text.

import type { Needs } from "../../../clients/context.ts";
import { toBase64url } from "../../../core/encoding.ts";
import { secretsInUse } from "../../../platform/crypto/rotated-secrets.ts";
import type { Sealed } from "../../../platform/crypto/vault.ts";
import type { PublicationRow } from "../publication.ts";

type Named = Pick<PublicationRow, "teamId" | "id">;

export const ownerOf = ({ teamId, id }: Named) => ({ teamId, publicationId: id });

/** 256 bits. Its text, prefix and all, is the key of the signature. */
export const newSecret = (): string => `fjs_${toBase64url(crypto.getRandomValues(new Uint8Array(32)))}`;

export const sealSecrets = (
  { vault }: Needs<"vault">,
  publication: Named,
  secrets: readonly string[],
): Promise<Sealed> => vault.seal(ownerOf(publication), secrets.join(" "));

/** The secrets that sign now, the newest first; none where tokens are not taken. */
export async function openSecrets(
  { vault }: Needs<"vault">,
  publication: PublicationRow,
  now: Date,
): Promise<string[]> {
  const { sealedSecrets, previousSecretUntil } = publication;
  if (sealedSecrets === null) return [];
  const secrets = (await vault.unseal(ownerOf(publication), sealedSecrets)).split(" ");
  return secretsInUse(secrets, previousSecretUntil, now);
}
