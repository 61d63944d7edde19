import { z } from "@hono/zod-openapi";
import { ENDPOINT_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import type { EndpointRow } from "../endpoint.ts";
import { changedMeanwhile, requireEndpoint } from "../find.ts";
import { requireReading } from "../publish.ts";
import { hasRevision, updateEndpointRow } from "../store.ts";
import { newSecret, openSecrets, sealSecrets } from "./secrets.ts";

export const EndpointSecretRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(ENDPOINT_LIMITS.secretOverlapSecondsMax)
      .default(0)
      .openapi({ description: "For how long tokens that the secret before has signed are taken as well." }),
  })
  .openapi("EndpointSecretRotation", { example: { overlap_seconds: 3600 } });
export type EndpointSecretRotation = z.infer<typeof EndpointSecretRotation>;

export const EndpointSecret = z
  .object({
    secret: z.string().openapi({ description: "Signs tokens by HMAC-SHA256 with its text. Shown this once." }),
    previous_secret_until: z.iso.datetime().nullable(),
  })
  .openapi("EndpointSecret");
export type EndpointSecret = z.infer<typeof EndpointSecret>;

/** Makes a new secret. The one before it, if any, is good for the overlap and no longer. */
export async function setEndpointSecret(
  ctx: Needs<"scope" | "db" | "vault">,
  id: string,
  { overlap_seconds: overlap }: EndpointSecretRotation,
): Promise<EndpointSecret> {
  const { scope, db } = ctx;
  requireReading(scope);
  const before = await requireEndpoint(ctx, id);
  const [previous] = overlap > 0 ? await openSecrets(ctx, before, scope.now) : [];
  const secret = newSecret();
  const sealed = await sealSecrets(ctx, before, previous === undefined ? [secret] : [secret, previous]);
  const after: EndpointRow = {
    ...before,
    sealedSecrets: sealed.text,
    vaultKeyId: sealed.keyId,
    previousSecretUntil: previous === undefined ? null : new Date(scope.now.getTime() + overlap * 1_000).toISOString(),
    revision: before.revision + 1,
    updatedAt: scope.now.toISOString(),
  };
  const facts = ({ sealedSecrets, previousSecretUntil }: EndpointRow) => ({
    takes_tokens: sealedSecrets !== null,
    previous_secret_until: previousSecretUntil,
  });
  const [, changed] = await db.batch([
    recordAuditIf(db, scope, {
      action: "endpoint_secret.set",
      subjectId: before.id,
      when: hasRevision(before),
      before: facts(before),
      after: { ...facts(after), secret: before.sealedSecrets === null ? "set" : "replaced" },
    }),
    updateEndpointRow(db, before, after),
  ]);
  if (changed.length === 0) throw changedMeanwhile();
  return { secret, previous_secret_until: after.previousSecretUntil };
}
