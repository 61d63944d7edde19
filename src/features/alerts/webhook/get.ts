import type { Needs } from "../../../clients/context.ts";
import { requireWebhook } from "./find.ts";
import { shownWebhook, type AlertWebhook } from "./webhook.ts";

/** Without its secret. */
export const getAlertWebhook = async (ctx: Needs<"scope" | "db">): Promise<AlertWebhook> =>
  shownWebhook(await requireWebhook(ctx));
