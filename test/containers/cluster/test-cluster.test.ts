// The test of a team's own Trino passes where the cluster reads this lake at the same snapshot, and else says by its
// reason what is not so.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineFailure } from "../../../kernel/wire/engine.ts";
import type { ClusterTest } from "../../../kernel/wire/statements/cluster.ts";
import {
  column,
  readCertificate,
  signature,
  startFakeCluster,
  type FakeCluster,
  type FakePage,
} from "../../support/node/cluster/fake-cluster.ts";
import { startTcpProxy } from "../../support/node/servers/tcp-proxy.ts";
import { startEngine, type Engine } from "../../support/node/programs/engine.ts";

let engine: Engine;
let fake: FakeCluster;
let encrypted: FakeCluster;
beforeAll(async () => {
  [engine, fake, encrypted] = await Promise.all([
    startEngine({ hostsAllowed: "loopback" }),
    startFakeCluster(),
    startFakeCluster({ tls: true }),
  ]);
});
afterAll(async () => {
  await Promise.all([engine.stop(), fake.close(), encrypted.close()]);
});

const ROOT = "s3://bucket/teams/t/lakes/l/";
const TABLE = { schema: "shop", name: "orders", snapshotId: "7", root: ROOT };

const page = (type: string, value: unknown): FakePage => ({ columns: [column("v", signature(type))], data: [[value]] });
const versioned = (version: string): FakePage => ({
  columns: [column("v", signature("varchar")), column("n", signature("bigint"))],
  data: [[version, 2]],
});
const failed = (errorName: string, errorType = "USER_ERROR", more: object = {}): FakePage => ({
  error: { message: "so it is", errorCode: 1, errorName, errorType, ...more },
});

/** What the cluster answers to a statement, by a part of its text. */
let answers: Record<string, FakePage>;
beforeEach(() => {
  fake.reset();
  answers = {
    "runtime.nodes": versioned("476"),
    "SELECT version()": page("varchar", "476"),
    schemata: page("integer", 1),
    $snapshots: page("varchar", `${ROOT}metadata/list.avro`),
  };
  encrypted.reset();
  for (const each of [fake, encrypted])
    each.intercept = ({ method, body }) => {
      if (method !== "POST") return false;
      const [part] = Object.keys(answers).filter((part) => body.includes(part));
      each.pages = [answers[part!]!];
      return false;
    };
});

const test = (
  table: ClusterTest["table"] = TABLE,
  changes: Partial<ClusterTest["cluster"]> = {},
): Promise<Response> => {
  const cluster = { url: fake.url, username: "fjord", catalog: "ours", ...changes };
  return engine.call("POST", "/clusters/test", { cluster, table, deadlineMs: 20_000 } satisfies ClusterTest);
};

describe("a cluster", () => {
  it("passes where it has the lake's table at the lake's snapshot, from the lake's own folder", async () => {
    const response = await test();
    expect(await response.json()).toEqual({ version: "476", tls: false, nodes: 2, comparedTable: true });
    const [asked] = fake.requests.filter(({ body }) => body.includes("$snapshots"));
    expect(asked!.body).toContain(`FROM "ours"."shop"."orders$snapshots" WHERE snapshot_id = BIGINT '7'`);
  });

  it("passes without a comparison where the lake has no table, and without nodes where it shows none", async () => {
    answers["runtime.nodes"] = failed("PERMISSION_DENIED");
    const response = await test(null);
    expect(await response.json()).toEqual({ version: "476", tls: false, nodes: null, comparedTable: false });
  });

  const causes = {
    failureInfo: { type: "x", cause: { type: "org.apache.iceberg.exceptions.NotAuthorizedException" } },
  };
  it.each<[string, string, FakePage, string]>([
    ["is too old", "runtime.nodes", versioned("475"), "version_unsupported"],
    ["has no version", "runtime.nodes", versioned("new"), "version_unsupported"],
    ["has not the catalog", "$snapshots", failed("CATALOG_NOT_FOUND"), "database_missing"],
    ["has not the table", "$snapshots", failed("TABLE_NOT_FOUND"), "lake_differs"],
    ["has not the snapshot", "$snapshots", { ...page("varchar", "x"), data: [] }, "lake_differs"],
    ["has a table of another lake", "$snapshots", page("varchar", "s3://bucket/other/list.avro"), "lake_differs"],
    [
      "has a key that is refused",
      "$snapshots",
      failed("ICEBERG_CATALOG_ERROR", "EXTERNAL", causes),
      "lake_key_refused",
    ],
    ["fails otherwise", "$snapshots", failed("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR"), "other"],
  ])("that %s fails with that reason", async (_, part, answer, reason) => {
    answers[part] = answer;
    const response = await test();
    expect(response.status).toBe(400);
    expect(EngineFailure.parse(await response.json())).toMatchObject({ code: "connection_failed", reason });
  });
});

describe("a cluster behind TLS", () => {
  const PASSWORD = "not for everybody";
  const failureOf = async (changes: Partial<ClusterTest["cluster"]>) => {
    const response = await test(TABLE, { url: encrypted.url, password: PASSWORD, ...changes });
    expect(response.status).toBe(400);
    return EngineFailure.parse(await response.json());
  };

  it("is verified by the certificates among its credentials", async () => {
    const response = await test(TABLE, { url: encrypted.url, password: PASSWORD, sslrootcert: readCertificate() });
    expect(await response.json()).toEqual({ version: "476", tls: true, nodes: 2, comparedTable: true });
  });

  it("is sent nothing where the public authorities have not signed its certificate", async () => {
    const { code, reason, message } = await failureOf({});
    expect([code, reason, message]).toEqual([
      ...["connection_failed", "tls"],
      expect.stringContaining("Send its authority's certificate as sslrootcert"),
    ]);
    expect(encrypted.requests).toEqual([]);
  });

  it("is sent nothing where its certificate is for another name", async () => {
    const elsewhere = await startTcpProxy({ port: Number(new URL(encrypted.url).port) }, { host: "127.0.0.2" });
    const url = `https://127.0.0.2:${elsewhere.port}`;
    const { reason, message } = await failureOf({ url, sslrootcert: readCertificate() }).finally(elsewhere.close);
    expect([reason, message]).toEqual(["tls", "The server's certificate is for another name than the host's."]);
    expect(encrypted.requests).toEqual([]);
  });

  it("is not connected to with certificates that can't be read", async () => {
    const sslrootcert = "-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----";
    const { reason, message } = await failureOf({ sslrootcert });
    expect([reason, message]).toEqual(["tls", expect.stringContaining("no certificates that can be read")]);
  });
});
