// The roles in a team as people read them.

import type { Me } from "../../api/me.ts";

export const ROLE_TITLES: Record<Me["role"], string> = { member: "Member", admin: "Admin" };
