// Amazon Redshift for the tests: its side of the protocol before a database of the tests' PostgreSQL, which evaluates
// the statements. What Redshift lacks is refused, what it has of its own is made in the database (`catalog.ts`), and
// types are told by its OIDs. Nothing of it was seen at the real service: it is what Amazon's documentation and its
// drivers say.

import { randomBytes, randomInt } from "node:crypto";
import { connect as dial, createServer, type AddressInfo, type Socket } from "node:net";
import pg from "pg";
import type { Source } from "../../../../../kernel/wire/source.ts";
import type { Server } from "../../servers/server.ts";
import { connectPostgres } from "../sources.ts";
import { createRedshiftCatalog, ownOids } from "./catalog.ts";
import { errorResponse, frame, isPassword, readMessages, type Authentication } from "./messages.ts";
import { Session, type Fault } from "./session.ts";

const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;

export type { Fault } from "./session.ts";

export class FakeRedshift {
  /** All that clients had run, in order, as they sent it. */
  readonly statements: string[] = [];
  bound: readonly (string | null)[] = [];
  /** Requests to cancel that came with the key of a session. */
  cancels = 0;
  /** What the next answers with rows suffer, until it is taken away. */
  fault: Fault | undefined;
  authentication: Authentication = "md5";
  /** That this cluster does not know, or does not leave to its users. */
  readonly refusedSettings = new Set<string>();
  /** The tests' own connection to the database, as superuser. */
  readonly admin: pg.Client;
  readonly database: string;

  readonly #server: Server;
  readonly #passwords = new Map<string, string>();
  readonly #oids: ReadonlyMap<number, number>;
  readonly #sessions = new Map<number, Session>();
  readonly #sockets = new Set<Socket>();
  readonly #listener = createServer({ noDelay: true }, (socket) => this.#accept(socket));

  private constructor(server: Server, admin: pg.Client, database: string, oids: ReadonlyMap<number, number>) {
    this.#server = server;
    this.admin = admin;
    this.database = database;
    this.#oids = oids;
    this.#passwords.set(server.username, server.password);
  }

  /** Makes a database of its own at `server`, which `close` drops. */
  static async start(server: Server): Promise<FakeRedshift> {
    const database = `redshift_${randomInt(1e9)}`;
    const maker = await connectPostgres(server);
    await maker.query(`CREATE DATABASE ${database} TEMPLATE template0`);
    await maker.end();
    const admin = await connectPostgres(server, database);
    await createRedshiftCatalog(admin);
    const fake = new FakeRedshift(server, admin, database, await ownOids(admin));
    await new Promise<void>((resolve) => fake.#listener.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  async close(): Promise<void> {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.admin.end();
    const maker = await connectPostgres(this.#server);
    await maker.query(`DROP DATABASE ${this.database} WITH (FORCE)`);
    await maker.end();
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  source(
    more: Partial<Extract<Source, { type: "redshift" }>["credentials"]> = {},
  ): Extract<Source, { type: "redshift" }> {
    const { username, password } = this.#server;
    const { port, database } = this;
    return {
      type: "redshift",
      credentials: { host: "localhost", port: String(port), database, username, password, ...more },
    };
  }

  /** A user who may log in; what it may read is granted to the role of that name. */
  async createUser(username: string, password: string): Promise<void> {
    await this.admin.query(
      `DROP ROLE IF EXISTS "${username}"; CREATE ROLE "${username}" LOGIN PASSWORD '${password.replaceAll("'", "''")}';
      GRANT USAGE ON SCHEMA redshift TO "${username}"`,
    );
    this.#passwords.set(username, password);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    socket.once("data", (first: Buffer) => this.#open(socket, first));
  }

  #open(socket: Socket, first: Buffer): void {
    const code = first.readUInt32BE(4);
    if (code === SSL_REQUEST) {
      socket.once("data", (next: Buffer) => this.#open(socket, next));
      return void socket.write("N");
    }
    if (code === CANCEL_REQUEST) return this.#cancel(socket, first);
    const words = first.toString("utf8", 8).split("\0");
    const parameters = new Map<string, string>();
    for (let i = 0; i + 1 < words.length && words[i] !== ""; i += 2) parameters.set(words[i]!, words[i + 1]!);
    return this.#authenticate(socket, parameters);
  }

  #authenticate(socket: Socket, parameters: ReadonlyMap<string, string>): void {
    const username = parameters.get("user") ?? "";
    const salt = randomBytes(this.authentication === "md5" ? 4 : 32);
    const nonce = randomBytes(8);
    const lengthOf = (bytes: Buffer) => Buffer.from([0, 0, 0, bytes.length]);
    socket.write(
      this.authentication === "md5"
        ? frame("R", Buffer.from([0, 0, 0, 5]), salt)
        : frame("R", Buffer.from([0, 0, 0, 13]), Buffer.alloc(4), lengthOf(salt), salt, lengthOf(nonce), nonce),
    );
    socket.once("data", (answer: Buffer) => {
      const password = this.#passwords.get(username);
      const [message] = readMessages(answer).messages;
      if (password === undefined || !message || !isPassword(message, { username, password, salt, nonce }))
        return void socket.end(errorResponse("28000", `password authentication failed for user "${username}"`));
      this.#logIn(socket, { username, password, name: parameters.get("application_name") ?? "" }).catch(
        (error: Error & { code?: string }) => socket.end(errorResponse(error.code ?? "08006", error.message)),
      );
    });
  }

  async #logIn(socket: Socket, { username, password, name }: { username: string; password: string; name: string }) {
    const { host, port } = this.#server;
    const client = new pg.Client({
      host,
      port,
      user: username,
      password,
      database: this.database,
      application_name: name,
      ssl: false,
    });
    client.on("error", () => undefined);
    await client.connect();
    await client.query(OPENING);
    const { processID, secretKey, connection } = client as unknown as Internals;
    const session = new Session(this, {
      socket,
      upstream: connection.stream,
      key: { processId: processID, secret: secretKey },
      oids: this.#oids,
    });
    this.#sessions.set(processID, session);
    socket.once("close", () => this.#sessions.delete(processID));
    const key = Buffer.alloc(8);
    key.writeInt32BE(processID, 0);
    key.writeInt32BE(session.secret, 4);
    socket.write(
      Buffer.concat([
        frame("R", Buffer.alloc(4)),
        frame("S", Buffer.from("server_version\x008.0.2\0")),
        frame("S", Buffer.from("client_encoding\0UTF8\0")),
        frame("K", key),
        frame("Z", Buffer.from("I")),
      ]),
    );
    session.begin();
  }

  #cancel(socket: Socket, request: Buffer): void {
    const session = this.#sessions.get(request.readInt32BE(8));
    if (!session || session.secret !== request.readInt32BE(12)) return void socket.end();
    this.cancels++;
    const forwarded = Buffer.from(request);
    forwarded.writeInt32BE(session.key.secret, 12);
    const upstream = dial({ host: this.#server.host, port: this.#server.port });
    upstream.on("error", () => socket.end()).on("close", () => socket.end());
    upstream.end(forwarded);
  }
}

type Internals = { processID: number; secretKey: number; connection: { stream: Socket } };

/** In its literals a backslash escapes; its own functions and views are found before PostgreSQL's of the same name. */
const OPENING = `
  SET standard_conforming_strings = off; SET escape_string_warning = off; SET backslash_quote = on;
  SET search_path = redshift, pg_catalog, "$user", public; SET extra_float_digits = 0; SET bytea_output = 'hex';`;
