import type { Scope } from "../../core/scope.ts";
import type { Viewer } from "./store.ts";

/** Admins look after everybody's links, others after their own. */
export const viewerOf = ({ teamId, userId, rights }: Scope): Viewer => ({
  teamId,
  userId,
  seesAll: rights.includes("team:manage"),
});
