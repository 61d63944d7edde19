// The noun: the key by which a cluster reads one lake, and the settings that it is put into. Pure.

import { z } from "@hono/zod-openapi";
import { ICEBERG_API } from "../../../http/foreign-failures/iceberg-failure.ts";

const PROPERTIES_EXAMPLE = "connector.name=iceberg\n…";

export const MintedLakeKey = z
  .object({
    id: z.uuid(),
    integration_id: z.uuid(),
    lake_id: z.uuid(),
    hint: z.string().openapi({ description: "The key's last four characters." }),
    created_at: z.iso.datetime(),
    key: z.string().openapi({ description: "The key itself. It is shown this once." }),
    lake_properties: z
      .string()
      .openapi({
        description: "The file `etc/catalog/<catalog>.properties` of each of the cluster's nodes, with the key in it.",
        example: PROPERTIES_EXAMPLE,
      }),
  })
  .openapi("MintedLakeKey");
export type MintedLakeKey = z.infer<typeof MintedLakeKey>;

type Reached = {
  /** The platform's address as the caller has it. */
  origin: string;
  /** Where the lake's objects are read. */
  storage: string;
  lakeId: string;
  key: string;
};

/** The catalog's settings for Trino. */
export const lakeProperties = ({ origin, storage, lakeId, key }: Reached): string =>
  [
    "connector.name=iceberg",
    "iceberg.catalog.type=rest",
    `iceberg.rest-catalog.uri=${origin}${ICEBERG_API}`,
    `iceberg.rest-catalog.warehouse=${lakeId}`,
    "iceberg.rest-catalog.security=OAUTH2",
    `iceberg.rest-catalog.oauth2.token=${key}`,
    "iceberg.rest-catalog.vended-credentials-enabled=true",
    "iceberg.rest-catalog.case-insensitive-name-matching=true",
    "iceberg.security=read_only",
    "fs.native-s3.enabled=true",
    `s3.endpoint=${storage}`,
    "s3.region=auto",
    "s3.path-style-access=true",
    "",
  ].join("\n");
