import type { Needs } from "../../clients/context.ts";
import { selectDueInLane, selectDueMessages } from "./due/store.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import type { Message } from "./message.ts";

/** Wakes the first of what is due of one team; its others follow as these are answered. */
export async function wakeMessages({ db, wakeUps }: Needs<"db" | "wakeUps">, teamId: string, now: Date): Promise<void> {
  const rowsMax = MESSAGE_LIMITS.messagesPerSweepMax;
  await wakeUps.sendAll("outgoing_message", await selectDueMessages(db, now.toISOString(), { rowsMax, teamId }));
}

/**
 * Wakes what is due to the same destination as an event that was answered. One that does not take events gets repeats
 * one at a time, beside new ones.
 */
export async function wakeLane(
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  lane: Pick<Message, "teamId" | "target">,
  { isTaken, now }: { isTaken: boolean; now: Date },
): Promise<void> {
  const { eventsUnderWayMax: placesMax } = MESSAGE_LIMITS;
  const places = { at: now.toISOString(), placesMax, repeatsMax: isTaken ? placesMax : 1 };
  await wakeUps.sendAll("outgoing_message", await selectDueInLane(db, lane, places));
}
