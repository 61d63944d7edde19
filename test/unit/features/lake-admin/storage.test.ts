import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { LAKE_ADMIN_LIMITS } from "../../../../src/features/lake-admin/limits.ts";
import { collectLakeObjects } from "../../../../src/features/lakes/collect-objects.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { overwrite } from "../../../support/unit/lake.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { newLakeTeam, newOperator } from "./lakes.ts";

const PATH = "/v4/admin/lake/storage";

refusesStrangers("getLakeStorage", (key) => call("GET", `${PATH}/${newId()}`, { key }), { right: "lake:manage" });

/** The bucket in pages of one object, dated so many hours ago. */
const smallPages = (hours = 0): Partial<Env> => ({
  BUCKET: {
    delete: (keys: string[]) => env.BUCKET.delete(keys),
    async list(options?: R2ListOptions) {
      const page = await env.BUCKET.list({ ...options, limit: 1 });
      const uploaded = new Date(Date.now() - hours * 3_600_000);
      for (const object of page.objects) Object.defineProperty(object, "uploaded", { value: uploaded });
      return page;
    },
  } as unknown as R2Bucket,
});

describe("getLakeStorage", () => {
  it("shows what the catalog tracks beside what the objects have, and every byte of the difference", async () => {
    const { team, lake, lakeId, writer, put } = await newLakeTeam();
    const files = [1, 2, 3].map((rows) => writer.file("main", "t", rows));
    for (const file of files) {
      valueOf(await writer.commit([overwrite("main", "t", file)]));
      await put(file.path, file.bytes);
    }
    // The first is scheduled, the second kept, the third current.
    await lake.catalog.expireSnapshots({ snapshotIds: [0, 1, 2] });
    await put("main/t/nobody.parquet", 70);
    await put(writer.file("main", "t", 1).path, 50);
    const [scheduled, kept, current] = files.map(({ bytes }) => bytes) as [number, number, number];
    const answer = (await call("GET", `${PATH}/${lakeId}`, { key: team.admin.key })).body.data;
    expect(answer).toMatchObject({
      integrationId: lakeId,
      tracked: { bytes: current + kept, current, keptForSnapshots: kept },
      actual: { bytes: scheduled + kept + current + 120, objects: 5, source: "listing" },
      difference: {
        bytes: scheduled + 120,
        scheduled: { objects: 1, bytes: scheduled },
        tooYoung: { objects: 2, bytes: 120 },
        orphaned: { objects: 0, bytes: 0 },
        changed: 0,
      },
    });
    const old = await callWith(smallPages(100), "GET", `${PATH}/${lakeId}`, { key: team.admin.key });
    // A job that holds its lease may commit the other one still, however old it is.
    expect(old.body.data.difference).toMatchObject({
      tooYoung: { objects: 1, bytes: 50 },
      orphaned: { objects: 1, bytes: 70 },
    });
  });

  it("says that tracked files are missing", async () => {
    const { team, lakeId, fill } = await newLakeTeam();
    await fill(2);
    const { data } = (await call("GET", `${PATH}/${lakeId}`, { key: team.admin.key })).body;
    expect(data).toMatchObject({ actual: { bytes: 0 }, difference: { changed: -data.tracked.bytes } });
  });

  it("of more objects than one request lists, is what the last collection saw", async () => {
    const { team, lakeId, put } = await newLakeTeam();
    const { key } = team.admin;
    const objects = LAKE_ADMIN_LIMITS.storagePagesMax + 1;
    for (let index = 0; index < objects; index++) await put(`main/t/${index}.parquet`, 10);
    const before = (await callWith(smallPages(), "GET", `${PATH}/${lakeId}`, { key })).body.data;
    expect(before).toMatchObject({ actual: null, difference: null, tracked: { bytes: 0 } });
    const at = new Date(Date.now() - 60_000);
    await collectLakeObjects(openClients(env as Env), { teamId: team.id, id: lakeId }, at);
    expect((await callWith(smallPages(), "GET", `${PATH}/${lakeId}`, { key })).body.data).toMatchObject({
      actual: { bytes: objects * 10, objects, measuredAt: at.toISOString(), source: "collection" },
      difference: { tooYoung: { objects, bytes: objects * 10 } },
    });
  });

  it("is another team's to nobody but an operator", async () => {
    const [{ lakeId }, stranger, operator] = [await newLakeTeam(), await newTeam(), await newOperator()];
    expect((await call("GET", `${PATH}/${lakeId}`, { key: stranger.admin.key })).status).toBe(404);
    expect((await call("GET", `${PATH}/${lakeId}`, { key: operator.admin.key })).status).toBe(200);
  });
});
