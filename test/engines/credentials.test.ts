// The holder of a table's storage credential, as the catalog gives it out, reads that table's objects and nothing else.

import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { call, rowsOf } from "../e2e/client.ts";
import { findLake } from "../support/node/engines/lake.ts";
import { claimsOf } from "../support/node/engines/short-credentials.ts";
import { loadTable, statusOf } from "../support/node/engines/storage.ts";

const HOUR_SECONDS = 3_600;

it("reads the table's objects for an hour, no other table's, and writes and lists nothing", async () => {
  const lake = await findLake();
  const schema = `engines_${randomUUID().slice(0, 8)}`;
  await rowsOf(`CREATE SCHEMA LAKE.${schema}`);
  for (const table of ["one", "other"]) await rowsOf(`CREATE TABLE LAKE.${schema}.${table} AS SELECT 1 AS id`);
  const [one, other] = [await loadTable(lake.id, [schema, "one"]), await loadTable(lake.id, [schema, "other"])];
  const { config } = one;
  const own = one["metadata-location"];
  const bucket = own.split("/")[2]!;

  expect(await statusOf(config, "GET", own)).toBe(200);
  expect(await statusOf(config, "HEAD", own)).toBe(200);
  expect(await statusOf(other.config, "GET", other["metadata-location"])).toBe(200);
  expect(await statusOf(config, "GET", other["metadata-location"])).toBe(403);
  expect(await statusOf(config, "HEAD", other["metadata-location"])).toBe(403);
  for (const method of ["PUT", "DELETE", "POST"]) {
    expect(await statusOf(config, method, own), method).toBe(403);
    expect(await statusOf(config, method, `${one.metadata.location}/new.parquet`), method).toBe(403);
  }
  const prefix = encodeURIComponent(one.metadata.location.split("/").slice(3).join("/"));
  expect(await statusOf(config, "GET", `${bucket}?list-type=2&prefix=${prefix}`)).toBe(403);
  expect(await statusOf(config, "GET", own)).toBe(200);

  const { iat, exp, scope, actions } = claimsOf(config["s3.session-token"]!);
  expect({ seconds: exp - iat, scope, actions }).toEqual({
    ...{ seconds: HOUR_SECONDS, scope: "object-read-only", actions: ["GetObject", "HeadObject"] },
  });
});

it("answers 406 to each way of writing, with where to write instead", async () => {
  const { id } = await findLake();
  const namespaces = `/iceberg/v1/${id}/namespaces`;
  for (const [method, path] of [
    ["POST", namespaces],
    ["POST", `${namespaces}/sample/tables`],
    ["POST", `${namespaces}/sample/tables/orders`],
    ["DELETE", `${namespaces}/sample/tables/orders`],
    ["DELETE", `${namespaces}/sample`],
    ["POST", `/iceberg/v1/${id}/transactions/commit`],
  ] as const) {
    const { status, body } = await call(method, path, method === "POST" ? { body: {} } : {});
    expect(status, `${method} ${path}`).toBe(406);
    expect(body).toMatchObject({ error: { code: 406, message: expect.stringContaining("POST /v1/query") } });
  }
});
