import { EVERY } from "../../../kernel/access/access.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { findHeldAccess, type HeldAccess } from "./store.ts";

export type { HeldAccess };

type Caller = Pick<Scope, "role">;

export const getHeldAccess = ({ scope, db }: Needs<"scope" | "db">): Promise<HeldAccess> => findHeldAccess(db, scope);

/** Tells of the id of a lake or a database whether its caller may read anything of it. */
export async function openGranted(ctx: Needs<"scope" | "db">): Promise<(id: string) => boolean> {
  return grantedBy(ctx.scope, await getHeldAccess(ctx));
}

export function grantedBy({ role }: Caller, { isOpen, roles }: Pick<HeldAccess, "isOpen" | "roles">) {
  if (role === "admin" || isOpen) return () => true;
  const named = new Set(roles.flatMap(({ grants }) => grants.map(({ integration_id: id }) => id)));
  return (id: string): boolean => named.has(EVERY) || named.has(id);
}
