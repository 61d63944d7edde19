import { z } from "@hono/zod-openapi";
import { invalidAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { keyOf, newSecret } from "../../../platform/crypto/webhook-signature.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { requireDoc } from "../find.ts";
import { saveWebhookSecret } from "../store.ts";

export const NewWebhookSecret = z
  .strictObject({
    secret: z
      .string()
      .max(128)
      .optional()
      .openapi({
        description:
          "`whsec_` and the base64 of 24 to 64 bytes, of a sender that has its own; one is made when absent.",
      }),
  })
  .openapi("NewWebhookSecret", { example: {} });
export type NewWebhookSecret = z.infer<typeof NewWebhookSecret>;

export const WebhookSecret = z
  .object({ secret: z.string().openapi({ description: "Shown this once." }) })
  .openapi("WebhookSecret");

/**
 * From now on the doc's webhooks must be signed with this, besides carrying a key. The secret is in this answer and
 * nowhere else.
 */
export async function setWebhookSecret(
  ctx: Needs<"scope" | "db" | "vault">,
  id: string,
  { secret = newSecret() }: NewWebhookSecret,
): Promise<z.infer<typeof WebhookSecret>> {
  const { scope, db, vault } = ctx;
  const doc = await requireDoc(ctx, id);
  if (!keyOf(secret))
    throw invalidAt("/secret", "Send whsec_ and the base64 of 24 to 64 bytes.", "The secret is not valid.");
  const sealed = await vault.seal({ teamId: scope.teamId, docId: doc.id }, secret);
  await db.batch([
    saveWebhookSecret(db, scope.teamId, doc.id, sealed),
    recordAudit(db, scope, "webhook_secret.set", {
      id: doc.id,
      before: { is_signed: doc.is_signed },
      after: { is_signed: true, secret: doc.is_signed ? "replaced" : "set" },
    }),
  ]);
  return { secret };
}

/** From now on signatures are not looked at. */
export async function deleteWebhookSecret(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const doc = await requireDoc(ctx, id);
  await db.batch([
    saveWebhookSecret(db, scope.teamId, doc.id, null),
    recordAudit(db, scope, "webhook_secret.delete", {
      id: doc.id,
      before: { is_signed: doc.is_signed },
      after: { is_signed: false },
    }),
  ]);
}
