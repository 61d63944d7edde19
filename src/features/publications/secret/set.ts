import { z } from "@hono/zod-openapi";
import { PUBLICATION_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import type { AuditedAs, PublicationKind, PublicationRow } from "../publication.ts";
import { changedMeanwhile, requirePublication } from "../find.ts";
import { requireReading } from "../requirements.ts";
import { hasRevision, updatePublicationRow } from "../store.ts";
import { newSecret, openSecrets, sealSecrets } from "./secrets.ts";

export const PublicationSecretRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(PUBLICATION_LIMITS.secretOverlapSecondsMax)
      .default(0)
      .openapi({ description: "For how long tokens that the secret before has signed are taken as well." }),
  })
  .openapi("PublicationSecretRotation", { example: { overlap_seconds: 3600 } });
export type PublicationSecretRotation = z.infer<typeof PublicationSecretRotation>;

export const PublicationSecret = z
  .object({
    secret: z.string().openapi({ description: "Signs tokens by HMAC-SHA256 with its text. Shown this once." }),
    previous_secret_until: z.iso.datetime().nullable(),
  })
  .openapi("PublicationSecret");
export type PublicationSecret = z.infer<typeof PublicationSecret>;

/** Makes a new secret. The one before it, if any, is good for the overlap and no longer. */
export async function setPublicationSecret(
  ctx: Needs<"scope" | "db" | "vault">,
  { kind, id, action }: { kind: PublicationKind; id: string } & Pick<AuditedAs, "action">,
  { overlap_seconds: overlap }: PublicationSecretRotation,
): Promise<PublicationSecret> {
  const { scope, db } = ctx;
  requireReading(scope);
  const before = await requirePublication(ctx, kind, id);
  const [previous] = overlap > 0 ? await openSecrets(ctx, before, scope.now) : [];
  const secret = newSecret();
  const sealed = await sealSecrets(ctx, before, previous === undefined ? [secret] : [secret, previous]);
  const after: PublicationRow = {
    ...before,
    sealedSecrets: sealed.text,
    vaultKeyId: sealed.keyId,
    previousSecretUntil: previous === undefined ? null : new Date(scope.now.getTime() + overlap * 1_000).toISOString(),
    revision: before.revision + 1,
    updatedAt: scope.now.toISOString(),
  };
  const facts = ({ sealedSecrets, previousSecretUntil }: PublicationRow) => ({
    takes_tokens: sealedSecrets !== null,
    previous_secret_until: previousSecretUntil,
  });
  const [, changed] = await db.batch([
    recordAuditIf(db, scope, {
      action,
      subjectId: before.id,
      when: hasRevision(before),
      before: facts(before),
      after: { ...facts(after), secret: before.sealedSecrets === null ? "set" : "replaced" },
    }),
    updatePublicationRow(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile(before);
  return { secret, previous_secret_until: after.previousSecretUntil };
}
