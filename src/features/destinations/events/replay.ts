import { z } from "@hono/zod-openapi";
import { Problem, invalidAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { MESSAGE_LIMITS } from "../../messages/limits.ts";
import { replayRange } from "../../messages/replay/replay-range.ts";
import { DISABLED_REASONS } from "./disable.ts";
import { requireDestination } from "../find.ts";

const REPLAYED_STATES = ["failed", "sent", "unknown"] as const;
const instant = z.iso.datetime();

export const EventReplay = z
  .strictObject({
    from: instant.openapi({ description: "When the oldest of the events was created." }),
    until: instant.openapi({ description: "Events that were created then or later are not sent again." }),
    states: z
      .array(z.enum(REPLAYED_STATES))
      .min(1)
      .max(REPLAYED_STATES.length)
      .optional()
      .openapi({ description: "Without it all that have ended." }),
    after: z
      .uuid()
      .transform((id) => id.toLowerCase())
      .optional()
      .openapi({ type: "string", format: "uuid", description: "`next` of the answer before: goes on behind it." }),
  })
  .openapi("EventReplay", {
    example: { from: "2026-11-01T00:00:00.000Z", until: "2026-11-02T00:00:00.000Z", states: ["failed"] },
  });
export type EventReplay = z.infer<typeof EventReplay>;

export const ReplayedEvents = z
  .object({
    replayed: z.number().int().max(MESSAGE_LIMITS.replayedMax),
    next: z.uuid().nullable().openapi({ description: "Where there may be more: `after` of the next request." }),
  })
  .openapi("ReplayedEvents");
export type ReplayedEvents = z.infer<typeof ReplayedEvents>;

/**
 * Sends the events of a time range again, under their ids and in their order. Throws `resource_conflict` for a
 * destination that is disabled.
 */
export async function replayEvents(
  ctx: Needs<"scope" | "db" | "wakeUps">,
  id: string,
  { from, until, states = [...REPLAYED_STATES], after }: EventReplay,
): Promise<ReplayedEvents> {
  const row = await requireDestination(ctx, id);
  if (row.kind !== "events")
    throw invalidAt("/path/destination_id", `The destination is of kind ${row.kind}: only events are sent again.`);
  if (row.disabledCode !== null)
    throw new Problem("resource_conflict", `${DISABLED_REASONS[row.disabledCode]} Enable it first.`);
  if (until <= from) throw invalidAt("/until", "Send an instant after `from`.");
  const range = { target: row.id, from: new Date(from), until: new Date(until), states, after };
  return replayRange(ctx, range, {
    ...{ action: "destination.replay" as const, subjectId: row.id },
    after: { from, until, states },
  });
}
