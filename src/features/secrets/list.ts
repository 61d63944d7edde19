import type { Needs } from "../../clients/context.ts";
import { selectSecretKeys } from "./store.ts";

/** The keys of the team's secrets, in order. */
export const listSecrets = ({ scope, db }: Needs<"scope" | "db">): Promise<string[]> =>
  selectSecretKeys(db, scope.teamId);
