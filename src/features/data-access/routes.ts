// Everything under /v4/data-access: roles, who has them, and what somebody may read.

import { createRouter } from "../../http/router.ts";
import { members } from "./members/routes.ts";
import { roles } from "./roles/routes.ts";
import { users } from "./users/routes.ts";

export const dataAccess = createRouter();

dataAccess.include("/roles", roles);
dataAccess.include("/roles", members);
dataAccess.include("/", users);
