// The databases' own clients, which the syncs' benchmark holds itself against: the machine's, and for MariaDB else
// Debian's, unpacked.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findMariadb, findMariadbClient } from "../../../test/support/node/servers/mariadb-programs.ts";

/** Something that has to be installed first; the message says what, and is all there is to say. */
export class MissingProgram extends Error {}

export type Client = { file: string; env: NodeJS.ProcessEnv };
export type Clients = { psql: Client; mariadb: Client };

/** Looks for all there has to be, before anything takes time. Throws {@link MissingProgram}. */
export async function findClients(): Promise<Clients> {
  if (!(await runs("psql")))
    throw new MissingProgram(
      "The benchmark of syncs needs psql: install PostgreSQL's client (Debian: apt-get install " +
        "postgresql-client; macOS: brew install libpq).",
    );
  const missing = (error: Error): never => {
    throw new MissingProgram(error.message);
  };
  await findMariadb().catch(missing);
  const mariadb = (await runs("mariadb")) ? { file: "mariadb", env: {} } : await findMariadbClient().catch(missing);
  return { psql: { file: "psql", env: {} }, mariadb };
}

const runs = (file: string): Promise<boolean> =>
  promisify(execFile)(file, ["--version"]).then(
    () => true,
    () => false,
  );
