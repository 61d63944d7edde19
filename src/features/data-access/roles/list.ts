import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AccessRole } from "./role.ts";
import { selectRoles } from "./store.ts";

/** The team's roles, in the order of their names. */
export const listRoles = ({ scope, db }: Needs<"scope" | "db">, page: Page): Promise<PageOf<AccessRole>> =>
  selectRoles(db, scope.teamId, page);
