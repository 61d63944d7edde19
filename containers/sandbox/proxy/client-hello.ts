// A TLS client's hello names the host it wants to reach, which is all that can be seen of a tunnel (RFC 8446 §4.1.2,
// RFC 6066 §3, RFC 9849).

/** `isEncrypted`: another name may be encrypted within. */
export type Hello = { name: string | null; isEncrypted: boolean };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const RECORD_BYTES_MAX = 16_384;
/** Records of a hello: clients send one, and some cut a long hello into a few. */
const RECORDS_MAX = 16;
/** With the keys of today's exchanges a hello takes about two thousand. */
const HELLO_BYTES_MAX = 64 * 1024;
const SERVER_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;
/** Bytes of the hello's version and random. */
const FIXED_BYTES = 34;

/** Reads a hello as it arrives, and looks again only when what it waits for is there: pieces may be of one byte. */
export class HelloReader {
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = 1;

  /** Undefined where more bytes are needed, null where they are no ClientHello. */
  push(piece: Buffer): Hello | undefined | null {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#wanted) return undefined;
    const message = messageIn(this.bytes());
    if (typeof message === "number") {
      this.#wanted = message;
      return message > HELLO_BYTES_MAX ? null : undefined;
    }
    try {
      return message && parse(message);
    } catch {
      // A length points past the end.
      return null;
    }
  }

  /** All that came, what follows the hello included. */
  bytes(): Buffer {
    const whole = Buffer.concat(this.#pieces);
    this.#pieces = [whole];
    return whole;
  }
}

/**
 * The first handshake message, which a client may have cut into records; or how many bytes are needed to decide;
 * null where it is no ClientHello.
 */
function messageIn(bytes: Buffer): Buffer | number | null {
  const records: Buffer[] = [];
  let held = 0;
  for (let at = 0; records.length < RECORDS_MAX; ) {
    if (at < bytes.length && bytes[at] !== HANDSHAKE) return null;
    if (at + 5 > bytes.length) return at + 5;
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at + 1] !== 3 || length === 0 || length > RECORD_BYTES_MAX) return null;
    at += 5 + length;
    if (at > bytes.length) return at;
    records.push(bytes.subarray(at - length, at));
    held += length;
    const head = Buffer.concat(records, Math.min(held, 4));
    if (head[0] !== CLIENT_HELLO) return null;
    if (held < 4) continue;
    const end = 4 + head.readUIntBE(1, 3);
    if (end > HELLO_BYTES_MAX) return null;
    if (held >= end) return Buffer.concat(records).subarray(4, end);
  }
  return null;
}

function parse(message: Buffer): Hello | null {
  let at = FIXED_BYTES;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  const hello: Hello = { name: null, isEncrypted: false };
  if (at === message.length) return hello;
  for (at += 2; at < message.length; ) {
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
    const content = message.subarray(at + 4, at + 4 + length);
    if (type === ENCRYPTED_HELLO) hello.isEncrypted = true;
    if (type === SERVER_NAME) {
      // One name, of the one kind there is, and nothing else: of two, the server may take the other.
      const size = content.readUInt16BE(3);
      if (hello.name !== null || content[2] !== 0 || content.length !== 5 + size) return null;
      hello.name = content.toString("latin1", 5);
    }
    at += 4 + length;
  }
  return at === message.length ? hello : null;
}
