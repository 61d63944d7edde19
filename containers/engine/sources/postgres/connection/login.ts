// The guard of a login: pg's parser believes every length that it reads, so it gets only whole messages of the few
// kinds that a login is made of, and none that come after the login.

import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Failure } from "../../../core/failure.ts";
import { answerDigest, DIGEST_REQUEST } from "./digest-password.ts";
import { readServerError } from "./errors.ts";
import { protocolViolation, endOfText } from "./messages.ts";

/** A login's messages together hold some parameters, keys and proofs. */
const LOGIN_BYTES_MAX = 256 * 1024;
/** SCRAM, the longest, asks three times and says yes once. */
const REQUESTS_MAX = 8;
const HEAD_BYTES = 5;

const AUTHENTICATION = 0x52,
  ERROR = 0x45,
  KEY_DATA = 0x4b,
  READY = 0x5a,
  NOTICE = 0x4e,
  PARAMETER = 0x53;
/** The authentication requests that pg or this file can answer, with the length of the body where it is fixed. */
const REQUESTS = new Map<number, number | undefined>([
  [0, 4],
  [3, 4],
  [5, 8],
  [10, undefined],
  [11, undefined],
  [12, undefined],
  [DIGEST_REQUEST, undefined],
]);

/**
 * `attach` as pg's: has `stream`'s bytes parsed. `fail` ends the login. `password` is for a proof that pg can't make.
 */
type Attach = (stream: unknown) => void;
type Guard = { attach: Attach; fail(error: unknown): void; password: string };

/**
 * Stands between the socket and pg's `attach`. When the login is over the socket is paused, and what came behind is put
 * back for whoever reads it next.
 */
export function guardLogin({ attach, fail, password }: Guard): (stream: Socket) => void {
  return (stream) => {
    const messages = new EventEmitter();
    attach(messages);
    const login = new Login(
      (message) => messages.emit("data", message),
      (request) => stream.write(answerDigest(request, HEAD_BYTES + 4, password)),
    );
    const onData = (chunk: Buffer) => {
      try {
        const rest = login.receive(chunk);
        if (!rest) return;
        stream.off("data", onData).pause();
        if (rest.length > 0) stream.unshift(rest);
        login.end();
      } catch (error) {
        stream.off("data", onData);
        fail(error);
      }
    };
    stream.on("data", onData);
  };
}

class Login {
  readonly #give: (message: Buffer) => void;
  readonly #proveByDigest: (request: Buffer) => void;
  #held: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #requests = 0;
  #isLetIn = false;
  #ready: Buffer | undefined;

  constructor(give: (message: Buffer) => void, proveByDigest: (request: Buffer) => void) {
    this.#give = give;
    this.#proveByDigest = proveByDigest;
  }

  /** Returns what stands behind the last message once it is there. Throws what ends the login. */
  receive(chunk: Buffer): Buffer | undefined {
    const held = Buffer.concat([this.#held, chunk]);
    let at = 0;
    while (!this.#ready && held.length - at >= HEAD_BYTES) {
      const length = held.readUInt32BE(at + 1);
      if (length < HEAD_BYTES - 1 || this.#bytes + length > LOGIN_BYTES_MAX)
        protocolViolation("a message of the login has a length that can't be right");
      if (at + 1 + length > held.length) break;
      // A copy of its own size: there is nothing behind it to be read.
      const message = Buffer.alloc(1 + length);
      held.copy(message, 0, at);
      at += message.length;
      this.#bytes += message.length;
      this.#take(message);
    }
    this.#held = Buffer.from(held.subarray(at));
    return this.#ready ? this.#held : undefined;
  }

  /** Lets pg know that it is in. */
  end(): void {
    this.#give(this.#ready!);
  }

  #take(message: Buffer): void {
    switch (message[0]) {
      case AUTHENTICATION:
        return this.#takeRequest(message);
      case ERROR:
        throw readServerError(message, HEAD_BYTES, message.length);
      case KEY_DATA:
        if (message.length !== HEAD_BYTES + 8) protocolViolation("the key of the session has another length");
        return this.#give(message);
      case READY:
        if (!this.#isLetIn || message.length !== HEAD_BYTES + 1)
          protocolViolation("the server is ready before it has let us in");
        this.#ready = message;
        return;
      case PARAMETER:
      case NOTICE:
        return;
      default:
        protocolViolation("a message came that is none of a login's");
    }
  }

  #takeRequest(message: Buffer): void {
    const length = message.length - HEAD_BYTES;
    const kind = length < 4 ? -1 : message.readUInt32BE(HEAD_BYTES);
    if (!REQUESTS.has(kind))
      throw new Failure(
        "connection_failed",
        "The server asks for a login other than by password, which is not supported.",
        { reason: "authentication" },
      );
    if (length !== (REQUESTS.get(kind) ?? length) || this.#isLetIn || ++this.#requests > REQUESTS_MAX)
      protocolViolation("the server asks for a proof in a way it can't");
    // Names of mechanisms, then an empty one.
    if (kind === 10) for (let at = HEAD_BYTES + 4; message[at] !== 0; ) at = endOfText(message, at, message.length) + 1;
    this.#isLetIn = kind === 0;
    if (kind === DIGEST_REQUEST) this.#proveByDigest(message);
    else this.#give(message);
  }
}
