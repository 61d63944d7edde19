// An account's permissions on a few tables tell whether it could write in a project, as far as BigQuery itself says.

import type { BigQueryConnection } from "./connection/connect.ts";
import { GoogleError } from "./connection/errors.ts";
import { Permissions } from "./connection/resources.ts";
import { listTables } from "./introspect.ts";

const TABLES_ASKED = 3;
const WRITING = ["bigquery.tables.updateData", "bigquery.tables.update", "bigquery.tables.delete"];

/** False too where nothing can be seen: rights on the project as a whole are another service's to tell. */
export async function mayWrite(connection: BigQueryConnection, signal: AbortSignal): Promise<boolean> {
  try {
    const tables = await listTables(connection, signal, TABLES_ASKED);
    for (const { datasetId, tableId } of tables) {
      const { permissions = [] } = await connection.get({
        method: "POST",
        path: ["datasets", datasetId, "tables", `${tableId}:testIamPermissions`],
        body: { permissions: WRITING },
        answer: Permissions,
        signal,
      });
      if (permissions.some((permission) => WRITING.includes(permission))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof GoogleError) return false;
    throw error;
  }
}
