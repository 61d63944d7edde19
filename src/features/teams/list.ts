import type { Needs } from "../../platform/context.ts";
import { selectTeams, type Listed, type TeamFilter, type Window } from "./store.ts";
import type { Team, TeamOrder } from "./team.ts";

export type TeamQuery = TeamFilter & Window & { orderBy: TeamOrder; ascending: boolean };

/** Every team of the platform, by page; for operators. */
export async function listTeams({ db }: Needs<"db">, query: TeamQuery): Promise<Listed<Team> & Window> {
  const window = { limit: query.limit, offset: query.offset };
  return { ...(await selectTeams(db, query, { by: query.orderBy, ascending: query.ascending }, window)), ...window };
}
