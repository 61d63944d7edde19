import type { Needs } from "../../clients/context.ts";
import { MAIL_LIMITS } from "./limits.ts";
import { dayOf } from "./send-mail.ts";
import { deleteAsksBefore, deleteDaysBefore } from "./store.ts";

/** Forgets when addresses were asked, once they may be asked again, and counts of mails. */
export async function sweepMail({ db }: Needs<"db">, at: Date): Promise<{ mailRowsForgotten: number }> {
  const before = (ms: number) => new Date(at.getTime() - ms);
  const { askEveryMs, daysKeptMs, forgottenPerSweepMax: rowsMax } = MAIL_LIMITS;
  const asks = await deleteAsksBefore(db, before(askEveryMs).toISOString(), rowsMax);
  const days = await deleteDaysBefore(db, dayOf(before(daysKeptMs)), rowsMax);
  return { mailRowsForgotten: asks.length + days.length };
}
