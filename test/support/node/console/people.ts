// People whom tests visit the console as, made over the API as an admin and an operator would.

import { ask, type Api } from "./api.ts";

/** A member with no role of an admin, whose data role, where there is one, shows a schema of the lake. */
export async function newMember(admin: Api, schema?: string): Promise<{ key: string }> {
  const mark = crypto.randomUUID();
  const member = { name: "Grace", email: `grace-${mark}@example.com`, role: "member" };
  const { data: user } = await ask(admin, "POST", "/v4/users", member);
  if (schema !== undefined) {
    const lake = (await ask(admin, "GET", "/v1/api/integrations?type=lake")).data[0].id as string;
    const grants = [{ integration_id: lake, schema }];
    const { data: role } = await ask(admin, "POST", "/v4/data-access/roles", { name: `Readers ${mark}`, grants });
    await ask(admin, "PUT", `/v4/data-access/roles/${role.id}/members/${user.id}`);
  }
  return { key: (await ask(admin, "POST", `/v4/users/${user.id}/keys`, { name: "console" })).data.key };
}

/** The admin of a team of its own, for what the files that share the demo team would disturb. */
export async function newTeam(operator: Api): Promise<Api> {
  const mark = crypto.randomUUID().slice(0, 8);
  const team = { name: `Team ${mark}`, plan: "standard", admin: { name: "Ada", email: `ada@${mark}.example` } };
  const { data } = await ask(operator, "POST", "/v4/admin/teams", team);
  return { baseUrl: operator.baseUrl, key: data.api_key.key };
}
