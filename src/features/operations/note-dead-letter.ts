import type { Needs } from "../../clients/context.ts";
import type { WakeUp } from "../../platform/messages.ts";
import { countDeadLetter } from "./store.ts";

/** Counts a message that no consumer could work on. */
export const noteDeadLetter = async ({ db }: Needs<"db">, { kind }: Pick<WakeUp, "kind">, at: Date): Promise<void> =>
  void (await countDeadLetter(db, kind, at.toISOString()));
