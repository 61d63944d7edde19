// The platform hears what a statement took at a cluster, however it ended, and the columns of a result in Trino's form.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AsyncStatementOutcome } from "../../../kernel/wire/statements/async-statement.ts";
import { ClusterUse, type ClusterTarget } from "../../../kernel/wire/statements/cluster.ts";
import {
  column,
  signature,
  startFakeCluster,
  type FakeCluster,
  type FakePage,
} from "../../support/node/cluster/fake-cluster.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";

type Heard = { path: string; authorization: string | undefined; body: string };
let heard: Heard[] = [];
const objects: string[] = [];
const platform = createServer(async (request, response) => {
  const body = await text(request);
  const { url: path = "", headers, method } = request;
  if (method === "PUT") objects.push(body);
  else if (path.endsWith("/result")) return void response.end(JSON.stringify({ url: `${addressOf()}/a/b/object` }));
  else heard.push({ path, authorization: headers.authorization, body });
  response.writeHead(method === "PUT" ? 200 : 204).end();
});
const addressOf = (): string => `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;

let engine: Engine;
let fake: FakeCluster;
beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  engine = await startEngine({ hostsAllowed: "loopback", platformUrl: addressOf() });
  fake = await startFakeCluster();
});
afterAll(async () => {
  await engine.stop();
  await fake.close();
  platform.close();
});
beforeEach(() => {
  heard = [];
  fake.reset();
});

const N = column("n", signature("bigint"));
const target = (more: Partial<ClusterTarget> = {}): ClusterTarget => ({
  kind: "cluster",
  cluster: { url: fake.url, username: "fjord", catalog: "lake" },
  ...{ edits: [], timeZone: "UTC", form: "cells", isParametric: true, token: "of its use", ...more },
});
const uses = (): Heard[] => heard.filter(({ path }) => path.startsWith("/internal/cluster-statements/"));

describe("a statement's use of a cluster", () => {
  it.each<[ClusterUse["outcome"], FakePage[], object]>([
    ["succeeded", [{ columns: [N], data: [[1]], physicalInputBytes: 10 }, { physicalInputBytes: 4_096 }], {}],
    ["failed", [{ physicalInputBytes: 4_096 }, { error: { errorName: "X", errorType: "INTERNAL_ERROR" } }], {}],
    ["cancelled", Array.from({ length: 100_000 }, () => ({ physicalInputBytes: 4_096 })), { deadlineMs: 400 }],
  ])("is reported where it %s, with the bytes that were read so far", async (outcome, pages, more) => {
    fake.pages = pages;
    const statement = aStatement({ id: `use ${outcome}`, sql: "x", target: target(), ...more });
    await (await engine.call("POST", "/statements", statement)).text();
    await expect.poll(() => uses().length).toBe(1);
    const [{ path, authorization, body }] = uses() as [Heard];
    expect([path, authorization]).toEqual([`/internal/cluster-statements/use%20${outcome}/use`, "Bearer of its use"]);
    expect(ClusterUse.parse(JSON.parse(body))).toEqual({ bytesRead: 4_096, outcome });
  });

  it("is not reported where nobody asks for it", async () => {
    fake.pages = [{ columns: [N], data: [[1]] }];
    const { token: _, ...silent } = target();
    await (await engine.call("POST", "/statements", aStatement({ sql: "x", target: silent }))).text();
    expect(uses()).toEqual([]);
  });
});

it("stores a result in Trino's form as lines, and reports its columns with its end", async () => {
  fake.pages = [
    { columns: [N, N], data: [[1, null]] },
    { columns: [N, N], data: [[9, 2]] },
  ];
  const statement = aStatement({ sql: "x", format: "ndjson", isLists: true, target: target({ form: "trino" }) });
  const request = { statement, token: "of this query", storedBytesMax: 1_000_000, waitMs: 0 };
  expect((await engine.call("POST", "/statements/async", request)).status).toBe(202);
  const ends = (): Heard[] => heard.filter(({ path }) => path.endsWith("/finish"));
  await expect.poll(() => ends().length).toBe(1);
  const outcome = AsyncStatementOutcome.parse(JSON.parse(ends()[0]!.body));
  expect(objects).toEqual(["[1,null],\n[9,2],\n"]);
  expect(outcome).toMatchObject({ outcome: "succeeded", bytes: objects[0]!.length });
  expect(outcome.outcome === "succeeded" && JSON.parse(outcome.readerHead!)).toEqual([N, N]);
});
