// The credentials of each kind of integration: exact fields, and which of them may be shown again.

import { z } from "@hono/zod-openapi";
import { RootCertificates } from "./certificates.ts";
import { TrinoCredentials, TrinoRoute } from "./trino.ts";
import { SSL_MODES, type SslMode } from "../../../../kernel/wire/source.ts";

/** Every kind of integration, the ones that can't be made yet included. */
export const INTEGRATION_TYPES = [
  "postgres",
  "mysql",
  "lake",
  "redshift",
  "sqlserver",
  "bigquery",
  "snowflake",
  "cube",
  "slack",
  "trino",
] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/** Names other systems use for the same kinds; stored and answered as ours. */
const ALIASES = new Map<string, IntegrationType>([
  ["postgresql", "postgres"],
  ["mssql", "sqlserver"],
  ["ducklake", "lake"],
]);

/** Our name of a type; undefined for what is none. */
export const typeOf = (name: string): IntegrationType | undefined =>
  ALIASES.get(name) ?? INTEGRATION_TYPES.find((type) => type === name);

/** The kinds the engine dials as a database. */
const SOURCE_TYPES = [
  "postgres",
  "mysql",
  "redshift",
  "sqlserver",
  "bigquery",
  "snowflake",
] as const satisfies IntegrationType[];
export type SourceType = (typeof SOURCE_TYPES)[number];

/** For people. */
export const SOURCE_NAMES: Record<SourceType, string> = {
  postgres: "PostgreSQL",
  mysql: "MySQL",
  redshift: "Redshift",
  sqlserver: "SQL Server",
  bigquery: "BigQuery",
  snowflake: "Snowflake",
};

/** What a statement to an integration of each type is; null: it holds nothing to ask for. */
export const QUERIED_BY: Record<IntegrationType, "sql" | "cube_query" | null> = {
  postgres: "sql",
  mysql: "sql",
  redshift: "sql",
  sqlserver: "sql",
  bigquery: "sql",
  snowflake: "sql",
  lake: "sql",
  cube: "cube_query",
  slack: null,
  // Another engine for a lake: statements name the lake, and say which engine.
  trino: null,
};

export const isSourceType = (type: IntegrationType): type is SourceType =>
  (SOURCE_TYPES as readonly string[]).includes(type);

const text = (charactersMax: number) => z.string().min(1).max(charactersMax);

// Without `\d`, which is more than ASCII in other languages.
const PORT = /^(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})$/;

const port = z.string().regex(PORT, 'Send the port as a string, from "1" to "65535".').openapi({ example: "5432" });

const VERIFYING: readonly SslMode[] = ["verify-ca", "verify-full"];

const DatabaseCredentials = z
  .strictObject({
    host: text(253).openapi({ example: "db.example.com" }),
    port,
    database: text(128),
    username: text(128),
    password: z.string().max(1_024),
    sslmode: z
      .enum(SSL_MODES)
      .optional()
      .openapi({
        description:
          "As libpq's: `prefer`, where none is given, becomes `require` once the server was seen to offer TLS; only " +
          "`verify-ca` and `verify-full` (which compares the name as well) verify its certificate.",
      }),
    sslrootcert: RootCertificates,
    allow_cleartext_password: z
      .boolean()
      .optional()
      .openapi({ description: "Lets the password be sent as it is, without TLS, to a server that asks for it so." }),
  })
  .refine(({ sslmode = "prefer", sslrootcert }) => sslrootcert === undefined || VERIFYING.includes(sslmode), {
    path: ["sslrootcert"],
    message: "This takes effect with sslmode verify-ca or verify-full only.",
  })
  .openapi("DatabaseCredentials");

const KEY_FILE_CHARACTERS_MAX = 20_000;

const KeyFileText = z.string().min(1).openapi("KeyFileText", { description: "A service account's key file, as text." });
const KeyFileJson = z
  .record(z.string(), z.unknown())
  .openapi("KeyFileJson", { description: "A service account's key file, as JSON." });
/** The key file as text, in whichever of two forms it was sent. */
const KeyFile = z
  .union([KeyFileText, KeyFileJson])
  .transform((file) => (typeof file === "string" ? file : JSON.stringify(file)))
  .refine(
    (file) => file.length <= KEY_FILE_CHARACTERS_MAX,
    `A key file has at most ${KEY_FILE_CHARACTERS_MAX} characters.`,
  );

const BigQueryCredentials = z
  .strictObject({
    project_id: text(128).openapi({
      description: "The project that queries are billed to, and whose datasets are read.",
    }),
    credentials_json: KeyFile,
    location: text(64)
      .optional()
      .openapi({ description: "Where queries run, such as `EU`. Absent: where the datasets are.", example: "EU" }),
    maximum_bytes_billed: z
      .string()
      .regex(/^[1-9][0-9]{0,17}$/, "Send the number of bytes as a string of digits.")
      .optional()
      .openapi({ description: "What a statement may be billed for, in bytes; a larger one fails without cost." }),
  })
  .openapi("BigQueryCredentials");

const SnowflakeCredentials = z
  .strictObject({
    account: text(253).openapi({
      description: "The account's identifier, such as `myorg-account1` or `xy12345.eu-central-1`.",
      example: "myorg-account1",
    }),
    username: text(128),
    password: z.string().max(1_024).openapi({ description: "The user's password, or a programmatic access token." }),
    warehouse: text(128),
    database: text(128),
    role: text(128).optional().openapi({ description: "The role to use. Absent: the user's default." }),
  })
  .openapi("SnowflakeCredentials");

const CubeCredentials = z
  .strictObject({
    integration_id: z.string().openapi({ description: "The integration whose tables the model describes." }),
  })
  .openapi("CubeCredentials");

export const SlackCredentials = z
  .strictObject({
    bot_token: z
      .string()
      .max(500)
      .regex(/^xoxb-[A-Za-z0-9-]+$/, "Send the bot's token: it begins with xoxb-.")
      .openapi({
        description: "A bot's token of a Slack app that has the scope `chat:write`.",
        example: "xoxb-0-example",
      }),
  })
  .openapi("SlackCredentials");
export type SlackCredentials = z.infer<typeof SlackCredentials>;

const LakeCredentials = z.strictObject({}).openapi("LakeCredentials", { description: "A lake has none." });

const name = z.string().min(1).max(200).nullish();

/** One variant a kind: the type decides which credentials are asked for. */
export const NewIntegration = z
  .discriminatedUnion("type", [
    z
      .strictObject({ type: z.enum(["postgres", "postgresql"]), name, credentials: DatabaseCredentials })
      .openapi("NewPostgres"),
    z.strictObject({ type: z.literal("mysql"), name, credentials: DatabaseCredentials }).openapi("NewMysql"),
    z
      .strictObject({ type: z.enum(["lake", "ducklake"]), name, credentials: LakeCredentials.default({}) })
      .openapi("NewLake"),
    z.strictObject({ type: z.literal("redshift"), name, credentials: DatabaseCredentials }).openapi("NewRedshift"),
    z
      .strictObject({ type: z.enum(["sqlserver", "mssql"]), name, credentials: DatabaseCredentials })
      .openapi("NewSqlserver"),
    z.strictObject({ type: z.literal("bigquery"), name, credentials: BigQueryCredentials }).openapi("NewBigquery"),
    z.strictObject({ type: z.literal("snowflake"), name, credentials: SnowflakeCredentials }).openapi("NewSnowflake"),
    z.strictObject({ type: z.literal("cube"), name, credentials: CubeCredentials }).openapi("NewCube"),
    z.strictObject({ type: z.literal("slack"), name, credentials: SlackCredentials }).openapi("NewSlack"),
    z
      .strictObject({
        ...{ type: z.literal("trino"), name, credentials: TrinoCredentials },
        lake_id: z.string().openapi({ description: "The team's lake that the cluster reads." }),
        route: TrinoRoute.default({ above_bytes: null, after_memory_failure: false }),
      })
      .openapi("NewTrino"),
  ])
  .openapi("NewIntegration", {
    example: {
      type: "postgres",
      name: "Shop",
      credentials: { host: "db.example.com", port: "5432", database: "shop", username: "reader", password: "…" },
    },
  });
export type NewIntegration = z.infer<typeof NewIntegration>;

/** By kind: what is asked for, and what is kept. */
export const CREDENTIALS = {
  postgres: DatabaseCredentials,
  mysql: DatabaseCredentials,
  redshift: DatabaseCredentials,
  sqlserver: DatabaseCredentials,
  bigquery: BigQueryCredentials,
  snowflake: SnowflakeCredentials,
} as const satisfies Record<SourceType, z.ZodType>;
