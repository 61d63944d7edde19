// The noun: a user who has a role.

import { z } from "@hono/zod-openapi";

export const RoleMember = z
  .object({ user_id: z.uuid(), name: z.string(), email: z.string(), added_at: z.iso.datetime() })
  .openapi("AccessRoleMember");
export type RoleMember = z.infer<typeof RoleMember>;
