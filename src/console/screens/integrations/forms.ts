// Each kind of integration has a form. The next kind, or the next credential of a kind, does not compile until its
// field is here. Pure.

import type { components } from "../../api/schema.d.ts";

type Schemas = components["schemas"];
export type Integration = Schemas["Integration"];
export type IntegrationKind = Integration["type"];
type New = Schemas["NewIntegration"];

type Matching<Kind, Variant> = Variant extends { type: infer Names; credentials?: infer Credentials }
  ? Kind extends Names
    ? NonNullable<Credentials>
    : never
  : never;
type CredentialsOf<Kind> = Matching<Kind, New>;

export type Field = {
  label: string;
  input: "text" | "secret" | "area" | "flag" | "integration" | "lake" | readonly string[];
  isRequired: boolean;
  placeholder?: string;
  initial?: string;
  hint?: string;
};

export type KindForm<Name extends string = string> = {
  title: string;
  /** One sentence: what it is good for. */
  text: string;
  fields: Readonly<Record<Name, Field>>;
  /** It is kept without being connected to: it needs a key of ours first. */
  isTestedLater?: true;
  /** What is asked for beside the credentials; `isFixed`: it is not changed later. */
  beside?: Readonly<Record<string, Field & { isFixed?: true }>>;
};

const text = (label: string, more: Partial<Field> = {}): Field => ({ label, input: "text", isRequired: true, ...more });

const PASSWORD: Field = { label: "Password", input: "secret", isRequired: true };

const authority = (hint: string): Field => ({ label: "Certificate authority", input: "area", isRequired: false, hint });

const databaseFields = (port: string): Record<keyof Schemas["DatabaseCredentials"], Field> => ({
  host: text("Host", { placeholder: "db.example.com" }),
  port: text("Port", { initial: port }),
  database: text("Database"),
  username: text("User", { hint: "Best a role that can only read." }),
  password: PASSWORD,
  sslmode: {
    label: "TLS",
    input: ["disable", "prefer", "require", "verify-ca", "verify-full"],
    isRequired: false,
    hint: "Left empty, TLS is used where the server offers it, and required from then on.",
  },
  sslrootcert: authority("PEM text, for verify-ca and verify-full. Left empty, the public authorities are believed."),
  allow_cleartext_password: {
    label: "Send the password without TLS where the server wants that",
    input: "flag",
    isRequired: false,
  },
});

export const FORMS: { [Kind in IntegrationKind]: KindForm<Extract<keyof CredentialsOf<Kind>, string>> } = {
  postgres: {
    title: "PostgreSQL",
    text: "Query it directly, or sync its tables into the lake.",
    fields: databaseFields("5432"),
  },
  mysql: {
    title: "MySQL, MariaDB",
    text: "Query it directly, or sync its tables into the lake.",
    fields: databaseFields("3306"),
  },
  redshift: {
    title: "Amazon Redshift",
    text: "Query it directly, or sync its tables into the lake.",
    fields: databaseFields("5439"),
  },
  sqlserver: {
    title: "SQL Server",
    text: "Query it directly, or sync its tables into the lake.",
    fields: databaseFields("1433"),
  },
  bigquery: {
    title: "BigQuery",
    text: "Query it by a service account, or sync its tables into the lake.",
    fields: {
      project_id: text("Project"),
      credentials_json: {
        label: "Key of the service account",
        input: "area",
        isRequired: true,
        placeholder: '{"type": "service_account", …}',
      },
      location: text("Location", { isRequired: false, placeholder: "EU" }),
      maximum_bytes_billed: text("Bytes billed at most", {
        isRequired: false,
        hint: "A statement that would read more is refused by BigQuery.",
      }),
    },
  },
  snowflake: {
    title: "Snowflake",
    text: "Query it by one of its warehouses, or sync its tables into the lake.",
    fields: {
      account: text("Account", { placeholder: "orgname-accountname" }),
      username: text("User", { hint: "Best a role that can only read." }),
      password: PASSWORD,
      warehouse: text("Warehouse"),
      database: text("Database"),
      role: text("Role", { isRequired: false }),
    },
  },
  lake: {
    title: "Lake",
    text: "A further lake of the team, in the same bucket, with schemas and snapshots of its own.",
    fields: {},
  },
  cube: {
    title: "Semantic layer",
    text: "Measures and dimensions over the lake or a database, asked for by name.",
    fields: { integration_id: { label: "Lies on", input: "integration", isRequired: true } },
  },
  slack: {
    title: "Slack",
    text: "Posts messages and deliveries; there is nothing to query.",
    fields: { bot_token: { label: "Bot token", input: "secret", isRequired: true, placeholder: "xoxb-…" } },
  },
  trino: {
    title: "Trino",
    isTestedLater: true,
    text: "A cluster of your own, which runs what is too heavy for one machine on one of your lakes.",
    fields: {
      url: text("URL", { placeholder: "https://trino.example.com:8443" }),
      username: text("User"),
      password: { label: "Password", input: "secret", isRequired: false },
      token: { label: "Token", input: "secret", isRequired: false, hint: "In place of the password." },
      catalog: text("Catalog", { initial: "lake", hint: "What the cluster calls the lake." }),
      sslrootcert: authority("PEM text. Left empty, the public authorities are believed."),
    },
    beside: {
      lake_id: { label: "Reads the lake", input: "lake", isRequired: true, isFixed: true },
      above_bytes: text("Takes statements above so many bytes", {
        isRequired: false,
        hint: "Of those whose engine is auto. Left empty, the number of bytes does not matter.",
      }),
      after_memory_failure: {
        label: "Takes statements that DuckDB had too little memory for",
        input: "flag",
        isRequired: false,
      },
    },
  },
};

export const KINDS = Object.keys(FORMS) as IntegrationKind[];

export const kindOf = (name: string | undefined): IntegrationKind | undefined => KINDS.find((kind) => kind === name);

export type Values = Readonly<Record<string, string>>;

export const initialValues = (kind: IntegrationKind): Values =>
  Object.fromEntries([...fieldsOf(kind), ...besideOf(kind)].map(([name, { initial = "" }]) => [name, initial]));

export const fieldsOf = (kind: IntegrationKind): [string, Field][] => Object.entries<Field>(FORMS[kind].fields);

export const besideOf = (kind: IntegrationKind, isChange = false): [string, Field][] =>
  Object.entries(FORMS[kind].beside ?? {}).filter(([, { isFixed }]) => !isChange || !isFixed);

/** What of an integration is shown to be changed beside its credentials. */
export const besideValues = ({ type, details }: Integration): Values =>
  Object.fromEntries(besideOf(type, true).map(([name]) => [name, details[name] ?? ""]));

/** What was typed beside the credentials; a number that is none is left to the API to refuse. */
export function besideFrom(kind: IntegrationKind, values: Values): object {
  if (kind !== "trino") return {};
  const { lake_id: lakeId, above_bytes: above = "", after_memory_failure: after } = values;
  // JSON has no NaN, and null would say that no number was typed.
  const number = Number.isNaN(Number(above)) ? above : Number(above);
  const route = { above_bytes: above.trim() === "" ? null : number, after_memory_failure: after === "true" };
  return { ...(lakeId && { lake_id: lakeId }), route };
}

/** The credentials of what was typed; fields that were left empty are left out. */
export function credentialsFrom(kind: IntegrationKind, values: Values): Record<string, string | boolean> {
  const typed = fieldsOf(kind).flatMap(([name, field]): [string, string | boolean][] => {
    const value = values[name] ?? "";
    if (field.input === "flag") return value === "true" ? [[name, true]] : [];
    return value === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(typed);
}
