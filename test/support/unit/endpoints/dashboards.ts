// A dashboard that is published, with the doc, the role and the secret that it takes.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { addRole } from "../data-access/roles.ts";
import { call } from "../http.ts";
import type { TestTeam } from "../team.ts";
import { GRANTS, inSeconds } from "./published.ts";
import { signToken } from "./tokens.ts";

export type PublishedDashboard = {
  team: TestTeam;
  id: string;
  name: string;
  path: string;
  docId: string;
  roleId: string;
  secret: string;
};

export const ORDERS_SQL = "SELECT * FROM orders WHERE country = $country AND id >= $least AND note = 'of-the-sql'";

export const TILE_PAGE = "<p>A page</p>";
const TILE_FILE = "of-the-drive.html";

/** Puts the file of the dashboard's HTML tile into the drive. */
export const uploadTilePage = (team: TestTeam) => env.BUCKET.put(`${team.id}/drive/${TILE_FILE}`, TILE_PAGE);

/** What is drawn of Python, of what nobody draws, and of a file of the drive is in it beside what readers may ask. */
export const DASHBOARD = {
  version: 1,
  kind: "dashboard",
  metadata: { name: "Orders", description: "of-the-metadata", owner: "of-nobody" },
  filters: [
    { id: "country", target: { field: "country", datasets: ["orders", "hidden"] }, values: ["NO", "SE"] },
    { id: "hidden", target: { field: "country", datasets: ["hidden"] } },
  ],
  datasets: {
    orders: { engine: "sql", sql: ORDERS_SQL, parameters: { country: "NO", least: 1 }, timeoutMs: 5_000 },
    others: { engine: "sql", sql: "SELECT $day AS day", parameters: { day: { type: "date", value: "2026-01-31" } } },
    scores: { engine: "python", code: "result = 1  # of-the-code" },
    grown: {
      engine: "sql",
      sql: "SELECT * FROM orders WHERE id > $since",
      materialize: { table: "grown", mode: "append" },
      incremental: { column: "id" },
    },
    hidden: { engine: "sql", sql: "SELECT 'of-the-hidden' AS secret" },
  },
  layout: {
    columns: 36,
    tiles: [
      { id: "orders", type: "table", source: "orders", x: 0, y: 0, w: 9, h: 8, unknown: "of-nobody" },
      {
        ...{ id: "sum", type: "kpi", source: "orders", x: 9, y: 0, w: 9, h: 8 },
        viz: { type: "kpi", y: [{ field: "amount", unknown: "of-nobody" }] },
      },
      { id: "others", type: "table", source: "others", x: 18, y: 0, w: 9, h: 8 },
      { id: "scores", type: "table", source: "scores", x: 27, y: 0, w: 9, h: 8 },
      { id: "grown", type: "table", source: "grown", x: 0, y: 8, w: 9, h: 8 },
      { id: "note", type: "markdown", content: "All **orders**", x: 9, y: 8, w: 9, h: 8 },
      { id: "page", type: "html", driveFile: TILE_FILE, datasets: ["others"], x: 18, y: 8, w: 9, h: 8 },
    ],
  },
};

export async function made(path: string, key: string, body: object) {
  const answer = await call("POST", path, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

const PATH = "/v4/published-dashboards";

export async function publishDashboard(
  team: TestTeam,
  { doc = DASHBOARD, ...more }: { doc?: object; name?: string; [member: string]: unknown } = {},
): Promise<PublishedDashboard> {
  const { key } = team.admin;
  await uploadTilePage(team);
  const docId = (await made("/v4/docs", key, doc)).id as string;
  const roleId = await addRole(team, GRANTS, []);
  const { id, name, path } = await made(PATH, key, { name: "orders", doc_id: docId, role_id: roleId, ...more });
  const { secret } = await made(`${PATH}/${id}/secret`, key, {});
  return { team, id, name, path, docId, roleId, secret };
}

export const claimsOf = ({ id }: { id: string }, more: object = {}) => ({
  sub: id,
  aud: "fjord",
  exp: inSeconds(600),
  ...more,
});

/** A token of the dashboard that binds these values. */
export const tokenOf = (dashboard: PublishedDashboard, parameters: object = {}): Promise<string> =>
  signToken(dashboard.secret, claimsOf(dashboard, { parameters }));
