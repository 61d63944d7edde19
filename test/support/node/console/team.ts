// A team of one file's own, for what the files that share the demo team would disturb, made as an operator would.

import { ask, type Api } from "./api.ts";

/** The API with the key of the team's admin. */
export async function newTeam(operator: Api): Promise<Api> {
  const mark = crypto.randomUUID().slice(0, 8);
  const team = { name: `Team ${mark}`, plan: "standard", admin: { name: "Ada", email: `ada@${mark}.example` } };
  const { data } = await ask(operator, "POST", "/v4/admin/teams", team);
  return { baseUrl: operator.baseUrl, key: data.api_key.key };
}
