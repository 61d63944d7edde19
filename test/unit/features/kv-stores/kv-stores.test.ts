import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { KV_LIMITS } from "../../../../src/features/kv-stores/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));
const as = (key = team.member.key) => ({ key });
const commit = (body: object) => call("POST", "/v1/store", { ...as(), body });

describe("a key-value store", () => {
  it("is new, is written with the version that was read, and is read as it was written", async () => {
    expect((await call("GET", "/v1/store/dlt_state_shop", as())).status).toBe(404);
    const first = await commit({ name: "dlt_state_shop", data: { a: "\uFEFF1", "": "" }, existing_version_id: null });
    expect(first.status).toBe(200);
    expect((await call("GET", "/v1/store/dlt_state_shop", as(team.admin.key))).body).toEqual({
      data: { a: "\uFEFF1", "": "" },
      version_id: first.body.version_id,
    });
    const second = await commit({
      name: "dlt_state_shop",
      data: { a: "2" },
      existing_version_id: first.body.version_id,
    });
    expect(second.body.version_id).not.toBe(first.body.version_id);
  });

  it("keeps what is called as a member of every object", async () => {
    const data = JSON.parse('{"__proto__": "1", "constructor": "2", "toString": "3"}') as object;
    expect((await commit({ name: "__proto__", data })).status).toBe(200);
    const { body } = await call("GET", "/v1/store/__proto__", as());
    expect(Object.entries(body.data)).toEqual(Object.entries(data));
  });

  it("refuses one of two writers who have read the same", async () => {
    const { version_id } = (await commit({ name: "twice", data: {}, existing_version_id: null })).body;
    expect((await commit({ name: "twice", data: {}, existing_version_id: null })).status).toBe(409);
    const both = await Promise.all(
      ["a", "b"].map((value) => commit({ name: "twice", data: { value }, existing_version_id: version_id })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await commit({ name: "gone", data: {}, existing_version_id: version_id })).status).toBe(409);
  });

  it("is deleted by a body, and one that is not there is none less", async () => {
    await commit({ name: "short", data: {}, existing_version_id: null });
    const remove = () => call("DELETE", "/v1/store", { ...as(), body: { name: "short" } });
    expect([(await remove()).body, (await remove()).body]).toEqual([
      { success: true, deleted: true },
      { success: true, deleted: false },
    ]);
    expect((await call("GET", "/v1/store/short", as())).status).toBe(404);
  });

  it("belongs to its team, holds strings, and has a bound", async () => {
    await commit({ name: "mine", data: { a: "1" }, existing_version_id: null });
    expect((await call("GET", "/v1/store/mine", as((await newTeam()).admin.key))).status).toBe(404);
    expect((await commit({ name: "mine", data: { a: 1 } })).body.error.flaws).toMatchObject([{ pointer: "/data/a" }]);
    for (const data of [null, [], "a"])
      expect((await commit({ name: "mine", data })).body.error.flaws).toMatchObject([{ pointer: "/data" }]);
    for (const name of ["", "..", "a/b", "a?b", "x".repeat(201)])
      expect((await commit({ name, data: {} })).status).toBe(422);
    expect((await commit({ name: "big", data: { a: "x".repeat(KV_LIMITS.bytesMax) } })).status).toBe(413);
    expect((await commit({ name: "Größe 1.5: a@b", data: {} })).status).toBe(200);
    expect((await call("GET", "/v1/store/Gr%C3%B6%C3%9Fe%201.5:%20a@b", as())).status).toBe(200);
  });
});

describe("all of a team's stores", () => {
  it("have a bound together, which another team's do not count towards", async () => {
    const [full, other] = [await newTeam(), await newTeam()];
    const fill = env.DB.prepare(
      "insert into kv_stores select ?1 || value, ?1, 'full ' || value, hex(zeroblob(950000)), '', '', '' from json_each(?2)",
    );
    await fill
      .bind(
        full.id,
        JSON.stringify(
          Array.from({ length: Math.floor((KV_LIMITS.bytesPerTeamMax - 1_100_000) / 1_900_000) }, (_, n) => n),
        ),
      )
      .run();
    const write = (key: string, bytes: number) =>
      call("POST", "/v1/store", { key, body: { name: "one", data: { a: "x".repeat(bytes) } } });
    expect((await write(full.member.key, 1_000_000)).status).toBe(200);
    await fill.bind(full.id, '["last"]').run();
    const { version_id } = (await call("GET", "/v1/store/one", { key: full.member.key })).body;
    const again = await call("POST", "/v1/store", {
      key: full.member.key,
      body: { name: "one", data: { a: "x".repeat(1_000_000) }, existing_version_id: version_id },
    });
    expect(again).toMatchObject({ status: 426, body: { error: { code: "business_quota_exceeded" } } });
    expect((await write(other.member.key, 1_000_000)).status).toBe(200);
  });
});

refusesStrangers("getKvStore", (key) => call("GET", "/v1/store/x", { key }), { right: "store" });
refusesStrangers("setKvStore", (key) => call("POST", "/v1/store", { key, body: { name: "x", data: {} } }), {
  right: "store",
});
