import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { selectTeams, type TeamFilter } from "./store-teams.ts";
import type { Team, TeamOrder } from "./team.ts";

export type TeamQuery = TeamFilter & Page & { orderBy: TeamOrder; ascending: boolean };

/** Every team of the platform, by page; for operators. */
export const listTeams = (
  { db }: Needs<"db">,
  { orderBy, ascending, limit, offset, ...filter }: TeamQuery,
): Promise<PageOf<Team>> => selectTeams(db, filter, { by: orderBy, ascending }, { limit, offset });
