// Reads a service account's key file, and nothing else that calls itself credentials: Google's libraries take files
// that read other files, fetch addresses and run programs. No library is given the file, only what is read here.

import { createPrivateKey } from "node:crypto";
import { Failure } from "../../../core/failure.ts";

/** The account whose key signs the requests for tokens. */
export type ServiceAccount = {
  clientEmail: string;
  /** An RSA key as PEM text, in PKCS #8. */
  privateKey: string;
  privateKeyId: string | undefined;
};

/** The only address that is asked for tokens, whatever the file says. */
export const TOKEN_URL = "https://oauth2.googleapis.com/token";

const CHARACTERS_MAX = 20_000;
/** Files of the years before 2018 name the other two; their keys are good at the first. */
const TOKEN_URLS = [
  TOKEN_URL,
  "https://accounts.google.com/o/oauth2/token",
  "https://www.googleapis.com/oauth2/v4/token",
];
/** Nothing asks these; a file that has others is not Google's. */
const OTHER_URL = /^https:\/\/(accounts\.google|(oauth2|www)\.googleapis)\.com\/[A-Za-z0-9/._%@+-]{1,500}$/;
const EMAIL = /^[a-z0-9][a-z0-9._-]{0,127}@([a-z0-9][a-z0-9-]{0,62}\.){0,6}gserviceaccount\.com$/;
/** Google writes the key as unencrypted PKCS #8, with nothing around it. */
const PEM = /^-----BEGIN PRIVATE KEY-----\n([A-Za-z0-9+/=]{1,76}\n){1,200}-----END PRIVATE KEY-----\n?$/;
const KEY_BITS = { min: 2_048, max: 8_192 };
/** Kinds that Google's libraries know and that are not for a server which others send files to. */
const OTHER_TYPES = [
  "authorized_user",
  "external_account",
  "external_account_authorized_user",
  "impersonated_service_account",
  "gdch_service_account",
];

/** All that a key file has, and what may stand there. */
const FIELDS = new Map<string, (value: string) => boolean>([
  ["type", (value) => value === "service_account"],
  ["project_id", (value) => /^[a-z0-9.:-]{1,128}$/.test(value)],
  ["private_key_id", (value) => /^[A-Za-z0-9_-]{1,128}$/.test(value)],
  ["private_key", isPrivateKey],
  ["client_email", (value) => EMAIL.test(value)],
  ["client_id", (value) => /^[0-9]{0,40}$/.test(value)],
  ["auth_uri", (value) => OTHER_URL.test(value)],
  ["token_uri", (value) => TOKEN_URLS.includes(value)],
  ["auth_provider_x509_cert_url", (value) => OTHER_URL.test(value)],
  ["client_x509_cert_url", (value) => OTHER_URL.test(value)],
  ["universe_domain", (value) => value === "googleapis.com"],
]);

/**
 * Throws `connection_failed` for whatever is not a service account's key file as Google makes it, without a word of
 * what it holds.
 */
export function readServiceAccount(text: string): ServiceAccount {
  if (text.length > CHARACTERS_MAX) throw invalid(`it is longer than ${CHARACTERS_MAX} characters`);
  const fields = readFields(text);
  const type = fields.get("type");
  if (type !== "service_account") throw invalid(describeType(type));
  const values = new Map<string, string>();
  for (const [name, value] of fields) {
    const isValid = FIELDS.get(name);
    if (!isValid) throw invalid(`it has a field that such a file has not${namedPlainly(name)}`);
    if (typeof value !== "string" || !isValid(value)) throw invalid(`its ${name} is not what Google writes there`);
    values.set(name, value);
  }
  const required = (name: string): string => {
    const value = values.get(name);
    if (value === undefined) throw invalid(`it has no ${name}`);
    return value;
  };
  return {
    clientEmail: required("client_email"),
    privateKey: required("private_key"),
    privateKeyId: values.get("private_key_id"),
  };
}

/** Own fields alone, whatever their names: a Map has no prototype that a file could speak to. */
function readFields(text: string): Map<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid("it is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw invalid("it is not a JSON object");
  return new Map(Object.entries(parsed));
}

const describeType = (type: unknown): string =>
  OTHER_TYPES.includes(type as string) ? `its type is ${type}` : "its type is not service_account";

/** A field's name is shown where it can't be a secret that lost its place. */
const namedPlainly = (name: string): string => (/^[a-z][a-z_]{0,40}$/.test(name) ? `: ${name}` : "");

function isPrivateKey(pem: string): boolean {
  if (!PEM.test(pem)) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({ key: pem, format: "pem" });
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    return asymmetricKeyType === "rsa" && bits >= KEY_BITS.min && bits <= KEY_BITS.max;
  } catch {
    return false;
  }
}

const invalid = (what: string): Failure =>
  new Failure(
    "connection_failed",
    `credentials_json is not the key file of a Google service account: ${what}. Send the JSON file as Google made it.`,
    { reason: "authentication" },
  );
