// A cluster of a team's own, as an integration of it.

import { expect } from "vitest";
import { call } from "../http.ts";

const PATH = "/v1/api/integrations";

export const CLUSTER = {
  ...{ url: "https://trino.example.com:8443", username: "fjord" },
  ...{ password: "open sesame", catalog: "lake" },
};

export const newTrino = (lakeId: string, more: object = {}) => ({
  ...{ type: "trino", name: null, credentials: CLUSTER, lake_id: lakeId },
  ...more,
});

export async function addCluster(key: string, lakeId: string, more: object = {}): Promise<string> {
  const { status, body } = await call("POST", PATH, { key, body: newTrino(lakeId, more) });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.integration.id;
}

/** The key by which the cluster reads its lake. */
export async function addLakeKey(key: string, integrationId: string): Promise<string> {
  const { status, body } = await call("POST", `${PATH}/${integrationId}/lake_key`, { key });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.key;
}
