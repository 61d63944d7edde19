// Everything under /v4 about the caller, the team's people, their keys and sessions, and, for operators, the teams.

import { createRouter } from "../../http/router.ts";
import { adminTeams } from "./admin-routes.ts";
import { agents } from "./agents/routes.ts";
import { ownKeys } from "./keys/own-routes.ts";
import { keys } from "./keys/routes.ts";
import { domains } from "./domains/routes.ts";
import { identities } from "./identities/routes.ts";
import { identityProvider } from "./identity-provider/routes.ts";
import { passkeys } from "./passkeys/routes.ts";
import { sessions } from "./sessions/routes.ts";
import { settings } from "./settings/routes.ts";
import { users } from "./users/routes.ts";

export const teams = createRouter();

teams.include("/", users);
teams.include("/", keys);
teams.include("/", ownKeys);
teams.include("/", sessions);
teams.include("/", passkeys);
teams.include("/", agents);
teams.include("/", identities);
teams.include("/", identityProvider);
teams.include("/", domains);
teams.include("/", settings);
teams.include("/admin/teams", adminTeams);
