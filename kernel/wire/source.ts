// The databases that the engine may be asked to dial, and what it reports of them: a part of its contract with the
// Worker.

import { z } from "zod";
import { NAME_FOLDINGS } from "../text/name-folding.ts";

/** Whether a connection is encrypted, and how the server is verified, as libpq names it. */
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
  /** Permission to send the password itself without TLS to a server that asks for it. */
  allow_cleartext_password: z.boolean().optional(),
});
export type DatabaseCredentials = z.infer<typeof DatabaseCredentials>;

/** Google's BigQuery, by a service account. */
const BigQueryCredentials = z.strictObject({
  project_id: z.string(),
  /** The service account's key file, as JSON text. */
  credentials_json: z.string(),
  /** The location where jobs run. Absent: that of the datasets they read. */
  location: z.string().optional(),
  /** The most bytes that a statement may be billed for, in digits. Absent: the project's own limit. */
  maximum_bytes_billed: z.string().optional(),
});
export type BigQueryCredentials = z.infer<typeof BigQueryCredentials>;

/** Snowflake; `password` may be a programmatic access token. */
const SnowflakeCredentials = z.strictObject({
  account: z.string(),
  username: z.string(),
  password: z.string(),
  warehouse: z.string(),
  database: z.string(),
  /** Absent: the user's default. */
  role: z.string().optional(),
});
export type SnowflakeCredentials = z.infer<typeof SnowflakeCredentials>;

/** A database the engine can dial. */
export const Source = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("postgres"), credentials: DatabaseCredentials }),
  z.strictObject({ type: z.literal("mysql"), credentials: DatabaseCredentials }),
  z.strictObject({ type: z.literal("redshift"), credentials: DatabaseCredentials }),
  z.strictObject({ type: z.literal("sqlserver"), credentials: DatabaseCredentials }),
  z.strictObject({ type: z.literal("bigquery"), credentials: BigQueryCredentials }),
  z.strictObject({ type: z.literal("snowflake"), credentials: SnowflakeCredentials }),
]);
export type Source = z.infer<typeof Source>;

/** Whether a database may charge for each statement, so that only who sent one sends it again. */
export const MAY_CHARGE: Record<Source["type"], boolean> = {
  postgres: false,
  mysql: false,
  sqlserver: false,
  redshift: true,
  bigquery: true,
  snowflake: true,
};

/** The secrets among the credentials, which are taken out of every message. */
export function secretsOf({ type, credentials }: Source): string[] {
  return type === "bigquery" ? keyFileSecrets(credentials.credentials_json) : [credentials.password];
}

/** The key file's text, and the private key as drivers may print it: whole, or a line of it. */
function keyFileSecrets(text: string): string[] {
  const key = readPrivateKey(text);
  return [text, key, ...key.split(/\r?\n/).filter((line) => !/^(-----.*-----)?$/.test(line))].filter(Boolean);
}

function readPrivateKey(text: string): string {
  try {
    const { private_key: key } = JSON.parse(text) as { private_key?: unknown };
    return typeof key === "string" ? key : "";
  } catch {
    return "";
  }
}

/** POST /connections/test */
export const ConnectionTest = z.strictObject({ source: Source, deadlineMs: z.number().int().positive() });
export type ConnectionTest = z.infer<typeof ConnectionTest>;

/**
 * An object of a database by which a statement could run code of the database's own, so that callers who are bound by
 * data-access roles can do less: `effect` says what, in a sentence.
 */
export const Hindrance = z.object({
  kind: z.enum(["cast", "order", "function", "operator"]),
  name: z.string(),
  /** The function that is run. */
  code: z.string(),
  effect: z.string(),
});
export type Hindrance = z.infer<typeof Hindrance>;

/** The answer to a connection that works. */
export const ConnectionReport = z.object({
  product: z.string(),
  version: z.string(),
  /** Whether this connection was encrypted. */
  tls: z.boolean(),
  /** Whether the role could write somewhere in this database: advice for the user, not an error. */
  canWrite: z.boolean(),
  /** Absent where there are none, and for sources of a type that has none. */
  hindrances: z.array(Hindrance).optional(),
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

/**
 * The tables of a source, bounded by the engine, without the server's own schemas and without tables that the role may
 * not read.
 */
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
          /** Foreign keys; the tables that they reference, and their columns, need not be listed. */
          foreignKeys: z.array(ForeignKey).optional(),
        }),
      ),
    }),
  ),
  /** The source has more tables than the engine lists. */
  truncated: z.boolean().optional(),
  /** Absent: `exact`. */
  folding: z.enum(NAME_FOLDINGS).optional(),
});
export type Introspection = z.infer<typeof Introspection>;
