// A member of the demo team with no role of an admin, made over the API as an admin would.

type Asking = { baseUrl: string; key: string };

/** The body of an answer; throws where the platform refuses. */
// biome-ignore lint/suspicious/noExplicitAny: each answer has a shape of its own.
export async function ask({ baseUrl, key }: Asking, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Whose data role, where there is one, shows a schema of the lake. */
export async function newMember(admin: Asking, schema?: string): Promise<{ key: string }> {
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
