import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { TeamSettings } from "./settings.ts";
import { findSettings } from "./store.ts";

export const getTeamSettings = ({ scope, db }: Needs<"scope" | "db">): Promise<TeamSettings> =>
  findSettings(db, scope.teamId);

/** Whether runs of this team may reach the public internet. */
export const allowsInternet = async (db: Db, teamId: string): Promise<boolean> =>
  (await findSettings(db, teamId)).sandbox_internet;
