import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { findTeam } from "./store-teams.ts";
import type { Team } from "./team.ts";

/** Any team; for operators. */
export async function getTeam({ db }: Needs<"db">, id: string): Promise<Team> {
  const team = await findTeam(db, id);
  if (!team) throw notFound("Team", id);
  return team;
}
