// Redshift's own way to prove a password that it keeps by SHA-256: its public drivers have it, PostgreSQL does not.

import { createHash, randomBytes } from "node:crypto";
import { Failure } from "../../../core/failure.ts";
import { protocolViolation } from "./messages.ts";
import { message } from "./wire.ts";

/** The number of the authentication request for a digest of the password. */
export const DIGEST_REQUEST = 13;
const SHA_256 = 0;
const NONCE_BYTES = 16;

/** The message that answers the request in `bytes[at .. )`: its algorithm, the salt and the server's nonce. */
export function answerDigest(bytes: Buffer, at: number, password: string): Buffer {
  if (bytes.length - at < 4 || bytes.readInt32BE(at) !== SHA_256)
    throw new Failure("connection_failed", "The server asks for a password hashed in a way that is not supported.", {
      reason: "authentication",
    });
  const salt = readPart(bytes, at + 4);
  const serverNonce = readPart(bytes, at + 8 + salt.length);
  const nonce = randomBytes(NONCE_BYTES);
  const salted = createHash("sha256").update(password).update(salt).digest();
  const digest = createHash("sha256").update(salted).update(serverNonce).update(nonce).digest();
  return message("d", lengthOf(digest), digest, lengthOf(nonce), nonce);
}

function readPart(bytes: Buffer, at: number): Buffer {
  const length = at + 4 > bytes.length ? -1 : bytes.readInt32BE(at);
  if (length < 0 || length > bytes.length - at - 4)
    protocolViolation("a proof is asked for by bytes that end too early");
  return bytes.subarray(at + 4, at + 4 + length);
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(length);
  return bytes;
}
