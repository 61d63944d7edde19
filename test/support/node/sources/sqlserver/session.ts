// One session at the fake: login, then statement after statement, which an attention stops.

import type { Socket } from "node:net";
import { sendAnswer, type AnsweringSession } from "./send-answer.ts";
import type { ServerState } from "./server-state.ts";
import { ENCRYPTION, preloginAnswer, readLogin, readPrelogin, TlsInPackets } from "./tds/login.ts";
import { MessageReader, PACKET, packet, packets, type Message } from "./tds/packets.ts";
import { readStatement } from "./tds/requests.ts";
import * as tokens from "./tds/tokens.ts";
import { TsqlSession } from "./tsql/tsql-session.ts";

const PACKET_BYTES = 4_096;

export class FakeSession implements AnsweringSession {
  readonly server: ServerState;
  readonly socket: Socket;
  packetBytes = PACKET_BYTES;
  /** An attention has come that is not answered yet. */
  isStopped = false;
  #isOver = false;
  #tls: TlsInPackets | undefined;
  #isSecure = false;
  #tsql: TsqlSession | undefined;
  #running = Promise.resolve();
  #stopped = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();

  constructor(server: ServerState, socket: Socket) {
    this.server = server;
    this.socket = socket;
    const reader = new MessageReader();
    const take = (from: MessageReader, chunk: Buffer) => {
      for (const message of from.add(chunk)) this.#take(message);
    };
    socket.on("data", (chunk: Buffer) => {
      if (!this.#isSecure) return take(reader, chunk);
      this.#tls!.receive(chunk);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => this.#end());
    this.#takeSecure = (chunk) => take(reader, chunk);
  }

  readonly #takeSecure: (chunk: Buffer) => void;

  /** Whether the client is gone. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Settles once there is room for more. */
  async write(bytes: Buffer): Promise<void> {
    const target = this.#isSecure ? this.#tls!.plain : this.socket;
    if (this.#isOver || target.destroyed) return;
    if (!target.write(bytes)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      target.once("drain", resolve);
      await Promise.race([promise, this.#gone.promise]);
    }
  }

  /** Settles once the client is gone and nothing runs for it. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Settles once an attention has come, or the client has gone. */
  untilStopped(): Promise<void> {
    return this.isStopped || this.#isOver ? Promise.resolve() : this.#stopped.promise;
  }

  #end(): void {
    this.#isOver = true;
    this.#gone.resolve();
    this.#stopped.resolve();
    this.#tls?.end();
    void this.#running.then(() => {
      this.#tsql?.close();
      this.#closed.resolve();
    });
  }

  #take(message: Message): void {
    if (message.type === PACKET.attention) return this.#stop();
    this.#running = this.#running.then(() =>
      this.#answer(message).catch((error: unknown) => {
        this.server.failures.push(error);
        this.socket.destroy();
      }),
    );
  }

  #stop(): void {
    this.server.attentions++;
    this.isStopped = true;
    this.#stopped.resolve();
    this.#stopped = Promise.withResolvers();
    // A session in which nothing runs answers here; a running statement answers the attention itself.
    this.#running = this.#running.then(() => this.answerAttention());
  }

  async answerAttention(): Promise<void> {
    if (!this.isStopped || this.server.answerFault?.kind === "deaf") return;
    this.isStopped = false;
    // The transaction is rolled back, as with XACT_ABORT.
    const environment = (await this.#tsql?.rollBack()) ?? Buffer.alloc(0);
    await this.write(packet(Buffer.concat([environment, tokens.done(tokens.DONE.attention)])));
  }

  async #answer(message: Message): Promise<void> {
    switch (message.type) {
      case PACKET.prelogin:
        return this.#tls ? this.#tls.handshake(message) : this.#prelogin(message);
      case PACKET.login:
        return this.#login(message);
      case PACKET.batch:
      case PACKET.procedure: {
        const statement = readStatement(message);
        this.#checkTransaction(statement.transaction);
        this.server.statements.push(statement.sql);
        if (statement.values) this.server.bound = statement;
        this.server.running++;
        return sendAnswer(this, this.#tsql!, statement).finally(() => this.server.running--);
      }
      default:
        throw new Error(`a message of type ${message.type}`);
    }
  }

  #checkTransaction(number: Buffer): void {
    if (!this.#tsql) throw new Error("a statement before the login");
    if (!this.#tsql.transaction.equals(number)) throw new Error("a statement names another transaction than it is in");
  }

  async #prelogin({ body }: Message): Promise<void> {
    const { loginFault: fault, tls } = this.server;
    if (fault?.kind === "silent") return;
    if (fault?.kind === "close") return void this.socket.destroy();
    if (fault?.kind === "garbage") return this.write(fault.bytes);
    if (fault?.kind === "endless") return this.#sendForever();
    const { encryption } = readPrelogin(body);
    const isAsked = encryption === ENCRYPTION.on || encryption === ENCRYPTION.required;
    const answer = tls === undefined ? ENCRYPTION.unsupported : isAsked ? ENCRYPTION.on : ENCRYPTION.required;
    await this.write(preloginAnswer(answer));
    if (tls === undefined || !isAsked) return;
    const inPackets = new TlsInPackets(tls, (bytes) => void this.socket.write(bytes));
    this.#tls = inPackets;
    inPackets.plain.once("secure", () => {
      // The end of the handshake still goes in a packet.
      setImmediate(() => {
        inPackets.agree();
        this.#isSecure = true;
      });
    });
    inPackets.plain.on("data", (chunk: Buffer) => this.#takeSecure(chunk));
  }

  async #sendForever(): Promise<void> {
    const bytes = packet(Buffer.alloc(30_000), { isLast: false });
    while (!this.isOver) await this.write(bytes);
  }

  async #login({ body }: Message): Promise<void> {
    const { server } = this;
    const login = readLogin(body);
    server.logins.push(login);
    const fault = server.loginFault;
    const refuse = async (errors: readonly tokens.ServerError[]) => {
      await this.write(
        packet(Buffer.concat([...errors.map((error) => tokens.errorToken(error)), tokens.done(tokens.DONE.error)])),
      );
      this.socket.end();
    };
    if (fault?.kind === "refuse") return refuse(fault.errors);
    if (login.user !== server.user || login.password !== server.password)
      return refuse([{ number: 18456, message: `Login failed for user '${login.user}'.`, severity: 14 }]);
    if (login.database !== server.database)
      return refuse([
        { number: 4060, message: `Cannot open database "${login.database}" requested by the login. The login failed.` },
        { number: 18456, message: `Login failed for user '${login.user}'.` },
      ]);
    this.#tsql = await TsqlSession.open(server.instance, server.tables);
    const route = fault?.kind === "route" ? [tokens.routing(fault.host, fault.port)] : [];
    const body_ = [
      tokens.databaseChange(login.database),
      tokens.infoToken(`Changed database context to '${login.database}'.`),
      tokens.packetSizeChange(PACKET_BYTES),
      tokens.loginAck(),
      ...route,
      tokens.done(0),
    ];
    const unasked = fault?.kind === "unasked" ? [packet(tokens.done(0))] : [];
    await this.write(Buffer.concat([...packets(Buffer.concat(body_), this.packetBytes), ...unasked]));
  }
}
