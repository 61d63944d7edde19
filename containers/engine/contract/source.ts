// The databases that the engine may be asked to dial, and what it reports of them: a part of its contract with the
// Worker.

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

/** POST /connections/test */
export const ConnectionTest = z.strictObject({ source: Source, deadlineMs: z.number().int().positive() });
export type ConnectionTest = z.infer<typeof ConnectionTest>;

/** The answer to a connection that works. */
export const ConnectionReport = z.object({
  product: z.string(),
  version: z.string(),
  /** Whether this connection was encrypted. */
  tls: z.boolean(),
  /** Whether the role could write somewhere in this database: advice for the user, not an error. */
  canWrite: z.boolean(),
});
export type ConnectionReport = z.infer<typeof ConnectionReport>;

/** POST /introspect: what there is to sync. */
export const IntrospectRequest = z.strictObject({ source: Source, deadlineMs: z.number().int().positive() });
export type IntrospectRequest = z.infer<typeof IntrospectRequest>;

/** `columns` are equal to `references` of the other table, pair by pair. */
const ForeignKey = z.object({
  columns: z.array(z.string()),
  schema: z.string(),
  table: z.string(),
  references: z.array(z.string()),
});
export type ForeignKey = z.infer<typeof ForeignKey>;

/** The answer, bounded by the engine; the server's own schemas are left out, and what the role may not read. */
export const Introspection = z.object({
  schemas: z.array(
    z.object({
      name: z.string(),
      tables: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(["table", "partitioned", "view", "materialized", "foreign"]),
          comment: z.string().nullish(),
          rowsEstimate: z.number().nullable(),
          bytesEstimate: z.number().nullish(),
          columns: z.array(
            z.object({
              name: z.string(),
              type: z.string(),
              nullable: z.boolean(),
              generated: z.boolean().optional(),
              /** The server numbers new rows itself, upwards. */ counted: z.boolean().optional(),
              comment: z.string().nullish(),
            }),
          ),
          /** In key order; empty where there is none. */
          primaryKey: z.array(z.string()),
          /** What they point at, and their columns, need not be listed. */
          foreignKeys: z.array(ForeignKey).optional(),
        }),
      ),
    }),
  ),
  /** There is more than the engine lists. */
  truncated: z.boolean().optional(),
});
export type Introspection = z.infer<typeof Introspection>;
