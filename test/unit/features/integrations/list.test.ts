import { describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";
refusesStrangers("listIntegrations", (key) => call("GET", PATH, { key }), { right: "integrations:read" });

const teamWithLakes = async () => {
  const team = await newTeam();
  for (const name of ["North", "South"])
    await call("POST", PATH, { key: team.admin.key, body: { type: "lake", name, credentials: {} } });
  const names = async (query: string) => {
    const { status, body } = await call("GET", PATH + query, { key: team.member.key });
    return { status, names: body.data?.map(({ name }: { name: string }) => name) };
  };
  return { team, names };
};

describe("listIntegrations", () => {
  it("shows a new team its own lake, in the shape existing clients read", async () => {
    const { member } = await newTeam();
    const { status, body } = await call("GET", PATH, { key: member.key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, data: [{ type: "lake", category: "destination", is_default: true }] });
    const [lake] = body.data;
    expect(lake.details).toEqual({ name: lake.name, type: "lake" });
  });

  it("filters by type, its other names, category, name and id, and pages", async () => {
    const { team, names } = await teamWithLakes();
    const all = (await names("")).names;
    expect(all).toHaveLength(3);
    expect(all.slice(1)).toEqual(["North", "South"]);
    for (const query of ["?type=lake", "?type=ducklake", "?category=destination"])
      expect((await names(query)).names).toEqual(all);
    expect((await names("?name=South")).names).toEqual(["South"]);
    expect((await names("?limit=1&offset=1")).names).toEqual(["North"]);
    const [first] = (await call("GET", PATH, { key: team.admin.key })).body.data;
    expect((await names(`?id=${first.id.toUpperCase()}`)).names).toEqual([first.name]);
  });

  it.each([
    "?type=postgres",
    "?type=stripe",
    "?category=source",
    "?category=other",
    "?name=Nobody",
    "?id=x",
    `?id=${crypto.randomUUID()}`,
    "?type=lake&category=source",
    "?offset=9",
  ])("answers an empty list where %s matches nothing", async (query) =>
    expect(await (await teamWithLakes()).names(query)).toEqual({ status: 200, names: [] }),
  );

  it.each([
    ["?limit=0", "/query/limit"],
    ["?limit=1001", "/query/limit"],
    ["?offset=-1", "/query/offset"],
    ["?typ=lake", "/query/typ"],
  ])("refuses %s", async (query, pointer) => {
    const { admin } = await newTeam();
    expect(await call("GET", PATH + query, { key: admin.key })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer }] } },
    });
  });

  it("never shows another team's", async () => {
    const [ours, theirs] = [await teamWithLakes(), await newTeam()];
    const [foreign] = (await call("GET", PATH, { key: theirs.admin.key })).body.data;
    expect((await ours.names(`?id=${foreign.id}`)).names).toEqual([]);
  });
});
