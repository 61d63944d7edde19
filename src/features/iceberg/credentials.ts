// A storage credential of one table: it reads the objects in the table's folder for an hour, and nothing else.

import type { Needs } from "../../clients/context.ts";
import { ICEBERG_LIMITS } from "./limits.ts";
import { ICEBERG_API } from "../../http/foreign-failures/iceberg-failure.ts";
import { lakeAddress, lakePrefix } from "../../lake/lake.ts";

type TableFolder = { teamId: string; lakeId: string; folder: string };
export type CredentialDeps = Needs<"bucket">;

/** The whole address of the table's folder, ending in a slash. */
export const folderAddress = ({ bucket }: CredentialDeps, { teamId, lakeId, folder }: TableFolder): string =>
  lakeAddress(bucket.name, teamId, lakeId) + folder;

type StorageCredential = { prefix: string; config: Record<string, string> };

/** A new credential for what lies below `prefix`, with properties as Iceberg's file readers take them. */
export function grantTable(deps: CredentialDeps, table: TableFolder, now: Date): StorageCredential {
  const { bucket } = deps;
  const seconds = ICEBERG_LIMITS.credentialSeconds;
  const prefix = lakePrefix(table.teamId, table.lakeId) + table.folder;
  const { id, secret, sessionToken } = bucket.grantFolder({ prefix, now, seconds });
  const config = {
    "s3.access-key-id": id,
    "s3.secret-access-key": secret,
    "s3.session-token": sessionToken,
    // The token's own time has whole seconds.
    "s3.session-token-expires-at-ms": String((Math.floor(now.getTime() / 1_000) + seconds) * 1_000),
    "s3.endpoint": bucket.origin,
    "s3.region": "auto",
    "client.region": "auto",
    "s3.path-style-access": "true",
    "s3.remote-signing-enabled": "false",
  };
  return { prefix: folderAddress(deps, table), config };
}

/** Where the credential is renewed, as Iceberg's readers in Java ask for it. */
export const renewalOf = (warehouse: string, { schema, name }: { schema: string; name: string }, url: string) => ({
  "client.refresh-credentials-endpoint":
    `${new URL(url).origin}${ICEBERG_API}/v1/${encodeURIComponent(warehouse)}` +
    `/namespaces/${encodeURIComponent(schema)}/tables/${encodeURIComponent(name)}/credentials`,
});
