// Everything under /v4 about the caller, the team's people and their keys, and, for operators, the teams.

import { createRouter } from "../../http/router.ts";
import { adminTeams } from "./routes/admin-teams.ts";
import { keys } from "./routes/keys.ts";
import { settings } from "./routes/settings.ts";
import { users } from "./routes/users.ts";

export const teams = createRouter();

teams.route("/", users);
teams.route("/", keys);
teams.route("/", settings);
teams.route("/admin/teams", adminTeams);
