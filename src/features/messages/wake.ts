import type { Needs } from "../../clients/context.ts";
import { MESSAGE_LIMITS } from "./limits.ts";
import { selectDueMessages } from "./store.ts";

/** Wakes the first of what is due of one team; its others follow as these are answered. */
export async function wakeMessages({ db, wakeUps }: Needs<"db" | "wakeUps">, teamId: string, now: Date): Promise<void> {
  const rowsMax = MESSAGE_LIMITS.messagesPerSweepMax;
  await wakeUps.sendAll("outgoing_message", await selectDueMessages(db, now.toISOString(), { rowsMax, teamId }));
}
