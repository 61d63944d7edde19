// A team's own lake with a writer on it, and the catalog's operations on it as a member asks for them.

import { env } from "cloudflare:workers";
import { openLake } from "../../../../src/lake/lake.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newWriter, type TestLake } from "../../../support/unit/lake.ts";
import { newTeam } from "../../../support/unit/team.ts";

export async function newCatalog() {
  const team = await newTeam();
  const lakeId = (await env.DB.prepare("select id from integrations where team_id = ? and type = 'lake'")
    .bind(team.id)
    .first<string>("id"))!;
  const lake: TestLake = { teamId: team.id, lakeId, catalog: openLake(env, lakeId) };
  const root = `/v4/catalog/integrations/${lakeId}`;
  const get = (path: string, key = team.member.key): Promise<Answer> => call("GET", `${root}${path}`, { key });
  return { team, lake, root, get, writer: await newWriter(lake) };
}
