import { scopeIn } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { insertLakeStatements, planLake } from "../integrations/add-lake.ts";
import { mintKey, type MintedKey } from "./keys/key.ts";
import { insertKey } from "./keys/store.ts";
import { insertUser } from "./store.ts";
import { insertTeam } from "./store-teams.ts";
import { planTeam, type NewTeam, type Team } from "./team.ts";
import { planUser, type User } from "./users/user.ts";

export type CreatedTeam = { team: Team; admin: User; api_key: MintedKey };

/** Opens a team with its own lake, its first admin and that admin's key, which is shown this once. */
export async function createTeam({ scope, db }: Needs<"scope" | "db">, input: NewTeam): Promise<CreatedTeam> {
  const { now } = scope;
  const team = planTeam(now, input);
  const admin = planUser(now, { ...input.admin, role: "admin" });
  const { minted, suffixHash } = await mintKey(now, admin.id, { name: FIRST_KEY_NAME, expires_at: null });
  await db.batch([
    insertTeam(db, team),
    insertUser(db, team.id, admin),
    insertKey(db, team.id, { userId: admin.id, key: minted, suffixHash }),
    ...insertLakeStatements(db, planLake({ teamId: team.id, name: LAKE_NAME, isDefault: true, now })),
    recordAudit(db, scopeIn(scope, team.id), "team.create", {
      id: team.id,
      after: { name: team.name, domain: team.domain, plan: team.plan, admin_id: admin.id },
    }),
  ]);
  return { team, admin, api_key: minted };
}

export const FIRST_KEY_NAME = "First key";
export const LAKE_NAME = "Lake";
