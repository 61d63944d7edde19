// The lake of the platform's demo team, as clients of other engines need to know it.

import { expect } from "vitest";
import { call, type Integration } from "../../../e2e/client.ts";

/** `storage`: where its objects are, as S3. */
export type TestLake = { id: string; storage: string };

export async function findLake(): Promise<TestLake> {
  const lakes = await call<{ data: Integration[] }>("GET", "/v1/api/integrations?type=lake");
  expect(lakes.body.data, JSON.stringify(lakes.body)).toHaveLength(1);
  const id = lakes.body.data[0]!.id;
  const credentials = `/iceberg/v1/${id}/namespaces/sample/tables/orders/credentials`;
  type Credentials = { "storage-credentials": { config: Record<string, string> }[] };
  const { status, body } = await call<Credentials>("GET", credentials);
  expect(status, JSON.stringify(body)).toBe(200);
  return { id, storage: body["storage-credentials"][0]!.config["s3.endpoint"]! };
}
