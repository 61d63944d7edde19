// One session of the fake of Redshift: what the client sends goes on to PostgreSQL as `dialect.ts` makes it, what
// PostgreSQL answers comes back as Redshift would say it, or as a fault has it.

import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { toPostgres, type DialectState } from "./dialect.ts";
import { frame, readMessages, type Message } from "./messages.ts";

/** Each befalls an answer once its row number `row` (from 0) of more than one column's worth has come. */
export type Fault =
  /** The connection is closed. */
  | { kind: "close"; row: number }
  /** Nothing more is said. */
  | { kind: "stall"; row: number }
  /** The row is sent twice, or never, or the answer ends there as though it were whole. */
  | { kind: "repeat" | "lose" | "truncate"; row: number }
  /** The row claims to be longer than any can be. */
  | { kind: "huge"; row: number };

/** What the fake keeps of its sessions, and does to them. */
export type SessionLog = {
  readonly statements: string[];
  /** The values that were bound last, as the client sent them. */
  bound: readonly (string | null)[];
  readonly fault: Fault | undefined;
  readonly refusedSettings: ReadonlySet<string>;
};

type Opened = {
  socket: Socket;
  upstream: Socket;
  key: { processId: number; secret: number };
  /** PostgreSQL's OIDs of Redshift's types, to Redshift's. */
  oids: ReadonlyMap<number, number>;
};

export class Session {
  readonly secret = randomInt(2 ** 31);
  readonly key: Opened["key"];

  readonly #fake: SessionLog;
  readonly #opened: Opened;
  readonly #state: DialectState;
  #fromClient: Buffer = Buffer.alloc(0);
  #fromServer: Buffer = Buffer.alloc(0);
  #rows = 0;
  #isCut = false;

  constructor(fake: SessionLog, opened: Opened) {
    this.#fake = fake;
    this.#state = { isCaseSensitive: false, refusedSettings: fake.refusedSettings };
    this.#opened = opened;
    this.key = opened.key;
  }

  begin(): void {
    const { socket, upstream } = this.#opened;
    upstream.removeAllListeners("data");
    upstream.on("data", (bytes: Buffer) => this.#answer(bytes));
    upstream.on("close", () => socket.end()).on("error", () => socket.destroy());
    socket.on("data", (bytes: Buffer) => this.#send(bytes));
    socket.on("close", () => upstream.destroy());
    socket.on("drain", () => upstream.resume());
    upstream.resume();
  }

  #send(bytes: Buffer): void {
    const { messages, rest } = readMessages(Buffer.concat([this.#fromClient, bytes]));
    this.#fromClient = Buffer.from(rest);
    this.#opened.upstream.write(Buffer.concat(messages.map((message) => this.#translate(message))));
  }

  #translate({ type, body }: Message): Buffer {
    if (type === "B") this.#fake.bound = valuesOf(body);
    if (type === "Q") return frame("Q", this.#statement(body.toString("utf8", 0, body.length - 1)));
    if (type !== "P") return frame(type, body);
    const name = body.indexOf(0) + 1;
    const end = body.indexOf(0, name);
    return frame(
      "P",
      body.subarray(0, name),
      this.#statement(body.toString("utf8", name, end)),
      body.subarray(end + 1),
    );
  }

  #statement(sql: string): Buffer {
    if (sql.trim() !== "") this.#fake.statements.push(sql);
    return Buffer.from(`${toPostgres(sql, this.#state)}\0`);
  }

  #answer(bytes: Buffer): void {
    const { messages, rest } = readMessages(
      this.#fromServer.length > 0 ? Buffer.concat([this.#fromServer, bytes]) : bytes,
    );
    this.#fromServer = Buffer.from(rest);
    const { socket, upstream } = this.#opened;
    const answers: Buffer[] = [];
    for (const message of messages) {
      if (this.#isCut) break;
      answers.push(...this.#toRedshift(message));
    }
    if (answers.length > 0 && !socket.write(Buffer.concat(answers))) upstream.pause();
  }

  #toRedshift({ type, body }: Message): Buffer[] {
    switch (type) {
      case "T":
        this.#rows = 0;
        return [frame("T", this.#withOids(body))];
      case "D":
        return this.#row(body, this.#rows++);
      case "C":
        this.#rows = 0;
        // It says no count.
        return [frame("C", body.toString("latin1").startsWith("SELECT") ? Buffer.from("SELECT\0") : body)];
      case "N":
        return [];
      default:
        return [frame(type, body)];
    }
  }

  #row(body: Buffer, row: number): Buffer[] {
    const { fault } = this.#fake;
    const whole = frame("D", body);
    if (!fault || fault.row !== row) return fault?.kind === "truncate" && row > fault.row ? [] : [whole];
    switch (fault.kind) {
      case "repeat":
        return [whole, whole];
      case "lose":
      case "truncate":
        return [];
      case "huge":
        this.#isCut = true;
        return [Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff, 0, 1])];
      case "close":
        this.#isCut = true;
        setImmediate(() => this.#opened.socket.end());
        return [whole.subarray(0, 4)];
      case "stall":
        this.#isCut = true;
        return [];
    }
  }

  #withOids(body: Buffer): Buffer {
    const copy = Buffer.from(body);
    let at = 2;
    for (let left = copy.readUInt16BE(0); left > 0; left--) {
      const end = copy.indexOf(0, at);
      copy.writeUInt32BE(this.#opened.oids.get(copy.readUInt32BE(end + 7)) ?? copy.readUInt32BE(end + 7), end + 7);
      at = end + 19;
    }
    return copy;
  }
}

/** The values in a message Bind, which are all in text. */
function valuesOf(body: Buffer): (string | null)[] {
  const formats = body.indexOf(0, body.indexOf(0) + 1) + 1;
  let at = formats + 2 + body.readUInt16BE(formats) * 2 + 2;
  return Array.from({ length: body.readUInt16BE(at - 2) }, () => {
    const length = body.readInt32BE(at);
    at += 4 + Math.max(0, length);
    return length < 0 ? null : body.toString("utf8", at - length, at);
  });
}
