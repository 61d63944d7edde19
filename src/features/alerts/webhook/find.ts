import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { findWebhook } from "./store.ts";
import type { Webhook } from "./webhook.ts";

export async function requireWebhook({ scope, db }: Needs<"scope" | "db">): Promise<Webhook> {
  const webhook = await findWebhook(db, scope.teamId);
  if (webhook) return webhook;
  throw new Problem("resource_not_found", "The team has no alert webhook. `PUT /v4/alerts/webhook` sets one.");
}

export const changedMeanwhile = (): Problem =>
  new Problem(
    "resource_conflict",
    "The webhook was changed at the same time. Read it again and repeat what is still wanted.",
  );
