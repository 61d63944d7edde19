// Statements on the tests' MariaDB as a caller sends them whom roles bind, or none: what comes back, as one text.

import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { toFailure } from "../../../../containers/engine/core/failure.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { mysql } from "../../../../containers/engine/sources/mysql/connector.ts";
import type { Server } from "../servers/server.ts";
import { mariadbSource } from "../sources/sources.ts";

export type Outcome = { columns: string[]; rows: (string | null)[][] } | { failure: string };

/** `roles`: absent for a caller whom none bind. */
export async function runAsCaller(
  server: Server,
  database: string,
  sql: string,
  roles?: AccessRoles,
): Promise<Outcome> {
  try {
    const source = mariadbSource(server, database);
    const access = roles ? new CallerAccess(roles) : "everything";
    const signal = AbortSignal.timeout(60_000);
    return await mysql.query({ source, sql, access, signal }, async ({ columns, rows }) => {
      const all: (string | null)[][] = [];
      await rows(({ bytes, starts, ends }) => {
        const cell = (start: number, i: number) =>
          ends[i] === -1 ? null : Buffer.from(bytes.subarray(start, ends[i])).toString();
        return all.push(Array.from(starts, cell)) > 0;
      });
      return { columns: columns.map(({ name, type }) => `${name} ${type}`), rows: all };
    });
  } catch (error) {
    return { failure: JSON.stringify(toFailure(error)) };
  }
}
