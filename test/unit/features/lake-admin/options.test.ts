import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newLakeTeam } from "./lakes.ts";

const OPTIONS = "/v4/admin/lake/options";
const right = { right: "lake:manage" as const };
const body = { key: "retain_last", value: "5" };

refusesStrangers("listLakeOptions", (key) => call("GET", `${OPTIONS}/${newId()}`, { key }), right);
refusesStrangers("setLakeOption", (key) => call("PUT", `${OPTIONS}/${newId()}`, { key, body }), right);

it("sets what a lake goes by, shows it, and forgets it again", async () => {
  const { team, lakeId } = await newLakeTeam();
  const { key } = team.admin;
  const put = (option: object) => call("PUT", `${OPTIONS}/${lakeId}`, { key, body: option });
  const get = async (query = "") => (await call("GET", `${OPTIONS}/${lakeId}${query}`, { key })).body.data.items;

  expect(await get()).toEqual([]);
  expect(await put(body)).toMatchObject({
    status: 200,
    body: { data: { items: [{ key: "retain_last", value: "5", scope: "lake" }] } },
  });
  await put({ key: "target_file_size", value: "64MB", scope: { schema: "main" } });
  expect(await get("?schema=main")).toEqual([
    { key: "retain_last", value: "5", scope: "lake" },
    { key: "target_file_size", value: "64MB", scope: "schema" },
  ]);
  expect(await get()).toHaveLength(1);
  await put({ ...body, value: null });
  expect(await get()).toEqual([]);
  const { results } = await env.DB.prepare(
    "select subject_id as id from audit_events where action = 'lake_option.set' and team_id = ?",
  )
    .bind(team.id)
    .all();
  expect(results).toEqual([{ id: lakeId }, { id: lakeId }, { id: lakeId }]);
});

it("refuses what an option can't be, and where it is not", async () => {
  const { team, lakeId } = await newLakeTeam();
  const put = async (option: object) => {
    const { status, body } = await call("PUT", `${OPTIONS}/${lakeId}`, { key: team.admin.key, body: option });
    return [status, body.error?.flaws?.[0]?.pointer];
  };
  expect(await put({ key: "expire_older_than", value: "1m" })).toEqual([422, "/value"]);
  expect(await put({ key: "target_file_size", value: "much" })).toEqual([422, "/value"]);
  expect(await put({ key: "retain_last", value: "5", scope: { schema: "main" } })).toEqual([422, "/scope"]);
  expect(await put({ key: "auto_compact", value: "false", scope: { table: "t" } })).toEqual([422, "/scope/schema"]);
  expect(await put({ key: "data_path", value: "s3://elsewhere/" })).toEqual([422, "/key"]);
  expect((await put({ key: "auto_compact", value: "false", scope: { schema: "none" } }))[0]).toBe(404);
});
