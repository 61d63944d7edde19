import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { selectUsers } from "../store.ts";
import type { User } from "./user.ts";

/** The team's users, oldest first. */
export const listUsers = ({ scope, db }: Needs<"scope" | "db">, page: Page): Promise<PageOf<User>> =>
  selectUsers(db, scope.teamId, page);
