// Whom a TLS client says it wants to reach: all that can be seen of a tunnel (RFC 8446 §4.1.2, RFC 6066 §3, RFC 9849).

/** `isVeiled`: another name may be encrypted within. */
export type Hello = { name: string | null; isVeiled: boolean };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const RECORD_BYTES_MAX = 16_384;
const SERVER_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;
/** Its version and random bytes. */
const FIXED_BYTES = 34;

/** Undefined where more bytes are needed, null where they are no ClientHello. */
export function readHello(bytes: Buffer): Hello | undefined | null {
  const message = messageIn(bytes);
  if (!message) return message;
  try {
    return parse(message);
  } catch {
    // A length points past the end.
    return null;
  }
}

/** The first handshake message, which a client may have cut into any number of records. */
function messageIn(bytes: Buffer): Buffer | undefined | null {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3 || length === 0 || length > RECORD_BYTES_MAX) return null;
    if (at + 5 + length > bytes.length) return undefined;
    pieces.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    const whole = Buffer.concat(pieces);
    if (whole[0] !== CLIENT_HELLO) return null;
    if (whole.length >= 4 && whole.length >= 4 + whole.readUIntBE(1, 3)) return whole.subarray(4, 4 + whole.readUIntBE(1, 3));
  }
  return bytes.length > 0 && bytes[0] !== HANDSHAKE ? null : undefined;
}

function parse(message: Buffer): Hello | null {
  let at = FIXED_BYTES;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  const hello: Hello = { name: null, isVeiled: false };
  if (at === message.length) return hello;
  for (at += 2; at < message.length; ) {
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
    const content = message.subarray(at + 4, at + 4 + length);
    if (type === ENCRYPTED_HELLO) hello.isVeiled = true;
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
