// The Iceberg REST catalog's answers, as the document of the API describes them.
// https://github.com/apache/iceberg/blob/main/open-api/rest-catalog-open-api.yaml

import { z } from "@hono/zod-openapi";

const TABLE = "/v1/{prefix}/namespaces/{namespace}/tables/{table}";

/** Without the list a client takes the catalog to answer all that the specification began with, writes among it. */
export const ENDPOINTS = [
  "GET /v1/{prefix}/namespaces",
  "GET /v1/{prefix}/namespaces/{namespace}",
  "HEAD /v1/{prefix}/namespaces/{namespace}",
  "GET /v1/{prefix}/namespaces/{namespace}/tables",
  `GET ${TABLE}`,
  `HEAD ${TABLE}`,
  `GET ${TABLE}/credentials`,
];

const Properties = z.record(z.string(), z.string());

export const IcebergConfig = z
  .object({ defaults: Properties, overrides: Properties, endpoints: z.array(z.string()) })
  .openapi("IcebergConfig");

export const IcebergNamespaces = z
  .object({ namespaces: z.array(z.array(z.string())) })
  .openapi("IcebergNamespaces", { example: { namespaces: [["main"], ["sample"]] } });

export const IcebergNamespace = z
  .object({ namespace: z.array(z.string()), properties: Properties })
  .openapi("IcebergNamespace");

export const IcebergTables = z
  .object({ identifiers: z.array(z.object({ namespace: z.array(z.string()), name: z.string() })) })
  .openapi("IcebergTables");

const Credentials = z.array(z.object({ prefix: z.string(), config: Properties }));

export const IcebergCredentials = z.object({ "storage-credentials": Credentials }).openapi("IcebergCredentials");

export const IcebergTable = z
  .object({
    "metadata-location": z.string(),
    metadata: z.looseObject({}).openapi({ description: "As in the specification of Iceberg's format, version 2." }),
    config: Properties,
    "storage-credentials": Credentials,
  })
  .openapi("IcebergTable");
