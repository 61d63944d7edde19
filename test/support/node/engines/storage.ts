// The storage, asked by the holder of a credential that the catalog gave out.

import { AwsClient } from "aws4fetch";
import { expect } from "vitest";
import { call } from "../../../e2e/client.ts";
import type { TableName } from "./engine-client.ts";

export type LoadedTable = {
  metadata: { location: string };
  "metadata-location": string;
  config: Record<string, string>;
};

export async function loadTable(
  lake: string,
  [schema, name]: TableName,
  options: { baseUrl?: string; key?: string } = {},
): Promise<LoadedTable> {
  const path = `/iceberg/v1/${lake}/namespaces/${schema}/tables/${name}`;
  const { status, body } = await call<LoadedTable>("GET", path, options);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The status that the storage answers; `address`: an object's, as metadata names it, or its bucket's with a query. */
export async function statusOf(config: Record<string, string>, method: string, address: string): Promise<number> {
  const client = new AwsClient({
    accessKeyId: config["s3.access-key-id"]!,
    secretAccessKey: config["s3.secret-access-key"]!,
    sessionToken: config["s3.session-token"]!,
    service: "s3",
    region: "auto",
    retries: 0,
  });
  const url = `${config["s3.endpoint"]}/${address.replace(/^s3:\/\//, "")}`;
  const response = await client.fetch(url, { method, ...(method === "PUT" && { body: "x" }) });
  await response.body?.cancel();
  return response.status;
}
