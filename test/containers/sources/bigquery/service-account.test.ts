// Forged, mistaken and hostile key files: none is taken, and no refusal says what is in one.

import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { checkCredentials } from "../../../../containers/engine/sources/bigquery/connection/check-credentials.ts";
import {
  readServiceAccount,
  TOKEN_URL,
} from "../../../../containers/engine/sources/bigquery/connection/service-account.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const GENUINE = {
  type: "service_account",
  project_id: "shop-analytics",
  private_key_id: "0123456789abcdef0123456789abcdef01234567",
  private_key: pem,
  client_email: "reader@shop-analytics.iam.gserviceaccount.com",
  client_id: "123456789012345678901",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  token_uri: TOKEN_URL,
  auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
  client_x509_cert_url:
    "https://www.googleapis.com/robot/v1/metadata/x509/reader%40shop-analytics.iam.gserviceaccount.com",
  universe_domain: "googleapis.com",
};
const without = (...names: (keyof typeof GENUINE)[]) =>
  Object.fromEntries(Object.entries(GENUINE).filter(([name]) => !names.includes(name as keyof typeof GENUINE)));
/** Stands in each file, and in no refusal. */
const CANARY = "canary-4f1d";

const pemOf = (type: "pkcs1" | "pkcs8", bits: number) => {
  const key = generateKeyPairSync("rsa", { modulusLength: bits }).privateKey;
  return key.export({ type, format: "pem" }) as string;
};
const external = (source: object) => ({
  type: "external_account",
  audience: `//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/${CANARY}/providers/p`,
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: "https://sts.googleapis.com/v1/token",
  credential_source: source,
});

const FORGED: [what: string, file: unknown][] = [
  ["external_account with a program", external({ executable: { command: `/bin/sh -c ${CANARY}` } })],
  ["external_account with an address", external({ url: `http://169.254.169.254/${CANARY}` })],
  ["external_account with a file", external({ file: "/proc/self/environ" })],
  ["external_account of AWS", external({ environment_id: "aws1", region_url: "http://169.254.169.254/region" })],
  ["external_account with a certificate", external({ certificate: { use_default_certificate_config: true } })],
  ["external_account with a token address of its own", { ...external({ file: "a" }), token_url: "https://evil.test" }],
  [
    "external_account_authorized_user",
    { type: "external_account_authorized_user", refresh_token: CANARY, token_url: "https://evil.test/token" },
  ],
  ["authorized_user", { type: "authorized_user", client_id: "1", client_secret: CANARY, refresh_token: CANARY }],
  [
    "impersonated_service_account",
    {
      type: "impersonated_service_account",
      service_account_impersonation_url: `https://evil.test/${CANARY}:generateAccessToken`,
      source_credentials: { type: "authorized_user", refresh_token: CANARY },
      delegates: [],
    },
  ],
  ["gdch_service_account", { type: "gdch_service_account", format_version: "1", token_uri: "https://gdch.test" }],
  ["a client's secret of a web application", { web: { client_id: "1", client_secret: CANARY } }],
  ["an API key", { api_key: CANARY }],
  ["no type", without("type")],
  ["a type in other letters", { ...GENUINE, type: "Service_Account" }],
  ["a type with space", { ...GENUINE, type: "service_account " }],
  ["a list as type", { ...GENUINE, type: ["service_account"] }],
  ["an object as type", { ...GENUINE, type: { toString: "service_account" } }],
  ["a source of credentials beside", { ...GENUINE, credential_source: { file: "/etc/passwd" } }],
  ["impersonation beside", { ...GENUINE, service_account_impersonation_url: "https://evil.test" }],
  ["delegates beside", { ...GENUINE, source_credentials: { type: "authorized_user" } }],
  ["a refresh token beside", { ...GENUINE, refresh_token: CANARY }],
  ["a token address beside", { ...GENUINE, token_url: "https://evil.test/token" }],
  ["a proxy beside", { ...GENUINE, proxy: "http://evil.test" }],
  ["another token address", { ...GENUINE, token_uri: "https://evil.test/token" }],
  ["the metadata server as token address", { ...GENUINE, token_uri: "http://169.254.169.254/token" }],
  ["a token address without TLS", { ...GENUINE, token_uri: "http://oauth2.googleapis.com/token" }],
  ["a token address with a user", { ...GENUINE, token_uri: "https://oauth2.googleapis.com@evil.test/token" }],
  ["a token address in a longer host", { ...GENUINE, token_uri: "https://oauth2.googleapis.com.evil.test/token" }],
  ["a token address with a query", { ...GENUINE, token_uri: `${TOKEN_URL}?to=https://evil.test` }],
  ["a token address with a line break", { ...GENUINE, token_uri: `${TOKEN_URL}\n` }],
  ["a list as token address", { ...GENUINE, token_uri: [TOKEN_URL] }],
  ["another universe", { ...GENUINE, universe_domain: "evil.test" }],
  ["a universe that ends as Google's", { ...GENUINE, universe_domain: "evilgoogleapis.com" }],
  ["an empty universe", { ...GENUINE, universe_domain: "" }],
  ["certificates elsewhere", { ...GENUINE, auth_provider_x509_cert_url: "https://evil.test/certs" }],
  ["certificates in a file", { ...GENUINE, client_x509_cert_url: "file:///etc/passwd" }],
  ["a consent page elsewhere", { ...GENUINE, auth_uri: "https://accounts.google.com.evil.test/o/oauth2/auth" }],
  ["no key", without("private_key")],
  ["a key that is none", { ...GENUINE, private_key: CANARY }],
  ["an empty key", { ...GENUINE, private_key: "" }],
  ["a key's path", { ...GENUINE, private_key: "/etc/ssl/private/key.pem" }],
  ["a number as key", { ...GENUINE, private_key: 7 }],
  ["a key of other bytes", { ...GENUINE, private_key: pem.replace(/\n[^-][^\n]{60}/, `\n${"A".repeat(60)}`) }],
  ["half a key", { ...GENUINE, private_key: pem.slice(0, 800) }],
  ["a key with its line breaks escaped twice", { ...GENUINE, private_key: pem.replaceAll("\n", "\\n") }],
  ["a key in PKCS #1", { ...GENUINE, private_key: pemOf("pkcs1", 2_048) }],
  ["a short key", { ...GENUINE, private_key: pemOf("pkcs8", 1_024) }],
  [
    "an elliptic key",
    {
      ...GENUINE,
      private_key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
        type: "pkcs8",
        format: "pem",
      }),
    },
  ],
  [
    "an encrypted key",
    {
      ...GENUINE,
      private_key: privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: CANARY }),
    },
  ],
  ["two keys", { ...GENUINE, private_key: pem + pem }],
  ["words before the key", { ...GENUINE, private_key: `${CANARY}\n${pem}` }],
  ["no address of the account", without("client_email")],
  ["another domain's address", { ...GENUINE, client_email: "reader@evil.test" }],
  ["an address that ends as Google's", { ...GENUINE, client_email: "reader@evilgserviceaccount.com" }],
  ["an address with a line break", { ...GENUINE, client_email: `${GENUINE.client_email}\nX-Evil: 1` }],
  ["an address with more in it", { ...GENUINE, client_email: `a"},"scope":"x@x.iam.gserviceaccount.com` }],
  ["a header in the key's id", { ...GENUINE, private_key_id: "1\r\nX-Evil: 1" }],
  ["a path in the project", { ...GENUINE, project_id: "../../evil" }],
  ["a null", { ...GENUINE, client_id: null }],
  ["a list", [GENUINE]],
  ["a text", "service_account"],
  ["nothing", null],
  ["a file in a file", { credentials_json: JSON.stringify(GENUINE) }],
];

const FORGED_TEXTS: [what: string, text: string][] = [
  ["no text", ""],
  ["a path", "/var/run/secrets/key.json"],
  ["an address", "https://evil.test/key.json"],
  ["JSON that is cut off", JSON.stringify(GENUINE).slice(0, 300)],
  ["two documents", `${JSON.stringify(GENUINE)}\n${JSON.stringify(GENUINE)}`],
  ["a prototype", `{"__proto__":${JSON.stringify(GENUINE)}}`],
  ["a prototype beside", JSON.stringify(GENUINE).replace("{", '{"__proto__":{"credential_source":{"file":"/x"}},')],
  ["a constructor beside", JSON.stringify(GENUINE).replace("{", '{"constructor":{"prototype":{}},')],
  ["a second type, which counts", JSON.stringify(GENUINE).replace(/}$/, ',"type":"external_account"}')],
  ["a huge file", JSON.stringify({ ...GENUINE, client_id: "1".repeat(30_000) })],
  ["a deep file", `${"[".repeat(9_000)}${"]".repeat(9_000)}`],
  ["a file with a mark of its byte order", `\ufeff${JSON.stringify(GENUINE)}`],
  ["the key itself", pem],
];

const failureOf = (call: () => unknown): Failure => {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("Taken.");
};

describe("a BigQuery integration's key file", () => {
  it("is read where it is a service account's", () => {
    expect(readServiceAccount(JSON.stringify(GENUINE))).toEqual({
      clientEmail: GENUINE.client_email,
      privateKey: pem,
      privateKeyId: GENUINE.private_key_id,
    });
  });

  it.each([
    ["without what is not needed", without("client_id", "auth_uri", "universe_domain", "private_key_id", "token_uri")],
    ["of the years before 2018", { ...GENUINE, token_uri: "https://accounts.google.com/o/oauth2/token" }],
    ["of a default account", { ...GENUINE, client_email: "123456789012-compute@developer.gserviceaccount.com" }],
    ["of a company's project", { ...GENUINE, project_id: "example.com:shop-analytics" }],
  ])("is read %s", (_, file) => {
    expect(readServiceAccount(JSON.stringify(file)).privateKey).toBe(pem);
  });

  it.each([...FORGED.map(([what, file]): [string, string] => [what, JSON.stringify(file)]), ...FORGED_TEXTS])(
    "is refused: %s",
    (_, text) => {
      const failure = failureOf(() => readServiceAccount(text));
      expect(failure).toMatchObject({ code: "connection_failed", reason: "authentication" });
      const shown = `${failure.message}${JSON.stringify(failure)}`;
      expect(shown).toMatch(/credentials_json/);
      expect(shown).not.toContain(CANARY);
      expect(shown).not.toContain(pem.slice(40, 80));
      expect(shown).not.toContain("evil");
    },
  );
});

describe("a BigQuery integration's other settings", () => {
  const good = { project_id: "shop-analytics", credentials_json: JSON.stringify(GENUINE) };

  it("are taken as they are", () => {
    expect(checkCredentials({ ...good, location: "europe-west1", maximum_bytes_billed: "1000000000" })).toMatchObject({
      projectId: "shop-analytics",
      location: "europe-west1",
      maximumBytesBilled: "1000000000",
    });
    expect(checkCredentials({ ...good, project_id: "example.com:shop-analytics" }).location).toBeUndefined();
  });

  it.each([
    { project_id: "../../evil" },
    { project_id: "shop/datasets/x" },
    { project_id: "shop analytics" },
    { project_id: "shop-analytics\n" },
    { project_id: "" },
    { project_id: "Shop-Analytics" },
    { project_id: "shop-analytics@evil.test" },
    { location: "EU&x=1" },
    { location: "../EU" },
    { location: "" },
    { maximum_bytes_billed: "1e9" },
    { maximum_bytes_billed: "-1" },
    { maximum_bytes_billed: "0" },
    { maximum_bytes_billed: "99999999999999999999" },
    { maximum_bytes_billed: "" },
  ])("are refused: %o", (change) => {
    expect(failureOf(() => checkCredentials({ ...good, ...change })).code).toBe("connection_failed");
  });
});
