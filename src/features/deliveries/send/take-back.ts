import type { Needs } from "../../../clients/context.ts";
import { emptyPrefix } from "../../../platform/bucket/empty-prefix.ts";
import { dropLinks } from "../../linked-files/link.ts";
import type { LinkedFileRow } from "../../linked-files/linked-file.ts";
import { messagePrefix, type Message } from "../../messages/message.ts";
import { isHandedOver } from "../../messages/of-run.ts";

/** Removes what was written for messages that were not handed over: their objects, and their links. Never throws. */
export async function takeBack(
  ctx: Needs<"db" | "bucket">,
  { first, links, now }: { first: Message; links: readonly LinkedFileRow[]; now: Date },
): Promise<void> {
  try {
    // A batch whose answer was lost may have been committed all the same.
    if (await isHandedOver(ctx, first)) return;
    await dropLinks(ctx, links, now);
    await emptyPrefix(ctx.bucket, messagePrefix(first), 2);
  } catch (error) {
    const { teamId, id } = first;
    console.error(JSON.stringify({ event: "hand_over_not_taken_back", teamId, id, cause: String(error) }));
  }
}
