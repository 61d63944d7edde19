import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { areEqualTexts } from "../../../platform/crypto/digest.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { insertLakeStatements, planLake } from "../../integrations/add-lake.ts";
import { FIRST_KEY_NAME, LAKE_NAME, type CreatedTeam } from "../create.ts";
import { mintKey } from "../keys/key.ts";
import { insertKey } from "../keys/store.ts";
import { insertUser } from "../store.ts";
import { hasOperator, insertFirstTeam } from "../store-teams.ts";
import { planTeam, type Bootstrap } from "../team.ts";
import { auditedUser, planUser } from "../users/user.ts";

/** Throws `auth_invalid_token` unless `secret`, which the caller sent, is the deployment's. */
export async function requireBootstrapSecret(
  { settings }: Needs<"settings">,
  secret: string | undefined,
): Promise<void> {
  const expected = settings.bootstrapSecret;
  // No secret set means that nobody may.
  if (expected && secret !== undefined && (await areEqualTexts(expected, secret))) return;
  throw new Problem("auth_invalid_token", "Send the deployment's BOOTSTRAP_SECRET: `Authorization: Bearer <secret>`.");
}

/**
 * Mints the platform's first operator, with a team, its lake and a key that is shown this once. Whoever asks has sent
 * the deployment's secret. Throws `resource_conflict` once there is an operator.
 */
export async function createFirstOperator({ db }: Needs<"db">, input: Bootstrap, now: Date): Promise<CreatedTeam> {
  if (await hasOperator(db)) throw alreadyDone();

  const team = planTeam(now, { name: input.team_name, domain: input.domain, plan: "enterprise" });
  const admin = planUser(now, { name: input.name, email: input.email, role: "admin" }, true);
  const { minted, suffixHash } = await mintKey(now, admin.id, { name: FIRST_KEY_NAME, expires_at: null });
  // The team is inserted only while there is no operator. The second of two calls at once finds none to put its user
  // in, and its whole batch fails.
  await db
    .batch([
      insertFirstTeam(db, team),
      insertUser(db, team.id, admin),
      insertKey(db, team.id, { userId: admin.id, key: minted, suffixHash }),
      ...insertLakeStatements(db, planLake({ teamId: team.id, name: LAKE_NAME, isDefault: true, now })),
      recordAudit(db, { teamId: team.id, userId: admin.id, now }, "operator.create", {
        id: admin.id,
        after: auditedUser(admin),
      }),
    ])
    .catch((error: unknown) => rethrowUnlessLost(db, error));
  return { team, admin, api_key: minted };
}

async function rethrowUnlessLost(db: Db, error: unknown): Promise<never> {
  throw (await hasOperator(db)) ? alreadyDone(error) : error;
}

const alreadyDone = (cause?: unknown): Problem =>
  new Problem(
    "resource_conflict",
    "The platform has an operator already; operators create teams by POST /v4/admin/teams.",
    [],
    { cause },
  );
