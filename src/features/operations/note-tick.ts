import { OPERATION_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { findLastTick, saveTick } from "./store.ts";

/** Keeps when the clock last ticked, and says in the log between which instants it did not. */
export async function noteTick({ db }: Needs<"db">, at: Date): Promise<{ minutesAway: number }> {
  const last = await findLastTick(db);
  await saveTick(db, at.toISOString());
  const awayMs = last === undefined ? 0 : at.getTime() - Date.parse(last);
  if (awayMs <= OPERATION_LIMITS.platformAwayMs) return { minutesAway: 0 };
  console.warn(JSON.stringify({ event: "platform_away", from: last, to: at.toISOString() }));
  return { minutesAway: Math.round(awayMs / 60_000) };
}
