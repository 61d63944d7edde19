// The messages of PostgreSQL's protocol that the fake of Redshift reads and makes.

import { createHash } from "node:crypto";

export type Message = { type: string; body: Buffer };
/** How a client proves its password: Redshift's two, for passwords kept by MD5 and by SHA-256. */
export type Authentication = "md5" | "digest";

export function frame(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5, type, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The whole messages in `bytes`, and what is left. */
export function readMessages(bytes: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push({ type: String.fromCharCode(bytes[at]!), body: bytes.subarray(at + 5, end) });
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

export const errorResponse = (code: string, message: string): Buffer =>
  frame("E", Buffer.from(`SERROR\0C${code}\0M${message}\0\0`));

type Proof = { username: string; password: string; salt: Buffer; nonce: Buffer };

/** Whether a client's answer proves the password. */
export function isPassword({ type, body }: Message, { username, password, salt, nonce }: Proof): boolean {
  if (type === "p") {
    const inner = createHash("md5")
      .update(password + username)
      .digest("hex");
    const outer = createHash("md5")
      .update(Buffer.concat([Buffer.from(inner), salt]))
      .digest("hex");
    return body.toString("utf8") === `md5${outer}\0`;
  }
  if (type !== "d") return false;
  const digest = body.subarray(4, 4 + body.readUInt32BE(0));
  const clientNonce = body.subarray(8 + digest.length);
  const salted = createHash("sha256").update(password).update(salt).digest();
  return createHash("sha256").update(salted).update(nonce).update(clientNonce).digest().equals(digest);
}
