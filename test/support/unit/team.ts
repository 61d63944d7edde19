// A team of its own for each suite: storage is shared by every test of a file.

import { env } from "cloudflare:workers";
import { createTeam } from "../../../src/features/teams/create.ts";
import { createKey } from "../../../src/features/teams/keys/create.ts";
import { createUser } from "../../../src/features/teams/users/create.ts";
import { newId } from "../../../src/core/ids.ts";
import { rightsOf, type Role, type Scope } from "../../../src/core/scope.ts";
import { openDb } from "../../../src/platform/db/client.ts";

export type Person = { id: string; key: string };
export type TestTeam = {
  id: string;
  name: string;
  admin: Person;
  member: Person;
  newMember: (role?: Role) => Promise<Person>;
};

/** Minted through the verbs, with its default lake, an admin and a member; each holds a key. */
export async function newTeam(): Promise<TestTeam> {
  const db = openDb(env.DB);
  const name = `Team ${crypto.randomUUID().slice(0, 8)}`;
  const created = await createTeam(
    { db, scope: scopeOf(newId(), newId(), true) },
    { name, domain: null, plan: "standard", admin: newPerson() },
  );
  const teamId = created.team.id;
  const scope = scopeOf(teamId, created.admin.id, false);

  const newMember = async (role: Role = "member"): Promise<Person> => {
    const user = await createUser({ db, scope }, { ...newPerson(), role });
    return { id: user.id, key: (await createKey({ db, scope }, user.id, { name: "test", expires_at: null })).key };
  };
  return {
    id: teamId,
    name,
    admin: { id: created.admin.id, key: created.api_key.key },
    member: await newMember(),
    newMember,
  };
}

/** No more than a team's own row: what containers call for is asked of teams that are there. */
export const addTeamRow = (id: string) =>
  env.DB.prepare(
    "insert or ignore into teams (id, name, plan, created_at, updated_at) values (?, 'Bare', 'free', '', '')",
  )
    .bind(id)
    .run();

/** A scope as a request of this user would carry it. */
export const scopeOf = (teamId: string, userId: string, isOperator: boolean): Scope => ({
  teamId,
  teamName: "",
  plan: "standard",
  userId,
  userName: "",
  email: "",
  keyId: newId(),
  role: "admin",
  isOperator,
  rights: rightsOf("admin", isOperator),
  requestId: newId(),
  now: new Date(),
});

const newPerson = () => ({ name: "Ada", email: `ada-${crypto.randomUUID()}@example.com` });
