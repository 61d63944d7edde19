// The databases that the engine may be told to dial, on the contract with the Worker.

import { z } from "zod";

/** What encrypts a connection, and how far the server is believed, as libpq names it. */
export const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** Database drivers' shared credential shape. `port` is a string on the wire of the public API, hence here. */
const DatabaseCredentials = z.strictObject({
  host: z.string(),
  port: z.string(),
  database: z.string(),
  username: z.string(),
  password: z.string(),
  /** Absent: `prefer`. */
  sslmode: z.enum(SSL_MODES).optional(),
  /** Certificates to trust, as PEM text, where the mode verifies. Absent: the public authorities. */
  sslrootcert: z.string().optional(),
  /** Leave to send the password itself without TLS to a server that asks for it. */
  allow_cleartext_password: z.boolean().optional(),
});
export type DatabaseCredentials = z.infer<typeof DatabaseCredentials>;

/** A database the engine can dial. */
export const Source = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("postgres"), credentials: DatabaseCredentials }),
  z.strictObject({ type: z.literal("mysql"), credentials: DatabaseCredentials }),
]);
export type Source = z.infer<typeof Source>;
