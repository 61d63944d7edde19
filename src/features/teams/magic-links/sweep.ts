import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { deleteOldLinks } from "./store.ts";

/** Forgets links that ended long ago. */
export async function sweepMagicLinks({ db }: Needs<"db">, at: Date): Promise<{ magicLinksForgotten: number }> {
  const before = new Date(at.getTime() - TEAM_LIMITS.magicLinkKeptMs).toISOString();
  return { magicLinksForgotten: (await deleteOldLinks(db, before, TEAM_LIMITS.magicLinksForgottenPerSweepMax)).length };
}
