// The noun: the caller as the platform sees it. Pure.

import { z } from "@hono/zod-openapi";
import { RIGHTS, ROLES, type Scope } from "../../core/scope.ts";

export const Me = z
  .object({
    user: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
    team: z.object({ id: z.uuid(), name: z.string() }),
    role: z.enum(ROLES),
    is_operator: z.boolean(),
    rights: z.array(z.enum(RIGHTS)),
    key_id: z.uuid().openapi({ description: "The key's id, or that of a session which was made by no key." }),
    session_id: z.uuid().nullable().openapi({ description: "The session that the request came in; null: none." }),
    scopes: z
      .array(z.enum(RIGHTS))
      .nullable()
      .openapi({ description: "Of the key, where it has some: `rights` are those of the user that are among them." }),
  })
  .openapi("Me");
export type Me = z.infer<typeof Me>;

/** Answered from the scope alone: it needs no read. */
export const getMe = (scope: Omit<Scope, "requestId" | "now">): Me => ({
  user: { id: scope.userId, name: scope.userName, email: scope.email },
  team: { id: scope.teamId, name: scope.teamName },
  role: scope.role,
  is_operator: scope.isOperator,
  rights: [...scope.rights],
  key_id: scope.keyId,
  session_id: scope.sessionId ?? null,
  scopes: scope.scopes ? [...scope.scopes] : null,
});
