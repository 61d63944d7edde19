// The start of a session as a server sees it: what is agreed before, TLS within packets, and who logs in.

import { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { PACKET, packet, type Message } from "./packets.ts";

export const ENCRYPTION = { off: 0, on: 1, unsupported: 2, required: 3 } as const;

/** What the client says of encryption. */
export function readPrelogin(body: Buffer): { encryption: number } {
  for (let at = 0; body[at] !== 0xff; at += 5)
    if (body[at] === 1) return { encryption: body[body.readUInt16BE(at + 1)]! };
  throw new Error("a prelogin without encryption");
}

export function preloginAnswer(encryption: number): Buffer {
  const head = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return packet(Buffer.concat([head, Buffer.from([16, 0, 0x10, 0x13, 0, 0, encryption])]));
}

/** What a login says, its password as it was before it was obscured. */
export type Login = {
  user: string;
  password: string;
  database: string;
  app: string;
  server: string;
  readOnly: boolean;
};

export function readLogin(body: Buffer): Login {
  if (body.readUInt32LE(0) !== body.length) throw new Error("a login of another length than it says");
  const text = (at: number, decode = (bytes: Buffer) => bytes): string => {
    const start = body.readUInt16LE(at);
    const bytes = Buffer.from(body.subarray(start, start + body.readUInt16LE(at + 2) * 2));
    return decode(bytes).toString("utf16le");
  };
  return {
    user: text(40),
    password: text(44, (bytes) => bytes.map((byte) => swapHalves(byte ^ 0xa5)) as Buffer),
    app: text(48),
    server: text(52),
    database: text(68),
    readOnly: (body[26]! & 0x20) !== 0,
  };
}

const swapHalves = (byte: number): number => ((byte << 4) & 0xf0) | (byte >> 4);

/** TLS that is agreed on within prelogin packets and then lies below all packets. */
export class TlsInPackets {
  readonly plain: TLSSocket;
  #isAgreed = false;
  readonly #pipe: Duplex;

  /** `send` writes to the socket; what the socket brings is handed to {@link receive}. */
  constructor({ key, cert }: { key: string; cert: string }, send: (bytes: Buffer) => void) {
    let handshake: Buffer[] = [];
    this.#pipe = new Duplex({
      read() {},
      write: (chunk: Buffer, _, done) => {
        if (this.#isAgreed) send(chunk);
        else {
          // All that answers one message goes into one.
          if (handshake.length === 0)
            setImmediate(() => {
              send(packet(Buffer.concat(handshake), { type: PACKET.prelogin }));
              handshake = [];
            });
          handshake.push(chunk);
        }
        done();
      },
    });
    this.plain = new TLSSocket(this.#pipe, {
      isServer: true,
      secureContext: createSecureContext({ key, cert, maxVersion: "TLSv1.2" }),
    });
    this.plain.on("error", () => undefined);
  }

  /** A prelogin message of the handshake. */
  handshake({ body }: Message): void {
    this.#pipe.push(body);
  }

  /** Bytes of the socket once the handshake is over. */
  receive(chunk: Buffer): void {
    this.#pipe.push(chunk);
  }

  /** To be called with what follows the handshake: from now on nothing is wrapped. */
  agree(): void {
    this.#isAgreed = true;
  }

  end(): void {
    this.#pipe.push(null);
    this.plain.destroy();
  }
}
