import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  DescribeAnswer,
  LakeDescription,
  LakePlanAnswer,
  PlanAnswer,
  SignAnswer,
} from "../../../../kernel/lake/lake.ts";
import { CommitAnswer, UploadAnswer } from "../../../../kernel/lake/commit.ts";
import { HeartbeatAnswer, JobPlanAnswer, StateAnswer, TablesAnswer } from "../../../../kernel/jobs/job.ts";
import { newId } from "../../../../src/core/ids.ts";
import type { LakeToken, Token } from "../../../../src/platform/crypto/token.ts";
import { post } from "../../../support/unit/call-with.ts";
import { append, createTable, newLake, newWriter, overwrite, rowsOf, statistics } from "../../../support/unit/lake.ts";

async function newSample() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const file = writer.file("main", "t", 3);
  await writer.commit([createTable("main", "t"), append("main", "t", file)]);
  const token: Token = {
    use: "lake",
    teamId: lake.teamId,
    lakeId: lake.lakeId,
    snapshotId: 1,
    reader: "everything",
    expiresAt: Date.now() + 60_000,
  };
  return { ...lake, writer, file, token };
}

describe("a query's token", () => {
  it("describes, plans and signs its lake at its snapshot", async () => {
    const { lakeId, teamId, file, token, writer } = await newSample();
    await writer.commit([createTable("main", "later")]);
    const described = await post(`/lakes/${lakeId}/describe`, { token });
    expect(LakeDescription.parse(described.body)).toMatchObject({
      snapshotId: 1,
      schemas: ["main"],
      tables: [{ tableId: 1, schema: "main", name: "t" }],
    });
    const planned = await post(`/lakes/${lakeId}/plan`, { token, body: { tableIds: [1, 2, 99] } });
    expect(PlanAnswer.parse(planned.body)).toEqual({
      tables: [{ tableId: 1, files: [{ id: 0, path: file.path, bytes: 1_003, rows: 3, deletes: null }] }],
    });
    const signed = await post(`/lakes/${lakeId}/sign`, { token, body: { fileIds: [0, 5] } });
    const { urls } = SignAnswer.parse(signed.body);
    expect(Object.keys(urls)).toEqual(["0"]);
    expect(new URL(urls["0"]!).pathname).toContain(`/fjord/${teamId}/lake/${lakeId}/${file.path}`);
  });

  it("with a digest gives what its reader may see, of every snapshot it reaches, and nothing once that is forgotten", async () => {
    const { catalog, lakeId, token, writer } = await newSample();
    const secret = writer.file("hr", "people", 3);
    await writer.commit([createTable("hr", "people"), append("hr", "people", secret)]);
    await writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "u" }]);
    const grant = { schema: "main", table: "u", excludes: [], masks: {}, filters: [] };
    await catalog.keepAccess("digest", [[grant]]);
    const ask = async (verb: string, body: object, reader = "digest") =>
      (await post(`/lakes/${lakeId}/${verb}`, { token: { ...token, snapshotId: 3, reader } as Token, body })).body;
    const names = async (snapshotId: number) =>
      LakeDescription.parse(await ask("describe", { snapshotId })).tables.map(
        ({ schema, name }) => `${schema}.${name}`,
      );
    expect([await names(3), await names(2), await names(1), await names(0)]).toEqual([
      ["main.u"],
      ["main.t"],
      ["main.t"],
      [],
    ]);
    const { tables } = PlanAnswer.parse(await ask("plan", { tableIds: [1, 2, 3, 4] }));
    expect(tables.map(({ tableId }) => tableId)).toEqual([1]);
    expect(Object.keys(SignAnswer.parse(await ask("sign", { fileIds: [0, 1] })).urls)).toEqual(["0"]);
    for (const [verb, body] of [
      ["describe", {}],
      ["plan", { tableIds: [1] }],
      ["sign", { fileIds: [0] }],
    ] as const)
      expect(await ask(verb, body, "forgotten")).toMatchObject({ error: { code: "precondition_failed" } });
  });

  it("plans by predicates about one table", async () => {
    const { lakeId, writer, token } = await newSample();
    const file = writer.file("main", "t", 3, { statistics: [statistics(1, 3, { min: "1", max: "3" })] });
    await writer.commit([append("main", "t", file)]);
    const plan = (body: object) => post(`/lakes/${lakeId}/plan`, { token: { ...token, snapshotId: 2 } as Token, body });
    const planned = await plan({ tableIds: [1], anyOf: [[{ columnId: 1, op: ">", values: ["3"] }]] });
    expect(PlanAnswer.parse(planned.body).tables[0]?.files.map(({ id }) => id)).toEqual([0]);
    expect(await plan({ tableIds: [1, 2], anyOf: [[{ columnId: 1, op: ">", values: ["3"] }]] })).toMatchObject({
      status: 422,
    });
  });

  it.each(["describe", "plan", "sign"])(
    "reads nothing by %s where it does not say what its holder may read",
    async (verb) => {
      const { lakeId, token } = await newSample();
      const body = { describe: {}, plan: { tableIds: [1] }, sign: { fileIds: [0] } }[verb]!;
      const ask = (asker: Token) => post(`/lakes/${lakeId}/${verb}`, { token: asker, body });
      expect((await ask(token)).status).toBe(200);
      const { reader, ...nobody } = token as LakeToken;
      expect((await ask(nobody as never)).status).toBe(412);
      // So a token of before the last deployment has it.
      expect((await ask({ ...nobody, access: reader } as never)).status).toBe(200);
    },
  );

  it("is told at once what a statement that names tables asks next, but for what it knows", async () => {
    const { catalog, lakeId, writer, token, file } = await newSample();
    const [later, many] = [
      writer.file("main", "t", 4),
      Array.from({ length: 65 }, () => writer.file("main", "wide", 1)),
    ];
    await writer.commit([append("main", "t", later), createTable("main", "wide"), append("main", "wide", ...many)]);
    await writer.commit([createTable("hr", "T"), append("hr", "T", writer.file("hr", "T", 1))]);
    const grant = { schema: "main", table: "*", excludes: [], masks: {}, filters: [] };
    await catalog.keepAccess("digest", [[grant]]);
    const ask = async (body: object, reader?: string) => {
      const asker = { ...token, snapshotId: 3, ...(reader && { reader }) } as Token;
      const { tables, plans, urls } = DescribeAnswer.parse(
        (await post(`/lakes/${lakeId}/describe`, { token: asker, body })).body,
      );
      expect(tables).toHaveLength(reader ? 2 : 3);
      return { tables, plans: plans.map(({ tableId, files }) => [tableId, files.length]), urls: Object.keys(urls) };
    };
    expect(await ask({})).toMatchObject({ plans: [], urls: [] });
    // Names are compared as DuckDB does, and what is hidden is neither planned nor signed.
    const { tables, ...both } = await ask({ names: ["T", "select"] });
    expect(both).toEqual({
      plans: [
        [4, 1],
        [1, 2],
      ],
      urls: ["0", "1", "67"],
    });
    expect(await ask({ names: ["t"] }, "digest")).toMatchObject({ plans: [[1, 2]], urls: ["0", "1"] });
    // A plan that is known is left out, of one that was known what came since is signed.
    const [at1, at3] = ["1", tables.find(({ tableId }) => tableId === 1)!.version];
    const known = (version: string) => [{ tableId: 1, version, fileId: 0 }];
    expect(await ask({ names: ["t"], known: known(at3) })).toMatchObject({ plans: [[4, 1]], urls: ["67"] });
    expect(await ask({ names: ["t"], known: known(at1) })).toMatchObject({
      plans: [
        [4, 1],
        [1, 2],
      ],
      urls: ["1", "67"],
    });
    // A plan of many files has none signed, as most may be left out.
    expect(await ask({ names: ["wide"] })).toMatchObject({ plans: [[2, 65]], urls: [] });
    const plan = async (body: object) =>
      LakePlanAnswer.parse(
        (await post(`/lakes/${lakeId}/plan`, { token: { ...token, snapshotId: 3 } as Token, body })).body,
      );
    expect(Object.keys((await plan({ tableIds: [1], signs: true })).urls)).toEqual(["0", "1"]);
    expect((await plan({ tableIds: [1, 2], signs: true })).urls).toEqual({});
    const { urls } = await plan({ tableIds: [1] });
    expect(urls).toEqual({});
    const [url] = Object.values((await plan({ tableIds: [1], signs: true })).urls);
    expect(new URL(url!).pathname).toContain(`/lake/${lakeId}/${file.path}`);
  });

  it("does nothing for another lake, and no job's work", async () => {
    const [one, two] = [await newSample(), await newSample()];
    expect(await post(`/lakes/${two.lakeId}/describe`, { token: one.token })).toMatchObject({
      status: 404,
      body: { error: { code: "resource_not_found" } },
    });
    expect(
      await post(`/jobs/${one.writer.token.jobId}/uploads`, {
        token: one.token,
        body: { tables: [{ schema: "main", name: "t" }] },
      }),
    ).toMatchObject({ status: 401 });
    expect(await post(`/lakes/${one.lakeId}/describe`, { token: one.writer.token })).toMatchObject({ status: 401 });
  });

  it("is asked for everywhere", async () => {
    const { lakeId, token } = await newSample();
    for (const path of [
      `/lakes/${lakeId}/describe`,
      `/lakes/${lakeId}/plan`,
      `/lakes/${lakeId}/sign`,
      `/lakes/${lakeId}/snapshots`,
      `/lakes/${lakeId}/writers`,
      "/jobs/x/uploads",
      "/jobs/x/commit",
      "/jobs/x/heartbeat",
      "/jobs/x/log",
      "/jobs/x/state",
      "/jobs/x/tables",
      "/jobs/x/plan",
      "/jobs/x/sign",
      "/jobs/x/finish",
    ]) {
      expect(await post(path, {})).toMatchObject({
        status: 401,
        body: { success: false, error: { code: "auth_invalid_token" } },
      });
    }
    expect(await post(`/lakes/${lakeId}/describe`, { token: { ...token, expiresAt: Date.now() - 1 } })).toMatchObject({
      status: 401,
    });
  });

  it("for a snapshot that is gone finds nothing", async () => {
    const { lakeId, token } = await newSample();
    expect(await post(`/lakes/${lakeId}/describe`, { token: { ...token, snapshotId: 9 } as Token })).toMatchObject({
      status: 404,
    });
  });
});

describe("a job's token", () => {
  it.each<[string, object, number]>([
    ["tables", { schema: "main" }, 2],
    ["plan", { tableIds: [1] }, 2],
    ["plan", { tableIds: [1], snapshotId: 1 }, 1],
  ])("that asks for %s of %j works from the snapshot it is answered, and keeps it", async (verb, body, snapshotId) => {
    const lake = await newSample();
    const { token } = lake.writer;
    await lake.writer.commit([createTable("main", "later")]);
    const base = () => rowsOf(lake, "SELECT base_snapshot AS base FROM fjord_leases");
    expect(await base()).toEqual([{ base: null }]);
    expect(await post(`/jobs/${token.jobId}/${verb}`, { token, body })).toMatchObject({
      status: 200,
      body: { snapshotId },
    });
    expect(await base()).toEqual([{ base: snapshotId }]);
    // A query reads for a moment: the age that expiry never goes below sees to it.
    await post(`/lakes/${lake.lakeId}/plan`, { token: lake.token, body: { tableIds: [1] } });
    expect(await base()).toEqual([{ base: snapshotId }]);
  });

  it("uploads under fresh paths that its commit may then name", async () => {
    const lake = newLake();
    const { token } = await newWriter(lake);
    const asked = await post(`/jobs/${token.jobId}/uploads`, {
      token,
      body: {
        tables: [
          { schema: "S", name: "T" },
          { schema: "S", name: "T" },
        ],
      },
    });
    const { uploads } = UploadAnswer.parse(asked.body);
    expect(new Set(uploads.map(({ path }) => path)).size).toBe(2);
    for (const { path, url } of uploads)
      expect(new URL(url).pathname).toContain(`/${lake.teamId}/lake/${lake.lakeId}/${path}`);
    const files = uploads.map(({ path }) => ({ path, bytes: 10, footerBytes: 5, rows: 1, statistics: [] }));
    const commit = {
      key: "k",
      author: null,
      message: null,
      changes: [createTable("S", "T"), append("S", "T", ...files)],
    };
    const first = await post(`/jobs/${token.jobId}/commit`, { token, body: commit });
    expect(CommitAnswer.parse(first.body)).toEqual({ snapshotId: 1, replayed: false });
    const again = await post(`/jobs/${token.jobId}/commit`, { token, body: commit });
    expect(CommitAnswer.parse(again.body)).toEqual({ snapshotId: 1, replayed: true });
  });

  it("keeps its lease by a heartbeat, and is told to stop once it has lost it", async () => {
    const lake = newLake();
    const { token } = await newWriter(lake);
    expect(HeartbeatAnswer.parse((await post(`/jobs/${token.jobId}/heartbeat`, { token })).body)).toEqual({
      cancelled: false,
    });
    await lake.catalog.releaseLease(token.lease, token.fence);
    expect(HeartbeatAnswer.parse((await post(`/jobs/${token.jobId}/heartbeat`, { token })).body)).toEqual({
      cancelled: true,
    });
    const upload = { tables: [{ schema: "main", name: "t" }] };
    expect(await post(`/jobs/${token.jobId}/uploads`, { token, body: upload })).toMatchObject({
      status: 409,
      body: { error: { retryable: false } },
    });
    const commit = { key: "k", author: null, message: null, changes: [createTable("main", "t")] };
    expect(await post(`/jobs/${token.jobId}/commit`, { token, body: commit })).toMatchObject({ status: 409 });
  });

  it("uploads into the folder that a renamed table has kept", async () => {
    const { writer } = await newSample();
    await writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "u" }]);
    const { jobId } = writer.token;
    const asked = await post(`/jobs/${jobId}/uploads`, {
      token: writer.token,
      body: { tables: [{ schema: "main", name: "u" }] },
    });
    const [upload] = UploadAnswer.parse(asked.body).uploads;
    expect(upload?.path).toMatch(/^main\/t\//);
    const file = { path: upload!.path, bytes: 10, footerBytes: 5, rows: 1, statistics: [] };
    expect(
      await post(`/jobs/${jobId}/commit`, {
        token: writer.token,
        body: { key: "u", author: null, message: null, changes: [append("main", "u", file)] },
      }),
    ).toMatchObject({ status: 200 });
  });

  it("reads the lake as it is, or as it was at a snapshot", async () => {
    const { file, writer, teamId, lakeId } = await newSample();
    const { jobId } = writer.token;
    const next = writer.file("main", "t", 4);
    await writer.commit([overwrite("main", "t", next)]);
    const tables = await post(`/jobs/${jobId}/tables`, { token: writer.token, body: { schema: "MAIN" } });
    expect(TablesAnswer.parse(tables.body)).toMatchObject({
      snapshotId: 2,
      tables: [{ tableId: 1, schema: "main", name: "t", columns: [{ id: 1, name: "id" }] }],
    });
    expect((await post(`/jobs/${jobId}/tables`, { token: writer.token, body: { schema: "none" } })).body).toEqual({
      snapshotId: 2,
      tables: [],
    });
    const plan = async (at: object) =>
      JobPlanAnswer.parse(
        (await post(`/jobs/${jobId}/plan`, { token: writer.token, body: { tableIds: [1], ...at } })).body,
      );
    expect(await plan({})).toMatchObject({
      snapshotId: 2,
      root: `s3://${(env as Env).BUCKET_NAME}/${teamId}/lake/${lakeId}/`,
      tables: [{ files: [{ id: 1, path: next.path }] }],
    });
    expect(await plan({ snapshotId: 1 })).toMatchObject({
      snapshotId: 1,
      tables: [{ files: [{ id: 0, path: file.path }] }],
    });
    const sign = async (at: object) =>
      Object.keys(
        SignAnswer.parse(
          (await post(`/jobs/${jobId}/sign`, { token: writer.token, body: { fileIds: [0, 1], ...at } })).body,
        ).urls,
      );
    expect([await sign({}), await sign({ snapshotId: 1 })]).toEqual([["1"], ["0"]]);
  });

  it("keeps notes by its commit and reads them again", async () => {
    const { token } = await newWriter(newLake());
    const commit = { key: "k", author: null, message: null, changes: [], state: [{ key: "a", value: "1" }] };
    expect((await post(`/jobs/${token.jobId}/commit`, { token, body: commit })).body).toEqual({
      snapshotId: 0,
      replayed: false,
    });
    const read = await post(`/jobs/${token.jobId}/state`, { token, body: { keys: ["a", "b"] } });
    expect(StateAnswer.parse(read.body)).toEqual({ values: { a: "1", b: null } });
    expect(
      await post(`/jobs/${token.jobId}/commit`, { token, body: { ...commit, key: "l", state: [] } }),
    ).toMatchObject({ status: 422 });
  });

  it("tells how far it is and how it ended, until another takes over", async () => {
    const lake = newLake();
    const { token } = await newWriter(lake);
    const progress = {
      tables: [
        {
          source: "a.t",
          dest: "t",
          phase: "done",
          rowsRead: 1,
          rowsWritten: 1,
          rowsDeleted: 0,
          bytesWritten: 9,
          method: "merge",
          notes: [],
          error: null,
        },
      ],
    };
    expect((await post(`/jobs/${token.jobId}/heartbeat`, { token, body: { progress } })).body).toEqual({
      cancelled: false,
    });
    expect(await lake.catalog.progressOf(token.lease)).toEqual({ fence: token.fence, value: progress });
    const outcome = { outcome: "succeeded", error: null, retryable: false, platformAway: false, progress };
    for (let i = 0; i < 2; i++)
      expect(await post(`/jobs/${token.jobId}/finish`, { token, body: outcome })).toEqual({
        status: 204,
        body: undefined,
      });
    expect(await lake.catalog.outcomeOf(token.lease)).toEqual({ fence: token.fence, value: outcome });
    expect(
      await post(`/jobs/${token.jobId}/heartbeat`, { token, body: { progress: { tables: "many" } } }),
    ).toMatchObject({ status: 422 });
    await lake.catalog.releaseLease(token.lease, token.fence);
    expect(await post(`/jobs/${token.jobId}/finish`, { token, body: outcome })).toMatchObject({ status: 409 });
    expect((await post(`/jobs/${token.jobId}/heartbeat`, { token, body: { progress } })).body).toEqual({
      cancelled: true,
    });
  });

  it("does nothing for another job", async () => {
    const { token } = await newWriter(newLake());
    expect(await post(`/jobs/${newId()}/heartbeat`, { token })).toMatchObject({
      status: 404,
      body: { error: { code: "resource_not_found" } },
    });
  });

  it("logs bounded lines", async () => {
    const { token } = await newWriter(newLake());
    const line = { level: "info", message: "one" };
    expect(await post(`/jobs/${token.jobId}/log`, { token, body: { lines: [line] } })).toEqual({
      status: 204,
      body: undefined,
    });
    expect(await post(`/jobs/${token.jobId}/log`, { token, body: { lines: Array(101).fill(line) } })).toMatchObject({
      status: 422,
    });
    expect(
      await post(`/jobs/${token.jobId}/log`, { token, body: { lines: [{ ...line, message: "x".repeat(5_000) }] } }),
    ).toMatchObject({ status: 422 });
  });
});

describe("a body of another form", () => {
  it("is refused with its flaws", async () => {
    const { lakeId, token } = await newSample();
    const refused = (pointer: string) => ({
      status: 422,
      body: { success: false, error: { code: "validation_failed", flaws: [{ pointer }] } },
    });
    expect(await post(`/lakes/${lakeId}/plan`, { token, raw: "{" })).toMatchObject(refused(""));
    expect(await post(`/lakes/${lakeId}/plan`, { token, body: { tableIds: "all" } })).toMatchObject(
      refused("/tableIds"),
    );
    expect(await post(`/lakes/${lakeId}/plan`, { token, body: { tableIds: [1], more: 1 } })).toMatchObject(
      refused("/more"),
    );
    expect(await post(`/lakes/${lakeId}/sign`, { token, body: { fileIds: Array(501).fill(1) } })).toMatchObject(
      refused("/fileIds"),
    );
  });

  it("is refused unread when it is larger than a commit may be", async () => {
    const { token } = await newWriter(newLake());
    expect(await post(`/jobs/${token.jobId}/commit`, { token, raw: " ".repeat(25 * 1024 * 1024) })).toMatchObject({
      status: 413,
    });
  });
});
