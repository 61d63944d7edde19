// Twenty thousand teams: a page of them is read along an index, in each order and with each filter.

import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { listTeams, type TeamQuery } from "../../../../src/features/teams/list.ts";
import { openDb } from "../../../../src/platform/db/client.ts";

const TEAMS = 20_000;

beforeAll(async () => {
  await env.DB.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?1)
      insert into teams (id, name, name_folded, domain, plan, created_at, updated_at)
      select lower(hex(randomblob(16))), 'Фирма ' || i, 'фирма ' || i, iif(i % 7 = 0, null, 'team-' || i || '.example'),
        iif(i % 2 = 0, 'free', 'standard'), '2026-01-01T00:00:' || i, '2026-02-01T00:00:' || (i * 7919 % ?1) from n`,
  )
    .bind(TEAMS)
    .run();
});

const base: TeamQuery = { orderBy: "created_at", ascending: false, limit: 100, offset: 0 };
const QUERIES: TeamQuery[] = (["created_at", "updated_at", "domain", "plan"] as const).flatMap((orderBy) => [
  { ...base, orderBy },
  { ...base, orderBy, ascending: true, limit: 250, offset: TEAMS - 250 },
  { ...base, orderBy, search: "ФИРМА 1999" },
  { ...base, orderBy, search: "数".repeat(200) },
  { ...base, orderBy, search: "a", plans: ["free", "trial"], offset: 5_000 },
]);

it("counts what it finds, in whichever order", async () => {
  const db = openDb(env.DB);
  for (const query of QUERIES) {
    const { total, items } = await listTeams({ db }, query);
    expect(total).toBe(query.search === undefined ? TEAMS : { 数: 0, a: 8_572, Ф: 11 }[query.search[0]!]);
    expect(items).toHaveLength(Math.min(query.limit, total));
  }
});

it("reads a page along the index of its order, or of its filter", async () => {
  const prepared = vi.spyOn(env.DB, "prepare");
  for (const query of QUERIES) {
    prepared.mockClear();
    await listTeams({ db: openDb(env.DB) }, query);
    const [page = ""] = prepared.mock.calls[0] ?? [];
    const values = Array.from(page.matchAll(/\?/g), () => "");
    const plan = await env.DB.prepare(`explain query plan ${page}`)
      .bind(...values)
      .all<{ detail: string }>();
    const [how, ...more] = plan.results.map(({ detail }) => detail);
    if (query.plans) expect(how).toMatch(/^SEARCH teams USING INDEX teams_plan\b/);
    else expect([how, ...more]).toEqual([expect.stringMatching(`^SCAN teams USING INDEX teams_${query.orderBy}$`)]);
  }
  prepared.mockRestore();
});
