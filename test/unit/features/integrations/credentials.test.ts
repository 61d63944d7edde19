// Credentials of each kind: what is taken and kept, what of it may be shown, and what a change may carry over.

import { describe, expect, it } from "vitest";
import { secretsOf, type Source } from "../../../../kernel/wire/source.ts";
import { changeCredentials } from "../../../../src/features/integrations/credentials/change.ts";
import { NewIntegration, typeOf } from "../../../../src/features/integrations/credentials/credentials.ts";
import {
  defaultName,
  detailsOf,
  parseSource,
  rememberTls,
} from "../../../../src/features/integrations/credentials/source.ts";

const CANARY = "canary-0123456789";
const KEY = `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----\n`;
const KEY_FILE = { type: "service_account", client_email: "reader@shop.iam.gserviceaccount.com", private_key: KEY };
const DATABASE = { host: "db.example.com", port: "1433", database: "shop", username: "reader", password: CANARY };
const SNOWFLAKE = { account: "org-one", username: "reader", password: CANARY, warehouse: "small", database: "shop" };
const SOURCES: Source[] = [
  ...(["postgres", "mysql", "redshift", "sqlserver"] as const).map((type) => ({ type, credentials: DATABASE })),
  { type: "bigquery", credentials: { project_id: "shop", credentials_json: JSON.stringify(KEY_FILE) } },
  { type: "snowflake", credentials: SNOWFLAKE },
];

describe("credentials", () => {
  it.each(SOURCES)("of $type are what the specification asks for, and nothing more", ({ type, credentials }) => {
    expect(NewIntegration.safeParse({ type, credentials }).success).toBe(true);
    expect(parseSource(type, credentials)).toEqual({ source: { type, credentials } });
    for (const field of Object.keys(credentials)) {
      const { [field]: _, ...rest } = credentials as Record<string, unknown>;
      expect(NewIntegration.safeParse({ type, credentials: rest }).success, field).toBe(false);
    }
    expect(NewIntegration.safeParse({ type, credentials: { ...credentials, options: "-c x" } }).success).toBe(false);
  });

  it("of BigQuery take the key file as JSON or as text", () => {
    const given = { project_id: "shop", credentials_json: KEY_FILE };
    expect(parseSource("bigquery", given)).toEqual({ source: SOURCES[4] });
    const large = { project_id: "shop", credentials_json: { ...KEY_FILE, note: "x".repeat(20_000) } };
    expect(parseSource("bigquery", large)).toMatchObject({ issues: [{ path: ["credentials_json"] }] });
  });

  it.each(SOURCES)("of $type show no secret", (source) => {
    const shown = JSON.stringify([detailsOf(source), defaultName(source)]);
    expect(shown).not.toContain(CANARY);
    expect(shown).toContain("shop");
  });

  it.each(SOURCES)("of $type name their secrets, a line of a key too", (source) => {
    expect(secretsOf(source).some((secret) => `said by a driver: ${CANARY}`.includes(secret))).toBe(true);
  });

  it("show the service account that a key file is of, and none where it tells none", () => {
    expect(detailsOf(SOURCES[4]!)).toEqual({ project_id: "shop", client_email: KEY_FILE.client_email });
    for (const credentials_json of ["{}", "not JSON", '{"client_email":7}', "null"])
      expect(detailsOf({ type: "bigquery", credentials: { project_id: "shop", credentials_json } })).toEqual({
        project_id: "shop",
      });
  });

  it("hold a server to the TLS that it offered, and leave services alone that have nothing else", () => {
    for (const source of SOURCES) {
      const { credentials } = rememberTls(source, true);
      expect(credentials).toEqual("host" in source.credentials ? { ...credentials, sslmode: "require" } : credentials);
    }
  });

  it.each([
    ["mssql", "sqlserver"],
    ["postgresql", "postgres"],
    ["ducklake", "lake"],
    ["snowflake", "snowflake"],
    ["oracle", undefined],
  ])("are asked for by other names of a kind too: %s", (name, type) => expect(typeOf(name)).toBe(type));
});

describe("a change of credentials", () => {
  it.each([
    ["sqlserver", { host: "other.example.com" }],
    ["redshift", { port: "1" }],
    ["snowflake", { account: "org-other" }],
  ])("of %s that sends the password elsewhere asks for it again: %j", (type, given) => {
    const stored = SOURCES.find((source) => source.type === type)!;
    expect(() => changeCredentials(stored, given)).toThrow(/Send the password again/);
    expect(changeCredentials(stored, { ...given, password: "new" }).credentials).toMatchObject({
      ...given,
      password: "new",
    });
  });

  it("of the rest keeps what it does not name, and takes back what is null", () => {
    const roled = changeCredentials(SOURCES[5]!, { role: "reporter", warehouse: "large" });
    expect(roled.credentials).toEqual({ ...SNOWFLAKE, role: "reporter", warehouse: "large" });
    expect(changeCredentials(roled, { role: null }).credentials).toEqual({ ...SNOWFLAKE, warehouse: "large" });
  });

  it("names each field that is wrong", () => {
    expect(() => changeCredentials(SOURCES[4]!, { maximum_bytes_billed: "1e9", host: "h" })).toThrow(
      expect.objectContaining({
        flaws: expect.arrayContaining([
          expect.objectContaining({ pointer: "/credentials/maximum_bytes_billed" }),
          expect.objectContaining({ pointer: "/credentials/host" }),
        ]),
      }),
    );
  });
});
