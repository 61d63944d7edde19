import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { openLog } from "../../../../src/platform/logs/log.ts";
import { addRole, type NewGrant } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { newSyncTeam } from "../../../support/unit/sync-team.ts";

/** Names, numbers and words of what is hidden below. */
const CANARY = /people|canary|7777|tags/;

const table = (name: string, rows: number): SyncProgress["tables"][number] => ({
  ...{ source: name, dest: `shop.${name.split(".")[1]}`, phase: "failed", method: "all", notes: [], error: "canary" },
  ...{ rowsRead: rows, rowsWritten: rows, rowsDeleted: 0, bytesWritten: rows },
});

/** A sync of four tables with a run that failed and said why. */
async function newSynced() {
  const setUp = await newSyncTeam();
  const { team, sourceId, lakeId } = setUp;
  const { body } = await setUp.configure({
    tables: ["public.orders", "public.tags", "sales.people"],
    cursors: { "public.orders": "id", "sales.people": "id" },
  });
  const { id } = body.sync_config as { id: string };
  const runId = (await env.DB.prepare("select id from sync_runs where sync_id = ?").bind(id).first<string>("id"))!;
  const progress: SyncProgress = {
    tables: [{ ...table("public.orders", 3), error: null }, table("sales.people", 7_777)],
  };
  const ended = new Date().toISOString();
  await env.DB.prepare(
    `update sync_runs set state = 'failed', error = 'sales.people: canary', ended_at = ?2, only_tables = ?3, progress = ?4,
       rows_read = 7777, rows_written = 7777, bytes_written = 7777 where id = ?1`,
  )
    .bind(runId, ended, JSON.stringify(["public.orders", "sales.people"]), JSON.stringify(progress))
    .run();
  await openLog(env, team.id).append(runId, [{ level: "error", message: "sales.people: canary", attempt: 1 }]);
  const grant = async (...grants: NewGrant[]) => addRole(team, grants, [team.member.id]);
  const paths = ["/sync", "/syncs", `/syncs/${runId}`, `/syncs/${runId}/logs`].map((path) => `${setUp.base}${path}`);
  const look = async (key = team.member.key) =>
    Promise.all([...paths, "/v1/api/syncs"].map((path) => call("GET", path, { key })));
  return { ...setUp, team, runId, look, grant, source: { integration_id: sourceId }, lake: { integration_id: lakeId } };
}

describe("what members see of a sync", () => {
  it("is all in a team without roles, and all to admins in any", async () => {
    const { look, grant, team } = await newSynced();
    const open = await look();
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(open.filter(({ body }) => CANARY.test(JSON.stringify(body)))).toHaveLength(5);
    await grant();
    expect((await look(team.admin.key)).filter(({ body }) => CANARY.test(JSON.stringify(body)))).toHaveLength(5);
  });

  it("is that there is none, where none of its tables could be theirs", async () => {
    const { look, grant, lake } = await newSynced();
    await grant({ ...lake, schema: "elsewhere" }, { integration_id: "*", schema: "private" });
    const [sync, runs, run, logs, all] = await look();
    expect([sync!.status, run!.status, logs!.status]).toEqual([404, 404, 404]);
    expect([runs!.body.data, all!.body.data]).toEqual([[], []]);
    expect([runs!.status, all!.body.total]).toEqual([200, 0]);
    expect(JSON.stringify([sync, run, logs].map((answer) => answer!.body))).not.toContain("shop");
  });

  it("counts none of the runs that are hidden by gaps in its pages", async () => {
    const { base, configure, grant, lake, team } = await newSynced();
    const { body } = await configure({ dest_schema: "seen", tables: ["public.items"] });
    await grant({ ...lake, schema: "seen" });
    const page = async (query: string) =>
      (await call("GET", `${base}/syncs?${query}`, { key: team.member.key })).body.data.map(
        (run: { details: { sync_id: string } }) => run.details.sync_id,
      );
    for (const desc of ["true", "false"]) {
      expect(await page(`desc=${desc}&limit=1&offset=0`)).toEqual([body.sync_config.id]);
      expect(await page(`desc=${desc}&limit=1&offset=1`)).toEqual([]);
    }
  });

  it("is its tables that are theirs whole, on both sides, and nothing that counts or names the others", async () => {
    const { look, grant, source, lake } = await newSynced();
    await grant(
      { ...source, schema: "public" },
      { ...source, schema: "Public", table: "Tags", filters: [{ member: "id", operator: "set" }] },
      { ...lake, schema: "shop" },
      { ...source, schema: "sales", table: "orders" },
    );
    const answers = await look();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.map(({ body }) => JSON.stringify(body)).filter((text) => CANARY.test(text))).toEqual([]);
    const [sync, runs, run, logs, all] = answers.map(({ body }) => body);
    expect(sync.sync_config).toMatchObject({ tables: ["public.orders"], cursors: { "public.orders": "id" } });
    expect(runs.data[0].details).toMatchObject({
      tables: ["public.orders"],
      state: "failed",
      reason: null,
      rows_read: null,
    });
    expect(run.run).toMatchObject({
      details: { tables_total: null, warnings: [] },
      tables: [{ source: "public.orders", rows_read: 3 }],
    });
    expect(logs).toMatchObject({ data: [], total: 0 });
    expect(all.data[0]).toMatchObject({ health: "failing", problem: null, last_run: { reason: null } });
  });

  it("lacks tables that are theirs on one side alone, or in part", async () => {
    const { look, grant, source, lake } = await newSynced();
    await grant({ ...lake, schema: "*" }, { ...source, schema: "public", masks: { id: null } });
    expect((await look())[0]!.body.sync_config).toMatchObject({ tables: [], cursors: {} });
  });

  it("is all to whom a role grants all", async () => {
    const { look, grant } = await newSynced();
    await grant({ integration_id: "*", schema: "*" });
    expect((await look()).filter(({ body }) => CANARY.test(JSON.stringify(body)))).toHaveLength(5);
  });
});
