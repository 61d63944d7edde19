import type { Needs, OfTeam } from "../../../clients/context.ts";
import { selectUserNames } from "../store.ts";

/** The names of these people of the team, by id; who is gone has none. */
export const findUserNames = ({ scope, db }: Needs<"db"> & OfTeam, ids: string[]): Promise<Map<string, string>> =>
  selectUserNames(db, scope.teamId, ids);
