// A member of the demo team with no role of an admin, made over the API as an admin would.

import { ask, type Api } from "./api.ts";

/** Whose data role, where there is one, shows a schema of the lake. */
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
