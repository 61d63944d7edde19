// A SQL Server of the tests: speaks TDS 7.4 over a real socket, with TLS or without, evaluates T-SQL on a DuckDB in
// memory, does wrong on demand, and remembers what it was sent.

import { createServer, type AddressInfo, type Server } from "node:net";
import { once } from "node:events";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { Source } from "../../../../../kernel/wire/source.ts";
import type { AnswerFault, LoginFault } from "./faults.ts";
import type { PreparedAnswer, ServerState } from "./server-state.ts";
import { FakeSession } from "./session.ts";
import type { Login } from "./tds/login.ts";
import type { Statement } from "./tds/requests.ts";
import { FakeTables } from "./tsql/fake-tables.ts";
import { MACROS } from "./tsql/macros.ts";

export type FakeOptions = {
  /** Without it the server has no TLS. */
  tls?: { key: string; cert: string };
  database?: string;
};

type SqlServerSource = Extract<Source, { type: "sqlserver" }>;

export class FakeSqlServer implements ServerState {
  readonly user = "reader";
  readonly password = "Sw0rdfish-é-ß";
  readonly database: string;
  readonly tls: { key: string; cert: string } | undefined;
  readonly tables: FakeTables;
  readonly instance: DuckDBInstance;

  readonly statements: string[] = [];
  bound: Statement | undefined;
  readonly logins: Login[] = [];
  readonly answers: PreparedAnswer[] = [];
  readonly failures: unknown[] = [];
  attentions = 0;
  running = 0;
  loginFault: LoginFault | undefined;
  answerFault: AnswerFault | undefined;

  readonly #listener: Server;
  readonly #sessions = new Set<FakeSession>();
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, options: FakeOptions) {
    this.instance = instance;
    this.#connection = connection;
    this.tables = new FakeTables(connection);
    this.tls = options.tls;
    this.database = options.database ?? "shop";
    this.#listener = createServer((socket) => {
      const session = new FakeSession(this, socket);
      this.#sessions.add(session);
      socket.once("close", () => this.#sessions.delete(session));
    });
  }

  static async start(options: FakeOptions = {}): Promise<FakeSqlServer> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    const server = new FakeSqlServer(instance, connection, options);
    await server.tables.open(server.database);
    await connection.run(`${MACROS}
      CREATE MACRO db_name() AS '${server.database}';`);
    server.#listener.listen(0, "127.0.0.1");
    await once(server.#listener, "listening");
    return server;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Sockets that are open. */
  get openSockets(): number {
    return this.#sessions.size;
  }

  /** With the password in the clear allowed: a test that is not about TLS has none. */
  source(credentials: Partial<SqlServerSource["credentials"]> = {}): SqlServerSource {
    return {
      type: "sqlserver",
      credentials: {
        host: "127.0.0.1",
        port: String(this.port),
        database: this.database,
        username: this.user,
        password: this.password,
        ...(this.tls ? {} : { sslmode: "disable", allow_cleartext_password: true }),
        ...credentials,
      },
    };
  }

  /** Runs DuckDB's SQL as the database's owner, past the wire. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  async close(): Promise<void> {
    this.#listener.close();
    for (const { socket } of this.#sessions) socket.destroy();
    // Their statements give their connections up first.
    for (const session of [...this.#sessions]) await session.closed;
    this.#connection.closeSync();
    this.instance.closeSync();
  }
}
