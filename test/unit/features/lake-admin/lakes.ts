// A team's lake with tables in it, and whoever looks after it.

import { env } from "cloudflare:workers";
import { valueOf } from "../../../../src/core/answer.ts";
import { lakePrefix, openLake } from "../../../../src/lake/lake.ts";
import { append, createTable, newWriter, type TestLake } from "../../../support/unit/lake.ts";
import { newTeam } from "../../../support/unit/team.ts";

/** An admin who is the platform's operator as well, in a team of their own. */
export async function newOperator() {
  const team = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(team.admin.id).run();
  return team;
}

/** A team with its default lake, which has one table, `main.t`. */
export async function newLakeTeam() {
  const team = await newTeam();
  const lakeId = (await env.DB.prepare("select id from integrations where team_id = ?")
    .bind(team.id)
    .first<string>("id"))!;
  const lake: TestLake = { teamId: team.id, lakeId, catalog: openLake(env, lakeId) };
  const writer = await newWriter(lake);
  valueOf(await writer.commit([createTable("main", "t")]));
  const prefix = lakePrefix(team.id, lakeId);
  return {
    team,
    lake,
    lakeId,
    writer,
    prefix,
    put: (path: string, bytes: number) => env.BUCKET.put(prefix + path, new Uint8Array(bytes)),
    /** So many files of ten rows each. */
    async fill(files: number): Promise<void> {
      const fresh = Array.from({ length: files }, () => writer.file("main", "t", 10));
      valueOf(await writer.commit([append("main", "t", ...fresh)]));
    },
  };
}
